"""Random families: each control does what it says."""

from __future__ import annotations

import numpy as np
import pytest

import scorewright as sw
from scorewright.errors import CannotInduceError, InvalidInputError, UnknownNameError

SEEDS = range(6)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("support", ["disjoint", "shared", "nested"])
def test_sizes_supports_and_inducible_efforts(seed, support):
    """K, W and C_O are as asked, supports as named, and every effort can be induced."""
    game = sw.families.random(rng=seed, efforts=4, states=3, observations=5, support=support)
    used = game.information > 0
    assert game.information.shape == (4, {"disjoint": 20, "shared": 5, "nested": 5}[support])
    assert (used.sum(axis=0) == (1 if support == "disjoint" else 4)).all()
    assert None not in sw.solve(game).by_effort
    if support != "shared":
        assert np.allclose(game.prior, game.prior[0])


@pytest.mark.parametrize("seed", SEEDS)
def test_quality_is_what_information_is_worth(seed):
    """Better quality is worth more to a principal who must match the state; quality zero learns nothing."""
    dull = sw.families.random(rng=seed, efforts=2, quality=(0, 0.2))
    sharp = sw.families.random(rng=seed, efforts=2, quality=(0, 1))
    stake = np.eye(2)
    worth = [g.information @ (g.beliefs @ stake).max(axis=1) for g in (dull, sharp)]
    assert worth[1][1] > worth[0][1] > worth[0][0] - 1e-12
    assert dull.information[0].max() == pytest.approx(1)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("margin", [0.005, 0.0005])
def test_the_oracle_margin_is_exact(seed, margin):
    """The least of the widest margins is the one asked for."""
    for game in (
        sw.families.random(rng=seed, efforts=3, observations=3, margin=margin),
        sw.families.random_contract(rng=seed, efforts=3, margin=margin),
    ):
        least = min(sw.margin(game, k).value for k in range(3))
        assert least == pytest.approx(margin, abs=1e-9)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("share", [0.3, 0.8, 0.99])
def test_any_attainable_margin_is_reached_and_no_other(seed, share):
    """Up to the widest that any costs allow; beyond, the error says how wide that is."""
    game = sw.families.random(rng=seed, efforts=3, observations=3, support=["disjoint", "shared", "nested"][seed % 3])
    costs, greatest = sw.families.widest_costs(game)
    there = sw.Game(game.beliefs, game.information, costs, game.utility, game.bound)
    assert min(sw.margin(there, k).value for k in range(3)) == pytest.approx(greatest, abs=1e-9)
    moved = sw.families.with_margin(game, share * greatest)
    assert min(sw.margin(moved, k).value for k in range(3)) == pytest.approx(share * greatest, abs=1e-9)
    with pytest.raises(CannotInduceError, match="no more than"):
        sw.families.with_margin(game, 1.01 * greatest)


@pytest.mark.parametrize("seed", SEEDS)
def test_spread_brings_costs_together(seed):
    """Costs shrink with the spread; with a small one efforts almost tie."""
    wide, near = (sw.families.random(rng=seed, efforts=4, spread=s) for s in (1.0, 0.01))
    assert np.ptp(near.costs) == pytest.approx(0.01 * np.ptp(wide.costs))
    assert (np.diff(wide.costs) >= 0).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_dominated_efforts_can_not_be_induced_at_any_bound(seed):
    """They are reported so, with certificates."""
    game = sw.families.random(rng=seed, efforts=3, dominated=2)
    solution = sw.solve(game)
    assert [found is None for found in solution.by_effort] == [False, False, False, True, True]
    assert all(reason.least_bound == np.inf for reason in solution.reasons[3:])


def test_skew_bound_and_decisions():
    """The prior leans, payments reach the bound, decisions are as many as asked."""
    game = sw.families.random(rng=1, states=3, skew=0.8, bound=7.0, decisions=5)
    assert game.prior.max() > 0.8
    assert game.bound == 7
    assert len(game.utility) == 5


def test_the_same_seed_gives_the_same_game():
    """And a generator passed along gives another each time."""
    assert sw.families.random(rng=3) == sw.families.random(rng=3)
    rng = np.random.default_rng(0)
    assert sw.families.random(rng=rng) != sw.families.random(rng=rng)


def test_impossible_controls_are_refused():
    """In words."""
    with pytest.raises(UnknownNameError, match="support"):
        sw.families.random(rng=0, support="mixed")
    with pytest.raises(InvalidInputError, match="quality must go up"):
        sw.families.random(rng=0, quality=(0.9, 0.1))
    with pytest.raises(InvalidInputError, match="one effort"):
        sw.families.random(rng=0, efforts=1, margin=0.1)


def test_challenges_are_drawn_by_kind():
    """Thirteen kinds, the same game for the same seed, an error for others."""
    assert len(sw.families.CHALLENGES) == 13
    for kind in sw.families.CHALLENGES:
        assert sw.families.make("challenge", rng=1, kind=kind) == sw.families.challenge(kind, rng=1)
    with pytest.raises(sw.errors.ScorewrightError, match="kind"):
        sw.families.challenge("impossible")
    assert sw.families.is_random("challenge")
    assert not sw.families.is_random("analyst")
