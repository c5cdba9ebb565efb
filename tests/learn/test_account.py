"""The account: what finding out may cost before it pays."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import scorewright as sw
from scorewright.errors import DocumentError
from scorewright.learn import bargaining
from scorewright.learn.account import ANOTHER, FIRST, RESERVE, Account, first_plays
from scorewright.learn.hopes import Hope, hope_for
from scorewright.learn.move import Move
from scorewright.learn.prospects import Incumbent, Position, candidates
from scorewright.learn.worlds import seen_efforts


def position_after(game: sw.Game, oracle: object, rounds: int) -> tuple[sw.learn.Haggler, Position]:
    """A learner that has played, and where it stands."""
    learner = sw.learn.Haggler(game.setting, oracle, rng=0)
    sw.simulate(game, learner, rounds, rng=0)
    return learner, learner._position(learner._grown(), rounds + 1)


def skewed() -> sw.Game:
    """A game in which nothing beats the rule that pays nothing, and two efforts look nearly as good."""
    return sw.families.CHALLENGES["skewed prior"](np.random.default_rng([2026, 10, 12]))


def account(debt: float = 1.0, allowed: float = 1.5, spent: float = 1.0, ahead: float = 0.0) -> Account:
    """Of two efforts, the second of them seen more often than the incumbent."""
    return Account(debt, np.full(2, allowed), np.full(2, spent), ahead, np.array([False, True]))


def step(cost: float, repeats: int = 1) -> Move:
    """A step that may cost so much in all."""
    return Move("explore", 0, np.zeros((1, 1)), repeats, "", price=cost / repeats)


@pytest.mark.parametrize("better", [0.0, 0.1, 0.3, 0.49])
def test_half_of_what_is_left_is_risked(better):
    """More is left where an effort is likelier to win; what is paid for is entered on its account."""
    most = (1.5 / (1 - 2 * better) ** 2 - 1.0) / RESERVE
    paid = account().paid(step(0.999 * most), 0, better)
    assert paid is not None
    assert paid.charged == 0
    assert account().limits(0, better)
    assert account().paid(step(1.001 * most), 0, better) is None
    assert account(spent=1 + 0.01 * most).paid(step(0.999 * most), 0, better) is None


def test_what_is_likelier_to_win_than_not_is_not_limited():
    """Nor entered."""
    for better in (0.5, 0.9):
        paid = account().paid(step(9.0), 0, better)
        assert paid is not None
        assert paid.charged is None
        assert not account().limits(0, better)


def test_nothing_is_bought_of_what_is_known_better_than_the_incumbent():
    """Its own reports come for nothing; a probe is no better than a report."""
    probe = Move("probe", 1, np.zeros((1, 1)), 1, "", loss=1e-9)
    assert account().paid(probe, 0, 0.2) is not None
    assert account().paid(probe, 1, 0.2) is None
    assert account().paid(step(1e-9), 0, 0.2) is not None
    assert account().paid(step(1e-9), 1, 0.2) is None
    assert account().paid(step(1e-9), 1, 0.5) is not None


def test_what_costs_nothing_against_the_best_given_rule_is_free():
    """As playing that rule itself, when the incumbent earns a little more."""
    for effort in (0, 1):
        paid = account(allowed=0.0, ahead=0.01).paid(step(0.03, repeats=3), effort, 0.1)
        assert paid is not None
        assert paid.charged is None
    assert account(allowed=0.0, ahead=0.01).paid(step(0.031, repeats=3), 0, 0.1) is None


def test_nothing_is_limited_once_a_better_rule_has_repaid_everything():
    """Whatever was spent before."""
    for debt in (-0.1, 0.0):
        paid = account(debt=debt, allowed=0.0, spent=9.0).paid(step(7.0), 0, 0.0)
        assert paid is not None
        assert paid.charged is None
    assert account(debt=0.1, allowed=0.0, spent=9.0).paid(step(7.0), 0, 0.0) is None


def test_cheap_steps_stay_affordable():
    """However many dear ones come first: none of them takes all that is left."""
    spent = 0.0
    for cost in (0.4, 0.2, 0.1, 0.05) * 50:
        spent += cost * (account(allowed=1.0, spent=spent).paid(step(cost), 0, 0.0) is not None)
    assert 0.7 < spent < 1
    assert account(allowed=1.0, spent=spent).paid(step(0.99 * (1 - spent) / RESERVE), 0, 0.0) is not None


def test_costs_are_entered_as_they_were_reckoned():
    """What a learner has spent is the sum of its moves' prices and losses at the time, and is never reckoned anew."""
    game = skewed()
    oracle = sw.oracles.best_margin(game)
    learner = sw.learn.Haggler(game.setting, oracle, rng=0)
    rng, spent = np.random.default_rng(0), None
    for _ in range(120):
        offer = learner.ask()
        if spent is None and learner._refitted:
            spent = learner._expenses.copy()
            assert 0 < spent.sum() < sum(game.profit(oracle[0]) - game.profit(rule) for rule in oracle)
        effort = game.respond(offer.rule)
        move = learner._move
        assert move is not None
        learner.tell(offer, effort=effort, report=rng.choice(len(game.beliefs), p=game.information[effort]))
        if spent is not None:
            if move.charged is not None:
                spent[move.charged] += move.price if effort == move.target else move.loss
            assert (learner._expenses == spent).all()
    assert spent is not None
    assert spent.sum() > 0.2


