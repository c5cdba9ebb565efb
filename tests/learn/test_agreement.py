"""Agreement: a game that explains all answers, if there is one."""

from __future__ import annotations

import numpy as np
import pytest

import scorewright as sw
from playing import random_game
from scorewright.learn.agreement import ContradictionError, agreeing
from scorewright.learn.base_rate import ties


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("told", [False, True])
def test_the_game_found_gives_every_answer(seed, told):
    """Whether its information is given or not; rows are distributions."""
    game = random_game(seed, most=10)
    rules = [sw.rules.sample(game.beliefs, game.bound, rng=[seed, number]) for number in range(10)]
    expected, answers = np.array([rule.expected for rule in rules]), np.array([game.respond(rule) for rule in rules])
    known = game.information / game.information.sum(axis=1, keepdims=True) if told else None
    information, costs = agreeing(expected, answers, np.round(20 * game.information), game.bound, known)
    assert np.allclose(information.sum(axis=1), 1)
    gains = expected @ information.T - costs
    assert (np.take_along_axis(gains, answers[:, None], axis=1)[:, 0] >= gains.max(axis=1) - 1e-6 * game.bound).all()
    if told:
        assert np.abs(information - known).max() < 1e-6


def test_answers_that_contradict_each_other_are_refused():
    """Two rules are answered with one effort, and what lies between them with another."""
    game = sw.families.make("three_efforts")
    generous, plain = (sw.rules.sample(game.beliefs, game.bound, rng=number).expected for number in (1, 2))
    middle = (generous + plain) / 2
    with pytest.raises(ContradictionError):
        agreeing(
            np.array([generous, plain, middle]), np.array([0, 0, 1]), np.zeros((3, 5)), game.bound, game.information
        )


@pytest.mark.parametrize("seed", range(4))
def test_ties_are_kept(seed):
    """However far the reports pull mean beliefs apart, either way, and whatever was answered."""
    game = sw.families.random(rng=seed)
    rules = [sw.rules.sample(game.beliefs, game.bound, rng=[seed, number]) for number in range(10)]
    expected, answers = np.array([rule.expected for rule in rules]), np.array([game.respond(rule) for rule in rules])
    order, counts = np.argsort(game.beliefs[:, 0]), np.zeros(game.information.shape)
    counts[:, order[:2]], counts[0, order[-2:]], counts[0, order[:2]] = 50, 50, 0
    for heard in (slice(0), slice(None)):
        tied = ties(counts, game.beliefs)
        found = agreeing(expected[heard], answers[heard], counts, game.bound, None, tied)
        point = np.concatenate([part.ravel() for part in found])
        assert np.abs(tied @ point).max() < 1 + 1e-6
