"""The loop and its record."""

from __future__ import annotations

import numpy as np
import pytest

import scorewright as sw
from scorewright.errors import ScorewrightError
from scorewright.simulate.loop import log_spaced

GAME = sw.families.make("three_efforts")
ORACLE = sw.oracles.best_margin(GAME)


def test_the_clairvoyant_has_no_regret():
    """Expected regret is zero to rounding; the realised one has mean zero."""
    run = sw.simulate(GAME, sw.learn.Clairvoyant(GAME.setting, GAME), 5000, rng=0)
    assert np.abs(run.regret).max() < 1e-9
    assert abs(run.realised_regret[-1]) < 5 * 0.6 * np.sqrt(5000)
    assert run.obeyed == 1
    assert run.phases == {"exploit": 5000}


def test_regret_payments_and_utility_add_up():
    """Every column is what the round's rule, effort, report and state make it."""
    learner = sw.learn.OsrlUcb(GAME.setting, ORACLE, radius=sw.learn.Radius(0.03))
    run = sw.simulate(GAME, learner, 400, rng=1)
    best = sw.solve(GAME).profit
    total = 0.0
    for t in range(400):
        rule = sw.Rule(learner.history.payments[t], GAME.beliefs)
        effort, report, state = run.effort[t], run.report[t], run.state[t]
        assert GAME.information[effort, report] > 0
        assert run.payment[t] == rule.payments[report, state]
        assert run.utility[t] == GAME.utility[GAME.setting.decision[report], state]
        total += best - GAME.information[effort] @ (GAME.value - rule.expected)
        assert run.regret[t] == pytest.approx(total)
    assert run.realised_regret[-1] == pytest.approx(400 * best - run.utility.sum() + run.payment.sum())
    assert run.paid == pytest.approx(run.payment.sum())
    assert run.obeyed == np.mean(run.effort == run.target)
    assert sum(run.phases.values()) == 400


def test_reports_and_states_have_the_games_frequencies():
    """Reports come from the effort's information, states from the reported belief."""
    run = sw.simulate(GAME, sw.learn.FixedRule(GAME.setting, ORACLE[2]), 20_000, rng=3)
    assert np.bincount(run.report, minlength=5) / 20_000 == pytest.approx(GAME.information[2], abs=0.015)
    down = run.state[run.report == 3] == 0
    assert down.mean() == pytest.approx(0.85, abs=0.015)


def test_thin_records_are_short_and_agree():
    """Log-spaced rounds, the last among them, with the same figures."""
    whole, thin = (
        sw.simulate(GAME, sw.learn.FixedRule(GAME.setting, ORACLE[1]), 3000, rng=4, record=record)
        for record in ("all", "thin")
    )
    assert len(thin.round) < 500
    assert thin.round[-1] == 3000
    assert np.array_equal(thin.regret, whole.regret[thin.round - 1])
    assert thin.paid == whole.paid
    assert len(log_spaced(10**7)) < 1000


def test_frames():
    """One row per recorded round."""
    run = sw.simulate(GAME, sw.learn.FixedRule(GAME.setting, ORACLE[1]), 50, rng=5)
    frame = run.to_frame()
    assert len(frame) == 50
    assert {"effort", "target", "phase", "report", "state", "payment", "utility", "regret"} <= set(frame.columns)


@pytest.mark.parametrize(
    "arguments",
    [
        {"rounds": 0},
        {"rounds": 1.5},
        {"rounds": 5, "record": "some"},
        {"rounds": 5, "rng": "x"},
    ],
)
def test_bad_arguments(arguments):
    """Refused in words."""
    with pytest.raises(ScorewrightError):
        sw.simulate(GAME, sw.learn.FixedRule(GAME.setting, ORACLE[1]), **arguments)
    with pytest.raises(ScorewrightError, match="must be a Learner"):
        sw.simulate(GAME, "osrl-ucb", 5)