@pytest.mark.parametrize("rounds", [30, 400])
@pytest.mark.parametrize("told", [(0, 1, 2), (0, 2)])
def test_debt_and_allowance_are_those_of_the_given_rules(rounds, told):
    """Both by the mean of the worlds; an effort that the oracle does not know is not limited."""
    game = skewed()
    oracle = [rule if effort in told else None for effort, rule in enumerate(sw.oracles.best_margin(game))]
    learner, position = position_after(game, oracle, rounds)
    incumbent, ensemble = Incumbent.of(position), position.ensemble
    mean, value = ensemble.information.mean(axis=0), game.setting.value
    earned = [
        mean[effort] @ (value - expected) for effort, expected in zip(ensemble.answers, ensemble.expected, strict=True)
    ]
    assert set(position.given) == set(told)
    known = np.array([mean[effort] @ (value - oracle[effort].expected) for effort in told])
    drawn = Account.of(position, incumbent)
    lost = known.max() - np.array(earned)
    assert np.isclose(drawn.debt, np.dot(learner._votes.offered, lost))
    assert np.isclose(drawn.ahead, incumbent.profit - known.max())
    entered = learner._expenses.sum()
    assert np.allclose(drawn.spent, learner._expenses * min(1.0, max(drawn.debt, 0.0) / entered))
    allowed = np.full(3, np.inf)
    allowed[list(told)] = known.max() - known
    assert np.allclose(drawn.allowed, allowed * (FIRST + np.sqrt((rounds + 1) / ANOTHER)))
    seen = position.counts.sum(axis=1)
    assert (drawn.familiar == (seen > seen[incumbent.effort])).all()
    assert sum(learner._votes.offered) == rounds
    firsts = first_plays(position, incumbent)
    for effort in range(3):
        own = np.array(learner._votes.offered) * lost * (ensemble.answers == effort)
        assert np.isclose(firsts[effort], max(0.0, own.sum()))


def test_without_given_rules_there_is_nothing_to_fall_back_on():
    """Then nothing is limited."""
    _, position = position_after(skewed(), None, 30)
    assert not Account.of(position, Incumbent.of(position)).limits(1, 0.0)


def test_who_knows_what_efforts_report_is_not_limited():
    """Only costs are left to find out: with an account a run of K3 W2 M9 paid 31 instead of 2."""
    game = skewed()
    learner = sw.learn.Informed(game.setting, game, sw.oracles.best_margin(game), rng=0)
    sw.simulate(game, learner, 60, rng=0)
    position = learner._position(learner._grown(), 61)
    assert np.isinf(Account.of(position, Incumbent.of(position)).allowed).all()
    _, position = position_after(game, sw.oracles.best_margin(game), 60)
    assert np.isfinite(Account.of(position, Incumbent.of(position)).allowed).all()


def test_rules_that_cost_nothing_measure_nothing():
    """With only the rule that pays nothing given, and that the best of them, whatever is worth it may be looked for."""
    game = skewed()
    oracle = [sw.oracles.best_margin(game)[0], None, None]
    assert not oracle[0].payments.any()
    _, position = position_after(game, oracle, 30)
    assert not Account.of(position, Incumbent.of(position)).limits(1, 0.0)


