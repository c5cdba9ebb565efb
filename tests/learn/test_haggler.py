"""Haggler: what it learns, what it says, and when it is sure."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

import scorewright as sw
from playing import play, random_game
from scorewright.errors import ScorewrightError
from scorewright.learn import bargaining
from scorewright.learn.certainty import divergences, highest_mean, highest_profit, lowest_mean
from scorewright.learn.opening import next_opening, shapes
from scorewright.learn.prospects import Incumbent

GAME = sw.families.make("three_efforts")
ORACLE = sw.oracles.best_margin(GAME)


def test_it_is_affordable():
    """Within 700 rounds half of the runs lose below one per cent of what is at stake; OSRL-UCB pays far more."""
    lost = []
    for seed in range(5):
        game = sw.families.random(rng=[5, seed])
        run = sw.simulate(game, sw.learn.Haggler(game.setting, rng=seed), 700, rng=seed)
        printed = sw.simulate(game, sw.learn.OsrlUcb(game.setting, sw.oracles.best_margin(game)), 700, rng=seed)
        assert run.regret[-1] < printed.regret[-1] / 3
        lost.append((run.regret[-1] - run.regret[-201]) / 200 / float(np.ptp(game.worth)))
    assert np.median(lost) < 0.01


def test_a_horizon_ends_the_probing():
    """Nothing is probed that can't pay for itself in the rounds left: the last rounds exploit."""
    run = sw.simulate(GAME, sw.learn.Haggler(GAME.setting, ORACLE, horizon=200, rng=0), 200, rng=0)
    assert (run.phase[-10:] == "exploit").all()
    with pytest.raises(ScorewrightError, match="horizon"):
        sw.learn.Haggler(GAME.setting, horizon=0)


def test_efforts_are_discovered():
    """Where the setting names none, labels are taken as they come, and all that matter are found."""
    setting = sw.game.Setting(sw.game.Terms(GAME.beliefs, GAME.bound), GAME.utility)
    learner = sw.learn.Haggler(setting, rng=3)
    rng = np.random.default_rng(0)
    for _ in range(120):
        offer = learner.ask()
        effort = GAME.respond(offer.rule)
        report = int(rng.choice(5, p=GAME.information[effort]))
        learner.tell(offer, GAME.efforts[effort], report)
    best = GAME.efforts[sw.solve(GAME).effort]
    assert best in learner.state()["discovered"]
    assert learner.recommend().effort == learner.state()["discovered"][best]


def test_every_offer_says_why():
    """In words and numbers: what a probe may gain and risks."""
    whys = {offer.phase: offer.why for offer, _, _ in play(GAME, sw.learn.Haggler(GAME.setting, rng=1), 150, seed=1)}
    assert {"explore", "probe", "exploit"} <= set(whys)
    assert "fail" in whys["probe"]
    assert any(character.isdigit() for character in whys["exploit"])


def test_the_recommendation_has_its_evidence():
    """A rule that works, with an interval that holds it, and what it rests on in words."""
    learner = sw.learn.Haggler(GAME.setting, rng=1)
    sw.simulate(GAME, learner, 500, rng=2)
    found = learner.recommend()
    assert GAME.respond(found.rule) == found.effort
    assert found.low <= GAME.profit(found.rule) <= found.high
    assert "always answered" in found.evidence
    assert "probes" in found.evidence


def test_an_erring_agent_is_noticed_and_paid_a_margin():
    """A rational agent is never taken for one that errs; a logit one is, and gets a rule that loses little."""
    assert not any(_played(random_game(seed, most=9), None, 300, seed).errs for seed in range(4))
    agent = sw.agents.Quantal(0.02)
    learner = _played(GAME, agent, 1000, 0)
    assert learner.errs
    assert "errs" in learner.ask().why
    found = learner.recommend()
    gains = (GAME.paid(found.rule.expected) - GAME.costs) / 0.02
    chances = np.exp(gains - gains.max())
    profit = float(chances @ (GAME.worth - GAME.paid(found.rule.expected)) / chances.sum())
    assert found.low <= profit <= found.high
    assert sw.solve(GAME).profit - profit < 0.03
    again = sw.learn.Haggler.restore(GAME.setting, json.loads(json.dumps(learner.state())))
    assert again.ask().rule == learner.ask().rule


def _played(game, agent, rounds, seed):
    learner = sw.learn.Haggler(game.setting, rng=seed)
    sw.simulate(game, learner, rounds, rng=seed, agent=agent)
    return learner


def test_it_is_sure_when_there_is_nothing_left_to_know():
    """With exact knowledge the limit is the optimum; with little it is far above; an agent that errs is never sure."""
    counts = np.rint(1e9 * GAME.information)
    rules = [solution.rule for solution in sw.solve(GAME).by_effort]
    answers = np.array([GAME.respond(rule) for rule in rules])
    expected = np.array([rule.expected for rule in rules])
    best = sw.solve(GAME).profit
    exact = highest_profit(GAME.setting, counts, expected, answers, 0.05)
    assert best <= exact
    assert highest_profit(GAME.setting, np.rint(50 * GAME.information), expected, answers, 0.05) > best + 0.1
    learner = sw.learn.Haggler(GAME.setting, rng=0)
    assert not learner.sure(0.1)
    sw.simulate(GAME, learner, 2000, rng=0)
    assert not learner.sure(0.01)
    with pytest.raises(ScorewrightError, match="gap"):
        learner.sure(-1)


