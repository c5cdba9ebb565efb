"""Agents: each errs, drifts or holds out as it says."""

from __future__ import annotations

import numpy as np
import pytest

import scorewright as sw
from scorewright.errors import InvalidInputError

GAME = sw.families.make("three_efforts")
RULE = sw.solve(GAME, margin=0.01).by_effort[1].rule


def shares(agent, expected, draws=4000):
    """How often each effort is chosen under one rule."""
    player = agent.start(GAME, np.random.default_rng(0))
    return np.bincount([player.choose(expected) for _ in range(draws)], minlength=3) / draws


def test_the_rational_agent_is_the_games():
    """It responds as `Game.respond` does, ties included."""
    player = sw.agents.Rational().start(GAME, np.random.default_rng(0))
    for found in sw.solve(GAME).by_effort:
        assert player.choose(found.rule.expected) == GAME.respond(found.rule)


def test_the_noisy_agent_errs_at_its_rate():
    """With probability `error` an effort drawn uniformly from all."""
    assert shares(sw.agents.Noisy(0.3), RULE.expected) == pytest.approx([0.1, 0.8, 0.1], abs=0.02)
    assert shares(sw.agents.Noisy(0.0), RULE.expected)[1] == 1


def test_the_quantal_agent_follows_the_logit():
    """Chances in proportion to exp(surplus / temperature)."""
    surplus = GAME.surplus(RULE)
    for temperature in (0.005, 0.02, 1.0):
        weights = np.exp((surplus - surplus.max()) / temperature)
        assert shares(sw.agents.Quantal(temperature), RULE.expected) == pytest.approx(
            weights / weights.sum(), abs=0.025
        )


def test_drifting_costs_walk_within_their_step():
    """By `rate` a round, up or down, reflected at zero; the game's own costs stay."""
    player = sw.agents.Drifting(0.01).start(GAME, np.random.default_rng(1))
    path = [player.costs]
    for _ in range(500):
        player.choose(RULE.expected)
        path.append(player.costs)
    steps = np.abs(np.diff(path, axis=0))
    assert steps.max() == pytest.approx(0.01)
    assert (np.isclose(steps, 0.01) | (np.array(path[:-1]) < 0.01)).all()
    assert np.min(path) >= 0
    assert np.ptp(path, axis=0).max() > 0.02
    assert GAME.costs.tolist() == [0, 0.05, 0.15]


def test_the_holdout_punishes_trimming():
    """A generous offer is taken; a trimmed one, that still suits it best, is answered with less effort."""
    player = sw.agents.Holdout(0.9).start(GAME, np.random.default_rng(0))
    generous = sw.solve(GAME, margin=0.03).by_effort[1].rule
    assert player.choose(generous.expected) == 1
    assert GAME.respond(RULE) == 1
    assert player.choose(RULE.expected) == 0
    assert sw.agents.Holdout(0.0).start(GAME, np.random.default_rng(0)).choose(RULE.expected) == 1


def test_scripts_end_in_words():
    """A script that is too short says so."""
    player = sw.agents.Scripted([2, 0]).start(GAME, np.random.default_rng(0))
    assert [player.choose(RULE.expected) for _ in range(2)] == [2, 0]
    with pytest.raises(InvalidInputError, match="come to its end"):
        player.choose(RULE.expected)


@pytest.mark.parametrize(
    "bad",
    [
        lambda: sw.agents.Noisy(1.5),
        lambda: sw.agents.Quantal(0),
        lambda: sw.agents.Drifting(-1),
        lambda: sw.agents.Holdout(2),
    ],
)
def test_bad_options(bad):
    """Refused in words."""
    with pytest.raises(InvalidInputError):
        bad()


def test_agents_by_name():
    """Names, options, and what is refused."""
    assert sw.agents.make("quantal", temperature=0.5) == sw.agents.Quantal(0.5)
    assert all(sw.agents.make(name).start for name in sw.agents.names())
    for name, options in (("angry", {}), ("noisy", {"eror": 1}), ("noisy", {"error": 2})):
        with pytest.raises(sw.errors.ScorewrightError):
            sw.agents.make(name, **options)