def test_an_oracle_that_promises_too_much_is_not_believed():
    """Rules given for the wrong efforts: no rule that works is held against one that does not."""
    game = sw.families.make("three_efforts")
    oracle = sw.oracles.best_margin(game)
    nothing = sw.Rule(np.zeros(game.beliefs.shape), game.beliefs)
    learner, position = position_after(game, [oracle[1], oracle[2], nothing], 4000)
    assert Account.of(position, Incumbent.of(position)).debt < 20  # 501 when it was believed
    assert game.respond(learner.recommend().rule) == 1


def test_a_rule_that_beats_the_known_ones_repays():
    """In three_efforts the learned rule earns 0.025 a round more than any oracle rule: the debt is gone by then."""
    game = sw.families.make("three_efforts")
    _, early = position_after(game, sw.oracles.best_margin(game), 30)
    _, late = position_after(game, sw.oracles.best_margin(game), 2000)
    first, last = (Account.of(position, Incumbent.of(position)) for position in (early, late))
    assert first.debt > 0.5
    assert last.debt < -20


def test_no_worse_than_the_best_given_rule_and_two_plays_of_each():
    """Where the rule that pays nothing is best: without an account these two pay 2 and 2.9 times as much."""
    for seed in (0, 19):
        game = sw.families.CHALLENGES["skewed prior"](np.random.default_rng([2026, 10, seed]))
        oracle, best = sw.oracles.best_margin(game), sw.solve(game).profit
        lost = [best - game.profit(rule) for rule in oracle]
        learner = sw.learn.Haggler(game.setting, oracle, rng=seed)
        regret = sw.simulate(game, learner, 20_000, rng=[2027, 10, seed]).regret[-1]
        assert min(lost) == pytest.approx(0)
        assert regret < 1.2 * 2 * sum(lost)


def test_what_a_move_may_cost():
    """For all its rounds: its price if it works, its loss if it fails."""
    payments = np.zeros((2, 2))
    assert Move("explore", 0, payments, 3, "", price=0.2).at_most == pytest.approx(0.6)
    assert Move("probe", 0, payments, 1, "", price=0.2, loss=0.5).at_most == pytest.approx(0.5)
    assert Move("exploit", 0, payments, 9, "").at_most == 0


def test_many_rounds_at_once_are_entered_like_one_by_one(monkeypatch):
    """And so are doubts: what is bought by reports that the kernel plays alone."""
    game = skewed()
    oracle, spent = sw.oracles.best_margin(game), []
    for alone in (sw.learn.Haggler.alone, lambda _: 0):
        monkeypatch.setattr(sw.learn.Haggler, "alone", alone)
        learner = sw.learn.Haggler(game.setting, oracle, rng=3)
        sw.simulate(game, learner, 300, rng=7)
        spent.append((learner._expenses.tolist(), learner.state()))
    assert spent[0] == spent[1]
    assert sum(spent[0][0]) > 0.2


def test_doubts_are_paid_for(monkeypatch):
    """Insurance is entered like any other step, and left alone if nothing pays for it."""
    _, position = position_after(skewed(), sw.oracles.best_margin(skewed()), 400)
    doubts = {1: step(0.001), 2: step(9.0)}
    monkeypatch.setattr(bargaining, "_level", lambda *_: None)
    monkeypatch.setattr(bargaining, "_trim", lambda *_: None)
    monkeypatch.setattr(bargaining, "_switch", lambda *_, **__: (-np.inf, doubts[1]))
    monkeypatch.setattr(bargaining, "_campaign", lambda *_, **__: [])
    monkeypatch.setattr(bargaining, "_insure", lambda _p, _i, others, _h: [(0.0, doubts[others.effort])])
    assert bargaining.decide(replace(position, expenses=np.zeros(3))).charged == 1
    assert bargaining.decide(replace(position, expenses=np.full(3, 9.0))).phase == "exploit"