def test_sure_comes_true_and_is_wrong_no_more_often_than_promised():
    """Polled at every round of many runs, asked for no more than nine in ten."""
    yes = wrong = 0
    for seed in range(12):
        game = sw.families.random(rng=[6, seed], efforts=2, states=2, observations=2)
        learner = sw.learn.Haggler(game.setting, rng=seed)
        for number in range(80):
            play(game, learner, 1, seed=[seed, number])
            if learner.sure(0.3, 0.9):
                yes += 1
                wrong += sw.solve(game).profit - game.profit(learner.recommend().rule) > 0.3
                break
    assert yes >= 6
    assert wrong <= 2


def test_means_within_a_divergence():
    """For two outcomes it is the limit on a chance; the divergence is right at all times in most runs."""
    shares, values = np.array([0.7, 0.3, 0.0]), np.array([1.0, 0.0, 0.0])
    for divergence in (1e-4, 0.01, 0.3):
        high, low = highest_mean(shares, values, divergence), lowest_mean(shares, values, divergence)
        for chance in (high, low):
            apart = 0.7 * np.log(0.7 / chance) + 0.3 * np.log(0.3 / (1 - chance))
            assert apart == pytest.approx(divergence, rel=1e-3)
        assert low < 0.7 < high
    assert highest_mean(shares, np.array([0.0, 0.0, 1.0]), 0.5) == pytest.approx(1 - np.exp(-0.5), rel=1e-3)
    rng, truth = np.random.default_rng(0), np.array([0.6, 0.3, 0.1])
    broken = 0
    for _ in range(100):
        counts = np.cumsum(np.eye(3)[rng.choice(3, size=200, p=truth)], axis=0)
        for row in counts[::7]:
            seen = row > 0
            apart = float(row[seen] / row.sum() @ np.log(row[seen] / row.sum() / truth[seen]))
            if apart > divergences(row[None, :], 0.2)[0]:
                broken += 1
                break
    assert broken <= 20


def test_the_opening_goes_up_and_then_between():
    """Nothing, small sizes, half sizes, then half-way between sizes answered differently; over when all were seen."""
    full = shapes(GAME.setting)
    assert all(sw.Rule(payments, GAME.beliefs).is_proper() for payments in full)
    assert all(sw.Rule(payments, GAME.beliefs).within(GAME.bound) for payments in full)
    tried: list[tuple[int, float, int]] = []
    while (found := next_opening(full, tried, None)) is not None:
        tried.append((*found, GAME.respond(sw.Rule(found[1] * full[found[0]], GAME.beliefs))))
    assert tried[0][1] == 0.0
    assert len(tried) == len({one[:2] for one in tried}) <= 12
    assert max(size for _, size, _ in tried) == 0.5
    assert next_opening(full, tried, len({answer for _, _, answer in tried})) is None


@pytest.mark.parametrize("enough", [0.1, 0.4, 0.7, 2.0])
def test_the_opening_plays_full_sizes_only_if_nothing_less_buys_anything(enough):
    """An effort that the first shape shows from some size on; sizes half-way between narrow that down to a quarter."""
    full = shapes(GAME.setting)
    tried: list[tuple[int, float, int]] = []
    while (found := next_opening(full, tried, None)) is not None:
        tried.append((*found, int(found[0] == 0 and found[1] >= enough)))
    played = {size for shape, size, _ in tried if shape == 0}
    assert (1.0 in played) == (enough > 0.5)
    if enough <= 1:
        below, above = max(size for size in played if size < enough), min(size for size in played if size >= enough)
        assert above - below <= 0.3


def test_a_game_without_money_and_a_game_without_choice():
    """A bound of zero: nothing to choose. A single effort: hardly a cent more for others that may exist."""
    poor = sw.Game(GAME.beliefs, GAME.information, GAME.costs, GAME.utility, 0.0)
    run = sw.simulate(poor, sw.learn.Haggler(poor.setting, rng=0), 60, rng=0)
    assert run.regret[-1] == pytest.approx(0.0, abs=1e-9)
    alone = sw.Game(GAME.beliefs, GAME.information[1:2], [0.1], GAME.utility, 1.0)
    runs = [sw.simulate(alone, sw.learn.Haggler(alone.setting, rng=seed), 400, rng=seed) for seed in range(5)]
    assert np.mean([run.regret[-1] - run.regret[-300] for run in runs]) < 0.05


