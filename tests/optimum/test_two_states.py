"""Two states: sums of V-shaped rules, proved by transport, with nothing to fall back on."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scorewright as sw
import witness
from scorewright.optimum import levels, two_states
from scorewright.optimum.programs import Programs


@pytest.fixture(autouse=True)
def alone(monkeypatch):
    """No other method may help."""

    def refuse(*_):
        raise AssertionError("the general method was asked")

    monkeypatch.setattr(levels, "solve", refuse)


def drawn(seed: int, places: int) -> sw.Game:
    """Beliefs on a grid of `places`, so that many coincide and some are certain; efforts with some beliefs or all."""
    rng = np.random.default_rng(seed)
    count, efforts = int(rng.integers(1, 20)), int(rng.integers(1, 5))
    chance = rng.integers(0, places + 1, size=count) / places
    information = rng.dirichlet(np.full(count, 0.4), size=efforts)
    costs = rng.permutation(rng.random(efforts)) * float(rng.choice([0.0, 0.01, 0.2]))
    return sw.Game(np.stack([1 - chance, chance], axis=1), information, costs, np.eye(2), bound=1.0)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10**6), st.sampled_from([1, 2, 5, 997]))
def test_the_plain_formulation_agrees(seed, places):
    """On beliefs that coincide, on certain ones, on efforts that can't be induced: its answers, certified."""
    witness.examine(drawn(seed, places), np.random.default_rng(seed))


@pytest.mark.parametrize("support", ["disjoint", "shared", "nested"])
def test_thousands_of_beliefs(support):
    """Certified, with the bound binding or not, and margins as far as there are any."""
    game = sw.families.random(rng=1, efforts=3, states=2, observations=700, support=support)
    solution = sw.solve(game)
    for found in solution.by_effort:
        assert found.certificate.gap < 1e-9
        assert found.certificate.violation < 1e-10
        assert len(np.unique(found.rule.payments, axis=0)) <= len(game.costs) + 2
    widest = sw.margin(game, 2)
    assert widest.certificate.gap < 1e-9
    assert sw.solve(game, margin=widest.value / 2).by_effort[2].payment > solution.by_effort[2].payment


@pytest.mark.parametrize(("states", "penalty"), [(3, 0.0), (2, 1.0)])
def test_other_games_are_left_to_the_general_method(states, penalty):
    """Three states, or fines."""
    beliefs = np.eye(states)
    game = sw.Game(beliefs, np.full((1, states), 1 / states), [0.0], np.eye(states), bound=1.0, penalty=penalty)
    assert not two_states.fits(Programs(game)._task(0, 0.0))