def test_the_best_given_rule_is_known_as_well_as_what_seems_to_beat_it():
    """While the incumbent's lead may be chance, the less known of the two is played; a clear lead needs no more."""
    _, position = position_after(skewed(), sw.oracles.best_margin(skewed()), 60)
    ensemble, counts = position.ensemble, position.counts.copy()
    rule = int(np.flatnonzero(ensemble.answers == 1)[-1])
    counts[0], counts[1] = np.eye(9)[0] * 30, np.eye(9)[3] * 40
    earned = ensemble.information[:, 0] @ position.value
    rng = np.random.default_rng(0)

    def leading(by: float) -> Incumbent:
        """An incumbent that earns so many standard deviations more than the rule that pays nothing."""
        apart = rng.standard_normal(len(earned))
        apart = 0.01 * (by + (apart - apart.mean()) / apart.std())
        incumbent = Incumbent.of(position)
        profits = incumbent.profits.copy()
        profits[0] = earned.mean()
        return replace(incumbent, effort=1, rule=rule, earned=earned + apart, profits=profits)

    then = replace(position, counts=counts)
    drawn = Account.of(position, Incumbent.of(position))
    move = bargaining._level(then, leading(0.5), drawn)
    assert move is not None
    assert (move.phase, move.target, move.repeats) == ("explore", 0, 3)
    assert not move.payments.any()
    assert bargaining._level(then, leading(2.0), drawn) is None
    assert bargaining._level(replace(then, horizon=then.round), leading(0.5), drawn) is None
    counts[0] += counts[1]
    assert bargaining._level(then, leading(0.5), drawn) is None
    counts[0] = 0
    assert bargaining._level(then, leading(0.5), replace(drawn, allowed=np.full(3, np.inf))) is None
    assert bargaining._level(then, leading(0.5), replace(drawn, debt=0.0)) is None


def test_what_is_limited_is_not_spent_on_what_is_likelier_to_fail():
    """But for an effort that nobody has seen, which nothing else would find."""
    _, position = position_after(skewed(), sw.oracles.best_margin(skewed()), 60)
    incumbent, seen = Incumbent.of(position), seen_efforts(position.counts)
    bold = 0
    for effort in set(incumbent.by_effort) - {incumbent.effort}:
        others = candidates(position, incumbent, effort, seen)
        assert others is not None
        likely = replace(others, chance=np.where(others.new, 0.9, others.chance), ahead=others.ahead + 1.0)
        likely = replace(likely, leads=replace(others.leads, ahead=others.leads.ahead + 1.0))
        promise, move = bargaining._switch(position, incumbent, likely, limited=False)
        assert promise > 0
        bold += move.phase == "probe"
        promise, move = bargaining._switch(position, incumbent, likely, limited=True)
        assert move.phase == "explore" or promise == -np.inf
        counts = position.counts.copy()
        counts[effort] = 0
        assert bargaining._switch(replace(position, counts=counts), incumbent, likely, limited=True)[0] > 0
    assert bold > 0


def test_what_is_limited_is_bought_where_it_promises_most_per_price():
    """Of two rules that would surely work, the one that promises a little less for a tenth of the price."""
    _, position = position_after(skewed(), sw.oracles.best_margin(skewed()), 60)
    incumbent, seen = Incumbent.of(position), seen_efforts(position.counts)
    effort = next(effort for effort in incumbent.by_effort if effort != incumbent.effort)
    others = candidates(position, incumbent, effort, seen)
    assert others is not None
    count = len(others.new)
    ahead, own = np.full(count, -1.0), np.full((len(others.leads.chance), count), 0.1)
    ahead[:2] = -0.100, -0.010
    own[:, :2] = 0.300, 0.100
    same = replace(
        others,
        new=np.ones(count, dtype=bool),
        chance=np.zeros(count),
        ahead=ahead,
        leads=replace(others.leads, ahead=np.tile(ahead, (len(own), 1)), own=own),
    )
    most, per_price = (bargaining._switch(position, incumbent, same, limited=limited) for limited in (False, True))
    assert most[0] > per_price[0] > 0
    assert (most[1].payments == others.payments[0]).all()
    assert (per_price[1].payments == others.payments[1]).all()


def test_campaigns_that_are_limited_do_not_probe_what_is_likelier_to_fail():
    """But for an effort that nobody has seen."""
    _, position = position_after(skewed(), sw.oracles.best_margin(skewed()), 12)
    incumbent, seen = Incumbent.of(position), seen_efforts(position.counts)
    bold = 0
    for effort in set(incumbent.by_effort) - {incumbent.effort}:
        others = candidates(position, incumbent, effort, seen)
        assert others is not None
        hope = replace(hope_for(position, incumbent, others), wage=0.5)  # in doubt is what it must be paid
        likely = replace(others, chance=np.where(others.new, 0.9, others.chance))
        free, limited = (
            bargaining._campaign(position, incumbent, likely, hope, limited=limited) for limited in (False, True)
        )
        bold += any(move.phase == "probe" for _, move in free)
        assert not any(move.phase == "probe" for _, move in limited)
    assert bold > 0