def test_it_can_be_asked_what_it_knows_at_any_time():
    """After every answer, an effort just discovered included; when the agent is found to err; when nothing is paid."""
    bare = sw.Game(GAME.beliefs, GAME.information, GAME.costs, GAME.utility, 1.0)
    for game, agent in ((bare, None), (bare, sw.agents.Noisy(0.2)), (dataclasses.replace(bare, bound=0.0), None)):
        learner = sw.learn.Haggler(game.setting, rng=2)
        rng = np.random.default_rng(0)
        player = (agent or sw.agents.Rational()).start(game, rng)
        for _ in range(40):
            offer = learner.ask()
            effort = player.choose(offer.rule.expected)
            learner.tell(offer, effort, int(rng.choice(5, p=game.information[effort])))
            assert np.isfinite(learner.recommend().profit)
            learner.sure(0.5)
            json.dumps(learner.state(), allow_nan=False)


def test_a_large_game_resumed_at_any_time_goes_on_alike():
    """Though its worlds stay where they are in most rounds: those, and what they were asked, are kept."""
    game = sw.families.random(rng=[1, 2], states=3, efforts=5, observations=6)
    never, often = (sw.learn.Haggler(game.setting, rng=3) for _ in range(2))
    stayed, rng = 0, np.random.default_rng(0)
    for number in range(30):
        turn = never._ensemble._turn
        offer, again = never.ask(), often.ask()
        assert (offer.rule.payments == again.rule.payments).all()
        assert (offer.phase, offer.why) == (again.phase, again.why)
        stayed += offer.phase == "probe" and never._ensemble._turn == turn
        effort = game.respond(offer.rule)
        report = int(rng.choice(len(game.beliefs), p=game.information[effort]))
        never.tell(offer, effort, report)
        often.tell(again, effort, report)
        if number % 2:
            often = sw.learn.Haggler.restore(game.setting, json.loads(json.dumps(often.state())))
    assert stayed > 3


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ("answers", [-1]),
        ("chance", ["1"]),
        ("efforts", 10**6),
        ("information", []),
        ("turn", None),
        ("costs", "x"),
        ("sound", [True]),
        ("told", 10**6),
        ("reports", 5),
        ("reports", [[1.0, 2.0]]),
        ("reports", [float("nan")] * 3),
    ],
)
def test_damaged_worlds_are_refused(entry, value):
    """In words, and before the kernel sees them."""
    learner = sw.learn.Haggler(GAME.setting, ORACLE, rng=0)
    sw.simulate(GAME, learner, 20, rng=0)
    state = json.loads(json.dumps(learner.state()))
    state["learned"]["worlds"][entry] = value
    with pytest.raises(ScorewrightError):
        sw.learn.Haggler.restore(GAME.setting, state)


@pytest.mark.parametrize(
    ("entry", "value"),
    [("worlds", 96), ("worlds", -1), ("payment", float("nan")), ("payment", -1e300), ("rules", -1.0), ("rules", 2.0)],
)
def test_damaged_answers_of_worlds_are_refused(entry, value):
    """The rules that large worlds were asked for: of no such world, or payments out of bounds."""
    game = sw.families.random(rng=[1, 2], states=3, efforts=5, observations=6)
    learner = sw.learn.Haggler(game.setting, rng=3)
    sw.simulate(game, learner, 12, rng=0)
    state = json.loads(json.dumps(learner.state()))
    asked = state["learned"]["worlds"]["asked"]
    assert asked
    sw.learn.Haggler.restore(game.setting, state)
    for one in asked.values():
        one[entry] = [value] * len(one[entry])
    with pytest.raises(ScorewrightError):
        sw.learn.Haggler.restore(game.setting, state)


def test_large_worlds_are_moved_before_it_settles(monkeypatch):
    """Whatever those that stayed where they were had to say."""
    game = sw.families.random(rng=[1, 2], states=3, efforts=5, observations=6)
    learner = sw.learn.Haggler(game.setting, rng=3)
    sw.simulate(game, learner, 12, rng=0)
    ensemble, decided = learner._ensemble, []

    def settle(position):
        decided.append(position.ensemble._turn)
        return bargaining._exploit(position, Incumbent.of(position))

    monkeypatch.setattr(bargaining, "decide", settle)
    monkeypatch.setattr(ensemble, "current", lambda _: True)
    turn = ensemble._turn
    assert learner.ask().phase == "exploit"
    assert decided == [turn, turn + 1]


def test_contradictions_are_taken_for_errors_not_failures():
    """Answers that no rational agent gives do not stop it."""
    learner = sw.learn.Haggler(GAME.setting, ORACLE, rng=0)
    history = play(GAME, learner, 60, seed=0, agent=sw.agents.Scripted([2, 0, 1] * 20))
    assert learner.errs
    assert all(offer.rule.is_proper() for offer, _, _ in history)


def test_budgets_grow_with_the_logarithm_of_time():
    """Campaigns for one effort that promise nothing cost no more than that."""
    learner = sw.learn.Haggler(GAME.setting, ORACLE, rng=0)
    sw.simulate(GAME, learner, 3000, rng=0)
    size = float(np.ptp(GAME.value)) + GAME.bound
    assert learner._spent.max() <= bargaining.TITHE * size * np.log2(3001) + np.sqrt(size * 3000 * size)
    assert learner._spent.sum() < 10 * size
