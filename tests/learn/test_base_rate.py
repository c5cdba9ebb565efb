"""Base rate: what reports and answers say of whether effort moves the state."""

from __future__ import annotations

import numpy as np
import pytest

import scorewright as sw
from scorewright.learn.base_rate import ODDS, SUREST, chance_of_one, deal, foreseen_by, ties, within

STILL = [sw.families.random(rng=seed, states=states) for seed, states in ((1, 2), (2, 3), (3, 4))]
MOVED = [sw.families.random(rng=seed, efforts=4, observations=8, support="shared") for seed in range(1, 4)]


def reports(game: sw.Game, each: int, seed: int = 0) -> np.ndarray:
    """So many reports of every effort."""
    rng = np.random.default_rng(seed)
    return np.array([rng.multinomial(each, row / row.sum()) for row in game.information]).astype(float)


def test_without_reports_the_odds_are_what_they_are_beforehand():
    """And one report of one effort tells nothing; answers may speak against it, not for it."""
    game, before = STILL[0], ODDS / (1 + ODDS)
    assert np.isclose(chance_of_one(np.zeros(game.information.shape), game.beliefs), before)
    one = np.zeros(game.information.shape)
    one[1, 2] = 1
    assert np.isclose(chance_of_one(one, game.beliefs), before)
    assert np.isclose(chance_of_one(one, game.beliefs, -np.log(ODDS)), 0.5)
    assert np.isclose(chance_of_one(one, game.beliefs, 7.0), before)


@pytest.mark.parametrize("game", STILL)
def test_many_reports_with_one_mean_belief_say_that_effort_does_not_move_the_state(game):
    """For most draws; the evidence grows with their number, up to a limit."""
    few, many = ([chance_of_one(reports(game, each, seed), game.beliefs) for seed in range(40)] for each in (10, 1000))
    assert np.median(few) > 0.7
    assert np.median(many) == SUREST
    assert max(many) <= SUREST
    assert np.mean(many) > np.mean(few)


@pytest.mark.parametrize("game", MOVED)
def test_many_reports_with_different_mean_beliefs_say_that_it_does(game):
    """Here the mean beliefs are 0.15 and more apart."""
    assert np.ptp(game.information @ game.beliefs, axis=0).max() > 0.15
    assert max(chance_of_one(reports(game, 1000, seed), game.beliefs) for seed in range(20)) < 0.01


def test_a_few_equal_reports_are_no_proof():
    """An effort with two beliefs reports one of them four times in a row, one time in eight."""
    beliefs = np.array([[0.5, 0.5], [0.1, 0.9], [0.9, 0.1], [0.3, 0.7], [0.7, 0.3]])
    counts = np.array([[1000.0, 0, 0, 0, 0], [0, 4, 0, 0, 0]])
    assert 0.25 < chance_of_one(counts, beliefs) < 0.8


def test_very_many_equal_reports_are_no_trouble():
    """Two efforts that always report the same."""
    beliefs = np.array([[0.5, 0.5], [0.2, 0.8], [0.8, 0.2], [0.1, 0.9]])
    assert chance_of_one(np.array([[1e12, 0, 0, 0], [1e12, 0, 0, 0]]), beliefs) == SUREST
    assert chance_of_one(np.array([[1e12, 0, 0, 0], [0, 1e12, 0, 0]]), beliefs) < 0.01


def test_where_one_mean_belief_would_make_all_efforts_the_same_there_is_none():
    """Contracts: a belief for every state."""
    game = sw.families.random_contract(rng=1)
    assert chance_of_one(reports(game, 3), game.beliefs) == 0
    assert chance_of_one(reports(game, 3), np.ones((4, 1))) == 0  # one state: nothing to move


def test_ties_measure_how_far_mean_beliefs_are_apart():
    """From their mean, by how firmly each is tied: the more reports, the firmer."""
    game = MOVED[0]
    counts = reports(game, 30)
    counts[0] *= 100
    point = np.concatenate([game.information.ravel(), game.costs])
    each, means = within(counts, game.beliefs), game.information @ game.beliefs
    assert np.isclose(each[1] / each[0], np.sqrt(3001 / 31))
    middle = (each**-2) @ means / (each**-2).sum()
    assert np.allclose(ties(counts, game.beliefs) @ point, ((means - middle) / each[:, None]).ravel())
    still = STILL[1]
    point = np.concatenate([still.information.ravel(), still.costs])
    assert np.abs(ties(reports(still, 30), still.beliefs) @ point).max() < 1e-9


def test_worlds_are_dealt_in_proportion():
    """None, a third, nine in ten at most, spread over every part of them."""
    assert deal(1.0, 96).sum() == 86
    assert min(part.sum() for part in np.split(deal(1.0, 96), 6)) < 16
    assert not deal(0.0, 96).any()
    third = deal(1 / 3, 96)
    assert third.sum() == 32
    assert {part.sum() for part in np.split(third, 6)} <= {4, 5, 6, 7}


def test_the_kind_that_foresaw_an_answer_gains():
    """By the ratio of the shares that did; where there is only one kind, nothing is learned."""
    tied = np.arange(96) < 48
    both = foreseen_by(tied, np.where(tied, np.arange(96) % 2 == 0, np.arange(96) % 4 == 0))
    assert np.isclose(both, np.log(2), atol=0.03)
    assert np.isclose(foreseen_by(~tied, np.where(tied, np.arange(96) % 2 == 0, np.arange(96) % 4 == 0)), -both)
    assert foreseen_by(tied, np.ones(96, dtype=bool)) == 0
    assert foreseen_by(tied, np.zeros(96, dtype=bool)) == 0
    assert np.isclose(foreseen_by(np.zeros(96, dtype=bool), tied), 0)
    alone = np.arange(96) == 0
    assert -1 < foreseen_by(alone, ~alone) < 0  # one world is no proof
    surprised = np.arange(96) >= 85  # an answer that next to nobody foresaw, either way
    assert -2 < foreseen_by(~surprised, np.arange(96) == 95) < -1