def test_decisions_are_limited_by_the_odds(monkeypatch):
    """`decide` tells switches and campaigns whether they are limited, and levels before anything else."""
    _, position = position_after(skewed(), sw.oracles.best_margin(skewed()), 400)
    told: list[tuple[str, bool]] = []

    def listen(name: str, found: object) -> object:
        return lambda *_, limited=None: told.append((name, limited)) or found

    monkeypatch.setattr(bargaining, "_level", lambda *_: None)
    monkeypatch.setattr(bargaining, "_trim", lambda *_: None)
    monkeypatch.setattr(bargaining, "_switch", listen("switch", (-np.inf, step(0.0))))
    monkeypatch.setattr(bargaining, "_campaign", listen("campaign", []))
    monkeypatch.setattr(bargaining, "_insure", lambda *_: [])
    for better in (0.1, 0.6):
        told.clear()
        monkeypatch.setattr(Hope, "better", better)
        bargaining.decide(position)
        assert {("switch", better < 0.5), ("campaign", better < 0.5)} <= set(told)
        assert ("switch", better > 0.5) not in told
    move = step(0.0)
    monkeypatch.setattr(bargaining, "_level", lambda *_: move)
    assert bargaining.decide(position) is move


def test_an_effort_of_which_the_oracle_says_nothing_is_found():
    """Where it is the best: limited by what other efforts cost, it was not, at 0.16 a round."""
    game = sw.families.CHALLENGES["useless effort"](np.random.default_rng([2026, 9, 14]))
    oracle, best = list(sw.oracles.best_margin(game)), sw.solve(game).effort
    oracle[best] = None
    learner = sw.learn.Haggler(game.setting, oracle, rng=14)
    regret = sw.simulate(game, learner, 2000, rng=[2027, 9, 14]).regret
    assert regret[-1] < 20
    assert learner.recommend().effort == best


def test_expenses_are_kept():
    """Restored, a learner that was given rules goes on with what it has spent; damaged entries are refused."""
    game = skewed()
    learner = sw.learn.Haggler(game.setting, sw.oracles.best_margin(game), rng=0)
    sw.simulate(game, learner, 40, rng=0)
    state = json.loads(json.dumps(learner.state()))
    restored = sw.learn.Haggler.restore(game.setting, state)
    assert (restored._expenses == learner._expenses).all()
    assert learner._expenses.sum() > 0
    for damage in ({}, [], [1.0], [1.0, -1.0, 0.0], [1.0, "x", 0.0], [1.0, float("nan"), 0.0], None):
        state["learned"]["expenses"] = damage
        with pytest.raises(DocumentError):
            sw.learn.Haggler.restore(game.setting, state)
    state["learned"]["expenses"] = learner._expenses.tolist()
    for entry in ("charged", "campaign"):
        kept = state["learned"]["move"][entry]
        for damage in ("purse", 3, -1, 0.5, 1.0, True):
            state["learned"]["move"][entry] = damage
            with pytest.raises(DocumentError):
                sw.learn.Haggler.restore(game.setting, state)
        state["learned"]["move"][entry] = kept
    state["learned"]["move"]["price"] = -5.0
    with pytest.raises(DocumentError):
        sw.learn.Haggler.restore(game.setting, state)


def test_one_given_rule_and_efforts_without_names_are_restored_before_the_first_decision():
    """The worlds have grown then, and were put nowhere."""
    game = sw.families.random(rng=2)
    setting = sw.Setting(sw.Terms(game.beliefs, game.bound), game.utility)
    oracle = {0: sw.oracles.best_margin(game)[0]}
    learner = sw.learn.Haggler(setting, oracle, rng=0)
    offer = learner.ask()
    learner.tell(offer, effort=game.respond(offer.rule), report=0)
    restored = sw.learn.Haggler.restore(setting, json.loads(json.dumps(learner.state())))
    assert learner.ask().why == restored.ask().why
    assert (learner._ensemble.information == restored._ensemble.information).all()
