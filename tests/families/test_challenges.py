"""Challenges: every seed draws a game of its kind."""

from __future__ import annotations

import numpy as np
import pytest

import scorewright as sw


@pytest.mark.parametrize("kind", list(sw.families.CHALLENGES))
def test_the_same_seed_draws_the_same_game(kind):
    """And another seed another one, but for the game that has a name."""
    first, again, other = (sw.families.CHALLENGES[kind](np.random.default_rng(seed)) for seed in (5, 5, 6))
    assert np.array_equal(first.information, again.information)
    assert np.array_equal(first.costs, again.costs)
    same = first.information.shape == other.information.shape and np.array_equal(first.information, other.information)
    assert same == (kind == "three_efforts")


def test_a_game_that_does_not_allow_its_margin_is_drawn_again():
    """Seed 45's first game has no costs for it."""
    rng = np.random.default_rng(45)
    with pytest.raises(sw.errors.CannotInduceError):
        sw.families.random(rng=rng, margin=float(rng.uniform(0.003, 0.007)))
    game = sw.families.CHALLENGES["margin .003-.007"](np.random.default_rng(45))
    assert 0.003 <= min(sw.margin(game, effort).value for effort in range(len(game.costs))) <= 0.007
