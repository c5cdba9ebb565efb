"""Replay: real items, drawn with their outcomes; the effort that really pays."""

from __future__ import annotations

import numpy as np
import pytest

import scorewright as sw
from scorewright.errors import ForecastWarning, MismatchError
from tabling import distorted, frame, posteriors

TRUE, TRUTH = posteriors((0.55, 0.85), 500)
NOISE = np.random.default_rng(1).dirichlet([1, 1], size=TRUE.shape[:2])
HONEST = frame(0.99 * TRUE + 0.01 * NOISE, TRUTH)
LOUD = frame(0.99 * distorted(TRUE, 4) + 0.01 * NOISE, TRUTH)
OPTIONS = {"costs": [0, 0.05], "utility": np.eye(2), "bound": 1}
GAME = sw.forecasts.game(HONEST, **OPTIONS)


def play(table, game=GAME, rounds=4000, rule=None):
    """Simulate a fixed rule against the items."""
    rule = rule or sw.solve(game, margin=0.01).rule
    learner = sw.learn.FixedRule(game.setting, rule=rule)
    return sw.simulate(game, learner, rounds, rng=0, agent=sw.agents.Replay(table))


def test_calibrated_items_play_the_game():
    """Payments, utilities and the effort are what the game promises."""
    run, solution = play(HONEST), sw.solve(GAME, margin=0.01)
    assert set(run.effort) == {solution.effort}
    assert run.paid / run.rounds == pytest.approx(solution.payment, abs=0.02)
    assert run.earned / run.rounds == pytest.approx(GAME.worth[solution.effort], abs=0.03)


def test_report_and_state_come_together():
    """What is booked is some item's outcome under the row that its forecast picks; in the long run, all of them."""
    run = play(LOUD, rounds=3000)
    table, rule = sw.forecasts.read(LOUD), sw.solve(GAME, margin=0.01).rule
    tier = int(run.effort[0])
    rows = rule.rows(table.forecasts[tier])
    expected = np.zeros((len(rule.beliefs), 2))
    np.add.at(expected, (rows, table.outcome), 1 / len(rows))
    seen = np.zeros_like(expected)
    np.add.at(seen, (run.report, run.state), 1 / run.rounds)
    np.testing.assert_allclose(seen, expected, atol=0.03)
    assert (run.payment == rule.payments[run.report, run.state]).all()


def test_it_goes_by_what_it_really_earns():
    """Forecasts that say too much earn less than they seem to: what would buy the effort by its word does not."""
    true, truth = posteriors((0.55, 0.6), 500)
    boasting = frame(0.99 * distorted(true, 8) + 0.01 * NOISE, truth)
    with pytest.warns(ForecastWarning):
        naive = sw.forecasts.game(boasting, **OPTIONS | {"costs": [0, 0.09]}, calibration=None)
    rule = next(found for found in sw.solve(naive).by_effort[1:] if found is not None).rule
    assert naive.respond(rule) == 1
    assert set(play(boasting, naive, 50, rule).effort) == {0}


def test_learners_learn_from_it():
    """A learner plays it as any agent; seeds repeat."""
    runs = []
    for _ in range(2):
        learner = sw.learn.make("oracle-bandit", GAME.setting, oracle=sw.oracles.best_margin(GAME), rng=0)
        runs.append(sw.simulate(GAME, learner, 300, rng=3, agent=sw.agents.make("replay", table=HONEST)))
    assert (runs[0].report == runs[1].report).all()
    assert set(runs[0].effort) == {0, 1}


def test_in_gymnasium():
    """The environment takes it too."""
    from scorewright.simulate.environment import Acquire

    environment = Acquire(GAME, rounds=20, agent=sw.agents.Replay(HONEST))
    environment.reset(seed=0)
    for _ in range(20):
        _, _, _, over, facts = environment.step(environment.action_space.sample())
    assert over
    assert facts["state"] in (0, 1)


def test_another_game_is_refused():
    """Efforts and states are matched by label."""
    for game in (sw.families.three_efforts(), sw.families.hard_instance()):
        with pytest.raises(MismatchError, match="replay this table"):
            play(HONEST, game)
    heart = sw.forecasts.example("heart_tests")
    assert sw.agents.Replay().table == heart
