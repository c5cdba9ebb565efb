"""The loop and its record."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import scorewright as sw
from playing import random_game
from scorewright.agents.rational import Response
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
    learner, again = (sw.learn.OsrlUcb(GAME.setting, ORACLE, radius=sw.learn.Radius(0.03)) for _ in range(2))
    run = sw.simulate(GAME, learner, 400, rng=1)
    best = sw.solve(GAME).profit
    total = 0.0
    for t in range(400):
        offer = again.ask()
        rule = offer.rule
        effort, report, state = run.effort[t], run.report[t], run.state[t]
        assert effort == GAME.respond(rule)
        assert (offer.phase, offer.target) == (run.phase[t], run.target[t])
        again.tell(offer, int(effort), int(report))
        assert GAME.information[effort, report] > 0
        assert run.payment[t] == rule.payments[report, state]
        assert run.utility[t] == GAME.utility[GAME.setting.decision[report], state]
        total += best - GAME.information[effort] @ (GAME.value - rule.expected)
        assert run.regret[t] == pytest.approx(total)
    assert run.realised_regret[-1] == pytest.approx(400 * best - run.utility.sum() + run.payment.sum())
    assert run.paid == pytest.approx(run.payment.sum())
    assert run.obeyed == np.mean(run.effort == run.target)
    assert sum(run.phases.values()) == 400


class Asked(sw.agents.Rational):
    """The rational agent, who wants to be asked every time."""

    def start(self, game, rng):
        """A player that the kernel does not know."""

        class Player(Response):
            pass

        return Player(game, rng)


def same_run(one, two) -> bool:
    """Whether two runs are the same to the last bit."""
    fields = [field.name for field in dataclasses.fields(one) if field.name != "game"]
    return all(np.array_equal(getattr(one, name), getattr(two, name)) for name in fields)


@pytest.mark.parametrize("seed", range(200))
def test_compiled_and_asked_runs_are_identical(seed):
    """Many rounds in one call, or every round asked and told: the same run, and the same learner after it."""
    game = random_game(seed, most=10)
    oracle = sw.oracles.best_margin(game)
    scale = (1.0, 0.1, 0.03, 0.005, 0.001)[seed % 5]
    made = [sw.learn.OsrlUcb(game.setting, oracle, radius=sw.learn.Radius(scale)) for _ in range(2)]
    runs = [
        sw.simulate(game, learner, 150, rng=seed, agent=agent)
        for learner, agent in zip(made, (None, Asked()), strict=True)
    ]
    assert same_run(*runs)
    assert made[0].state() == made[1].state()


@pytest.mark.parametrize("name", sw.learn.names())
def test_every_learner_runs_the_same_compiled_or_asked(name):
    """The baselines too, with other rounds before and after."""
    options = {"oracle": ORACLE, "game": GAME, "rule": ORACLE[1], "rng": 5}
    made = [
        sw.learn.make(name, GAME.setting, **{k: v for k, v in options.items() if k in sw.learn.needs(name)})
        for _ in range(2)
    ]
    for rounds, seed in ((1, 0), (500, 1), (40, 2)):
        runs = [
            sw.simulate(GAME, learner, rounds, rng=seed, agent=agent)
            for learner, agent in zip(made, (None, Asked()), strict=True)
        ]
        assert same_run(*runs)
    assert made[0].state() == made[1].state()


def test_acquired_oracles_and_open_offers_go_over_to_the_compiled_loop():
    """What has to be asked is asked, the rest is compiled."""
    for procedure in (sw.oracles.LinearSearch(rounds=20), sw.oracles.RandomSampling(rounds=60)):
        made = [sw.learn.OsrlUcb(GAME.setting, procedure, rng=3) for _ in range(2)]
        made[0].ask()
        runs = [
            sw.simulate(GAME, learner, 300, rng=7, agent=agent)
            for learner, agent in zip(made, (None, Asked()), strict=True)
        ]
        assert same_run(*runs)
        assert made[0].state() == made[1].state()


def test_efforts_are_discovered_in_a_run():
    """The learner does not know how many there are; the agent shows it."""
    bare = sw.Game(GAME.beliefs, GAME.information, GAME.costs, GAME.utility, 1.0)
    made = [sw.learn.OsrlUcb(bare.setting, {1: ORACLE[2]}) for _ in range(2)]
    runs = [
        sw.simulate(bare, learner, 300, rng=7, agent=agent)
        for learner, agent in zip(made, (None, Asked()), strict=True)
    ]
    assert same_run(*runs)
    assert made[0].efforts == 3


def test_strategies_that_raise_stop_the_run_in_words():
    """What a strategy of one's own raises comes out of the compiled loop as it went in."""

    class Broken(sw.learn.Radius):
        def __call__(self, counts, efforts, beliefs, time):
            if time > 50:
                raise ZeroDivisionError("broken on purpose")
            return super().__call__(counts, efforts, beliefs, time)

    learner = sw.learn.OsrlUcb(GAME.setting, ORACLE, radius=Broken(0.03))
    with pytest.raises(ZeroDivisionError, match="on purpose"):
        sw.simulate(GAME, learner, 500, rng=0)
    with pytest.raises(ZeroDivisionError, match="on purpose"):
        learner.ask()


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


def test_exponents():
    """Known powers come back; a run that is too short, or without regret, has none."""
    run = sw.simulate(GAME, sw.learn.FixedRule(GAME.setting, ORACLE[1]), 5000, rng=4)
    rounds, slopes = run.exponents()
    assert slopes == pytest.approx(np.ones(len(slopes)), abs=1e-6)
    assert rounds[0] >= np.sqrt(10)
    assert rounds[-1] <= 5000 / np.sqrt(10) * 1.001
    bent = dataclasses.replace(run, regret=run.round ** (2 / 3))
    assert bent.exponents(4.0)[1] == pytest.approx(2 / 3, abs=1e-3)
    assert len(sw.simulate(GAME, sw.learn.FixedRule(GAME.setting, ORACLE[1]), 3, rng=4).exponents()[0]) == 0
    assert len(dataclasses.replace(run, regret=np.zeros(5000)).exponents()[0]) == 0
    with pytest.raises(ScorewrightError, match="factor"):
        run.exponents(1.0)


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
