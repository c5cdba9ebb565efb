"""D(i, j), the least payment gap over all past rules, against a scan of the whole history."""

from __future__ import annotations

import numpy as np
import pytest

import scorewright as sw
from playing import play, random_game


def scanned(history, efforts: int, beliefs: int) -> np.ndarray:
    """Every past rule at the shares of the end."""
    counts = np.zeros((efforts, beliefs))
    for _, effort, report in history:
        counts[effort, report] += 1
    shares = counts / np.maximum(counts.sum(axis=1), 1)[:, None]
    least = np.full((efforts, efforts), np.inf)
    for offer, effort, _ in history:
        paid = shares @ offer.rule.expected
        least[effort] = np.minimum(least[effort], paid[effort] - paid)
    return least


def agree(learner, history, game) -> None:
    """The kernel's D is that of the scan, to rounding."""
    efforts, beliefs = game.information.shape
    ours = learner.memory.estimates(len(history) + 1)[4]
    assert np.allclose(ours, scanned(history, efforts, beliefs), rtol=0, atol=1e-12 * max(1.0, game.bound))


@pytest.mark.parametrize("scale", [1.0, 0.1, 0.03, 0.005])
@pytest.mark.parametrize("agent", [None, sw.agents.Noisy(0.2), sw.agents.Quantal(0.05)], ids=str)
def test_nothing_that_matters_is_forgotten(scale, agent):
    """Over thousands of rounds, most of whose rules were forgotten, and with agents that contradict themselves."""
    game = sw.families.make("three_efforts")
    learner = sw.learn.OsrlUcb(game.setting, sw.oracles.best_margin(game), radius=sw.learn.Radius(scale))
    history = []
    for part in range(5):
        history += play(game, learner, 1000, part, agent)
        agree(learner, history, game)
    if agent is None and scale < 0.05:
        assert learner.memory.tally("spans") < 1000


@pytest.mark.parametrize("number", range(12))
def test_on_random_games(number):
    """Also with more efforts, in mid-search, and at other bounds."""
    game = random_game(number)
    scale = (0.1, 0.01, 0.001)[number % 3]
    learner = sw.learn.OsrlUcb(game.setting, sw.oracles.best_margin(game), radius=sw.learn.Radius(scale))
    history = []
    for part in (300, 1, 1, 500, 1):
        history += play(game, learner, part, len(history))
        agree(learner, history, game)


def test_rules_on_no_line():
    """Those of procedures and baselines, each once and often."""
    game = sw.families.make("three_efforts")
    for learner in (
        sw.learn.OsrlUcb(game.setting, sw.oracles.RandomSampling(rounds=200), rng=0),
        sw.learn.ScaledQuadratic(game.setting, scales=40),
    ):
        history = play(game, learner, 700, 0)
        agree(learner, history, game)
        assert learner.memory.tally("spans") < 600


def test_memory_does_not_grow_with_time():
    """Ten times the rounds, hardly more memory."""
    game = sw.families.make("three_efforts")
    for scale in (1.0, 0.1, 0.03):
        sizes = []
        for rounds in (50_000, 500_000):
            learner = sw.learn.OsrlUcb(game.setting, sw.oracles.best_margin(game), radius=sw.learn.Radius(scale))
            sw.simulate(game, learner, rounds, rng=0, record="thin")
            sizes.append(learner.memory.tally("bytes"))
        assert sizes[1] < 3 * max(sizes[0], 200_000)
