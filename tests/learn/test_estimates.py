"""Estimates: formulas by hand, strategies, paths."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scorewright as sw
from playing import play
from scorewright.errors import InvalidInputError
from scorewright.kernel import shortest_paths

GAME = sw.families.make("three_efforts")
ORACLE = sw.oracles.best_margin(GAME)


def test_the_printed_strategies():
    """The paper's radius, weight and width."""
    radius = sw.learn.Radius()(np.array([4.0, 0.0]), efforts=2, beliefs=2000, time=7)
    assert radius[0] == pytest.approx(math.sqrt(2 * (math.log(2) + 2000 * math.log(2) + math.log(7)) / 4))
    assert radius[1] == np.inf
    assert sw.learn.Mixing()(3, 1000) == pytest.approx(0.3)
    assert sw.learn.Mixing()(3, 8) == 1
    assert sw.learn.Stop()(0.3, 0.2) == 0.2
    for bad in (lambda: sw.learn.Radius(-1), lambda: sw.learn.Mixing(exponent=-1), lambda: sw.learn.Stop(0)):
        with pytest.raises(InvalidInputError):
            bad()


@given(seed=st.integers(0, 500), count=st.integers(2, 5))
def test_paths_are_the_shortest(seed, count):
    """Against all simple paths; gaps antisymmetric, radii symmetric."""
    rng = np.random.default_rng(seed)
    half = rng.random((count, count))
    half = np.triu(half, 1) + np.triu(half, 1).T
    middle = rng.normal(size=(count, count))
    middle = np.triu(middle, 1) - np.triu(middle, 1).T
    gap, length = shortest_paths(middle, half, 1e-12)
    assert np.array_equal(gap, -gap.T)
    assert np.array_equal(length, length.T)
    for i, j in itertools.permutations(range(count), 2):
        others = [k for k in range(count) if k not in (i, j)]
        best = min(
            (
                sum(half[a, b] for a, b in itertools.pairwise(path)),
                sum(middle[a, b] for a, b in itertools.pairwise(path)),
            )
            for size in range(len(others) + 1)
            for way in itertools.permutations(others, size)
            for path in [(i, *way, j)]
        )
        assert length[i, j] == pytest.approx(best[0])
        assert gap[i, j] == pytest.approx(best[1])


def test_contradictions_leave_a_radius_of_zero():
    """Reading 2: where C+ < C- the midpoint stays and phi is zero."""
    learner = sw.learn.OsrlUcb(GAME.setting, ORACLE, radius=sw.learn.Radius(0.0))
    for effort in (1, 0, 1, 0, 2):
        learner.tell(learner.ask(), effort, (0, 1, 3)[effort])
    now = learner.estimates()
    assert now.cost_radius.min() == 0
    assert np.isfinite(now.cost_gap).all()


def test_estimates_close_in_on_the_truth():
    """With many rounds the information and the cost gaps are within their radii, and the radii shrink."""
    learner = sw.learn.OsrlUcb(GAME.setting, ORACLE, radius=sw.learn.Radius(0.4))
    play(GAME, learner, 3000, seed=0)
    now = learner.estimates()
    gaps = GAME.costs[:, None] - GAME.costs[None, :]
    assert (np.abs(now.information - GAME.information).sum(axis=1) <= now.radius).all()
    assert (np.abs(now.cost_gap - gaps) <= now.cost_radius).all()
    assert now.cost_radius.max() < 0.5


class Frozen(sw.learn.Radius):
    """The same radius for ever."""

    def __call__(self, counts, *facts):
        """Whatever was seen."""
        del facts
        return np.full(len(counts), self.scale)


def searched(switch: float, width: float) -> list[float]:
    """Disobey a first optimise round, then answer its search as if the switch were there: the ends, round by round."""
    learner = sw.learn.OsrlUcb(GAME.setting, ORACLE, radius=Frozen(width), mixing=sw.learn.Mixing(factor=0.0))
    for effort in range(3):
        learner.tell(learner.ask(), effort, (0, 1, 3)[effort])
    offer = learner.ask()
    assert offer.phase == "optimise"
    target, start = offer.target, offer.rule.payments
    other = (target + 1) % 3
    learner.tell(offer, other, (0, 1, 3)[other])
    seen = []
    while (offer := learner.ask()).phase == "search":
        assert offer.target == target
        away = ORACLE[target].payments - start
        at = float(((offer.rule.payments - start) * away).sum() / (away * away).sum())
        seen.append(at)
        effort = target if at >= switch else other
        learner.tell(offer, effort, (0, 1, 3)[effort])
    return seen


@pytest.mark.parametrize("switch", [0.0, 0.1, 0.37, 0.81, 1.0])
@pytest.mark.parametrize("radius", [0.9, 0.3, 0.01])
def test_searches_end_within_their_depth_and_hold_the_switch(switch, radius):
    """At most floor(log2(1/r)) + 1 rounds, and the switch stays inside (reading 5)."""
    seen = searched(switch, radius)
    low = max([at for at in seen if at < switch], default=0.0)
    high = min([at for at in seen if at >= switch], default=1.0)
    assert low <= switch <= high
    assert high - low < radius
    assert len(seen) <= math.floor(math.log2(1 / radius)) + 1
    low, high = 0.0, 1.0
    for at in seen:
        assert at == pytest.approx((low + high) / 2, abs=1e-9)
        low, high = (low, at) if at >= switch else (at, high)


def test_searches_end_where_floats_do():
    """A width that can't be reached ends the search when halving changes nothing."""
    assert 40 < len(searched(0.3, 0.0)) < 80


def test_the_index_by_hand():
    """With the printed radii the zero rule is optimal, and the index has a closed form."""
    learner = sw.learn.OsrlUcb(GAME.setting, ORACLE)
    play(GAME, learner, 50, seed=1)
    while learner.ask().phase != "optimise":
        play(GAME, learner, 1, seed=2)
    offer, now = learner.ask(), learner.estimates()
    for k in range(3):
        relaxed = [now.cost_gap[k, i] - now.cost_radius[k, i] - now.radius[i] for i in range(3) if i != k]
        assert max(relaxed) <= now.radius[k]
        payment = max(-now.radius[k], *relaxed)
        assert offer.index[k] == pytest.approx(now.information[k] @ GAME.value + now.radius[k] - payment)
