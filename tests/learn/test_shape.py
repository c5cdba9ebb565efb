"""Shape: the centre of the games that agree with all answers, and steps that stay among them."""

from __future__ import annotations

import numpy as np
import pytest

import scorewright as sw
from corner import pinned, unlikely
from playing import random_game
from scorewright.learn.base_rate import ties
from scorewright.learn.shape import Shape, likeliest, shape


def of(game: sw.Game, rules: int, reports: int, seed: int) -> tuple[Shape, np.ndarray, np.ndarray, np.ndarray]:
    """The shape from the true game on, with the answers and reports that it rests on."""
    offered = [sw.rules.sample(game.beliefs, game.bound, rng=[seed, number]) for number in range(rules)]
    expected = np.array([rule.expected for rule in offered]).reshape(rules, len(game.beliefs))
    answers = np.array([game.respond(rule) for rule in offered], dtype=np.intp)
    chances = game.information / game.information.sum(axis=1, keepdims=True)
    counts = np.random.default_rng(seed).multinomial(reports, chances).astype(float)
    start = np.maximum(chances, 1e-6)
    found = shape(expected, answers, counts, start / start.sum(axis=1, keepdims=True), game.costs, 2 * game.bound)
    return found, expected, answers, counts


@pytest.mark.parametrize("seed", range(10))
def test_the_centre_agrees_with_every_answer(seed):
    """And its rows are distributions; steps and additions keep their sums, and the first cost."""
    game = random_game(seed, most=8)
    found, expected, answers, counts = of(game, 12, 40, seed)
    gains = expected @ found.information.T - found.costs
    assert (gains[np.arange(12), answers] >= gains.max(axis=1) - 1e-5 * game.bound).all()
    assert np.allclose(found.information.sum(axis=1), 1)
    efforts, beliefs = counts.shape
    for ways in (found.steps, found.unseen):
        moved = ways[:, : efforts * beliefs].reshape(-1, efforts, beliefs)
        assert np.allclose(moved.sum(axis=2), 0, atol=1e-6)
        assert not ways[:, efforts * beliefs].any()
    assert not found.steps[:, : efforts * beliefs][:, counts.ravel() == 0].any()
    assert len(found.unseen) == int((counts[counts.any(axis=1)] == 0).sum())


def test_without_answers_the_centre_is_the_likeliest_and_steps_are_standard_errors():
    """The shares of the reports; a step is then as long as they are uncertain."""
    game = sw.families.make("three_efforts")
    found, _, _, counts = of(game, 0, 400, 1)
    assert np.allclose(found.information[counts > 0], (counts / 400)[counts > 0], atol=1e-4)
    spread = np.sqrt((found.steps**2).sum(axis=0))[:15].reshape(3, 5)
    share = counts / 400
    assert np.allclose(spread, np.sqrt(share * (1 - share) / 400), rtol=0.02, atol=1e-12)


def test_steps_reach_as_far_as_there_is_room():
    """Between two answers a millionth apart the gap in gains hardly changes, while information and costs move a lot."""
    information, rule = np.array([[0.98, 0.01, 0.01], [0.01, 0.4, 0.59]]), np.array([0.0, 0.9, 0.2])
    costs = np.array([0.0, 0.5 * (information[1] - information[0]) @ rule])
    expected, answers = np.array([(0.5 - 5e-7) * rule, (0.5 + 5e-7) * rule]), np.array([0, 1], dtype=np.intp)
    found = shape(expected, answers, 20 * information, information, costs, 1.0)
    gap = np.concatenate([-rule / 2, rule / 2, [1.0, -1.0]])
    assert np.sqrt(((found.steps @ gap) ** 2).sum()) < 1e-6
    assert np.sqrt((found.steps[:, 7] ** 2).sum()) > 0.01


def test_answers_that_say_the_same_count_once():
    """Two hundred answers on one side of a gap do not push the centre to its other end: it is where one leaves it."""
    information, rule = np.array([[0.9, 0.05, 0.05], [0.1, 0.3, 0.6]]), np.array([0.0, 0.9, 0.2])
    gap = float((information[1] - information[0]) @ rule)
    costs, counts = np.array([0.0, 0.5 * gap]), 20 * information
    low, high = 0.3 * rule, 0.7 * rule

    def centre(copies: int) -> float:
        expected = np.array([low - 1e-4 * at * rule / copies for at in range(copies)] + [high])
        answers = np.array([0] * copies + [1], dtype=np.intp)
        return float(shape(expected, answers, counts, information, costs, 1.0).costs[1])

    assert abs(centre(200) - centre(1)) < 0.15 * gap  # of the 0.4 that there are; unweighted it would be 0.2


def test_the_likeliest_game_is_found_though_the_beliefs_seen_leave_no_room():
    """Beliefs not seen yet give way too; with those alone that were seen there is no way from the far game."""
    expected, answers, counts, truth, far = pinned()
    costs = np.array([0.0, 0.1])
    gains = expected @ far.T - costs
    assert (gains.argmax(axis=1) == answers).all()
    assert unlikely(counts, truth) == 0
    assert unlikely(counts, far) > 100
    assert unlikely(counts, shape(expected, answers, counts, far, costs, 1.0).information) > 100
    information, found = likeliest(expected, answers, counts, far, costs, 1.0)
    assert unlikely(counts, information) < 5
    gains = expected @ information.T - found
    assert (gains[np.arange(12), answers] >= gains.max(axis=1) - 1e-9).all()
    assert np.allclose(information.sum(axis=1), 1)


def test_what_is_tied_to_zero_is_near_it_and_moves_no_further_than_it_may():
    """Reports that pull mean beliefs apart: untied they are, tied they are not; a step changes ties by one at most."""
    game = sw.families.random(rng=4)
    counts = np.zeros(game.information.shape)
    for effort, row in enumerate(game.information):
        counts[effort, row > 0] = np.random.default_rng(effort).permutation([30.0, 8, 2])
    start = np.where(game.information > 0, game.information, 1e-6)
    start /= start.sum(axis=1, keepdims=True)
    tied = ties(counts, game.beliefs)
    rules, answers = np.zeros((0, start.shape[1])), np.zeros(0, dtype=np.intp)
    loose, firm = (shape(rules, answers, counts, start, game.costs, 2.0, one) for one in (None, tied))
    off = [np.abs(tied @ np.concatenate([found.information.ravel(), found.costs])).max() for found in (loose, firm)]
    assert off[0] > 10
    assert off[1] < 3
    assert np.sqrt(((tied @ firm.steps.T) ** 2).sum(axis=1)).max() < 1 + 1e-6
    assert np.sqrt(((tied @ loose.steps.T) ** 2).sum(axis=1)).max() > 3
