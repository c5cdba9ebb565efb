"""The account: what finding out may cost before it pays."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import scorewright as sw
from scorewright.errors import DocumentError
from scorewright.learn import bargaining
from scorewright.learn.account import ANOTHER, FIRST, REPAID, RESERVE, SHARE, Account
from scorewright.learn.expenses import Expenses
from scorewright.learn.move import Move
from scorewright.learn.prospects import Incumbent, Position


def position_after(game: sw.Game, oracle: object, rounds: int) -> tuple[sw.learn.Haggler, Position]:
    """A learner that has played, and where it stands."""
    learner = sw.learn.Haggler(game.setting, oracle, rng=0)
    sw.simulate(game, learner, rounds, rng=0)
    return learner, learner._position(learner._grown(), rounds + 1)


def skewed() -> sw.Game:
    """A game in which nothing beats the rule that pays nothing, and two efforts look nearly as good."""
    return sw.families.CHALLENGES["skewed prior"](np.random.default_rng([2026, 10, 12]))


@pytest.mark.parametrize(("left", "share"), [(500, REPAID / 500), (50_000, SHARE)])
def test_two_pots(left, share):
    """A fifth of what is left of the allowance; beyond it, what a promise repays soon enough, once."""
    account = Account(debt=1.0, allowed=1.5, left=left, expenses=Expenses(allowance=1.0))
    most = 0.5 / RESERVE
    assert account.pot(most) == "allowance"
    assert account.pot(1.01 * most) is None
    enough = 1.01 * most / share
    assert account.pot(1.01 * most, promise=enough * 1.001) == "promise"
    assert account.pot(1.01 * most, promise=enough * 0.999) is None
    assert replace(account, debt=0.9).pot(1.01 * most) == "allowance"
    assert replace(account, debt=9.0).pot(most) == "allowance"
    again = replace(account, expenses=account.expenses.charged("promise", 1.01 * most))
    assert again.pot(1.01 * most, promise=enough * 1.001) is None
    assert again.pot(most) == "allowance"
    assert replace(account, left=10).pot(7.0, promise=6.9) is None


def test_nothing_is_limited_once_a_better_rule_has_repaid_everything():
    """Whatever was spent before."""
    account = Account(debt=-0.1, allowed=0.0, left=1, expenses=Expenses(9.0, 9.0))
    assert account.pot(7.0) == "free"
    assert replace(account, debt=0.0).pot(7.0) == "free"
    assert replace(account, debt=0.1).pot(7.0) is None


def test_cheap_steps_stay_affordable():
    """However many dear ones come first: none of them takes all that is left."""
    spent = Expenses()
    for cost in (0.4, 0.2, 0.1, 0.05) * 50:
        pot = Account(1.0, 1.0, 1000, spent).pot(cost)
        spent = spent if pot is None else spent.charged(pot, cost)
    assert 0.7 < spent.allowance < 1
    assert spent.promise == 0
    assert Account(1.0, 1.0, 1000, spent).pot(0.99 * (1 - spent.allowance) / RESERVE) == "allowance"


def test_what_is_free_is_not_entered():
    """Nor does one pot pay for what the other does."""
    spent = Expenses(1.0, 2.0)
    assert spent.charged("free", 5.0) == spent
    assert spent.charged("allowance", 5.0) == Expenses(6.0, 2.0)
    assert spent.charged("promise", 5.0) == Expenses(1.0, 7.0)


def test_costs_are_entered_as_they_were_reckoned():
    """What a learner has spent is the sum of its moves' prices and losses at the time, and is never reckoned anew."""
    game = skewed()
    oracle = sw.oracles.best_margin(game)
    learner = sw.learn.Haggler(game.setting, oracle, rng=0)
    rng, spent = np.random.default_rng(0), None
    for _ in range(120):
        offer = learner.ask()
        if spent is None and learner._refitted:
            spent = learner._expenses
            assert 0 < spent.allowance < sum(game.profit(oracle[0]) - game.profit(rule) for rule in oracle)
        effort = game.respond(offer.rule)
        move = learner._move
        assert move is not None
        learner.tell(offer, effort=effort, report=rng.choice(len(game.beliefs), p=game.information[effort]))
        if spent is not None:
            spent = spent.charged(move.pot, move.price if effort == move.target else move.loss)
            assert learner._expenses == spent
    assert spent is not None
    assert spent.allowance > 0.3


@pytest.mark.parametrize("rounds", [30, 400])
@pytest.mark.parametrize("told", [(0, 1, 2), (0, 2)])
def test_debt_and_allowance_are_those_of_the_given_rules(rounds, told):
    """Both by the mean of the worlds; an effort that the oracle does not know counts as the others on average."""
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
    account = Account.of(position, incumbent)
    assert np.isclose(account.debt, np.dot(learner._votes.offered, known.max() - np.array(earned)))
    plays = FIRST + np.sqrt((rounds + 1) / ANOTHER)
    assert account.expenses == learner._expenses
    assert np.isclose(account.allowed, plays * (known.max() - known).sum() * 3 / len(told))
    assert sum(learner._votes.offered) == rounds


def test_without_given_rules_there_is_nothing_to_fall_back_on():
    """Then nothing is limited."""
    _, position = position_after(skewed(), None, 30)
    account = Account.of(position, Incumbent.of(position))
    assert account.pot(1e9) == "free"


def test_who_knows_what_efforts_report_is_not_limited():
    """Only costs are left to find out: with an account a run of K3 W2 M9 paid 31 instead of 2."""
    game = skewed()
    learner = sw.learn.Informed(game.setting, game, sw.oracles.best_margin(game), rng=0)
    sw.simulate(game, learner, 60, rng=0)
    position = learner._position(learner._grown(), 61)
    assert np.isinf(Account.of(position, Incumbent.of(position)).allowed)
    _, position = position_after(game, sw.oracles.best_margin(game), 60)
    assert np.isfinite(Account.of(position, Incumbent.of(position)).allowed)


def test_rules_that_cost_nothing_measure_nothing():
    """With only the rule that pays nothing given, and that the best of them, whatever is worth it may be looked for."""
    game = skewed()
    oracle = [sw.oracles.best_margin(game)[0], None, None]
    assert not oracle[0].payments.any()
    _, position = position_after(game, oracle, 30)
    assert Account.of(position, Incumbent.of(position)).pot(1e9) == "free"


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
        spent.append((learner._expenses, learner.state()))
    assert spent[0] == spent[1]
    assert spent[0][0].allowance > 0.2


def test_doubts_are_paid_for(monkeypatch):
    """Insurance is entered like any other step, and left alone if nothing pays for it."""
    _, position = position_after(skewed(), sw.oracles.best_margin(skewed()), 60)
    doubt = Move("explore", 1, position.payments[0], 1, "a doubt", price=0.01)
    monkeypatch.setattr(bargaining, "_trim", lambda *_: None)
    monkeypatch.setattr(bargaining, "_switch", lambda *_: (-np.inf, doubt))
    monkeypatch.setattr(bargaining, "_campaign", lambda *_: [])
    monkeypatch.setattr(bargaining, "_insure", lambda *_: iter([doubt]))
    assert bargaining.decide(replace(position, expenses=Expenses())).pot == "allowance"
    assert bargaining.decide(replace(position, expenses=Expenses(allowance=9.0))).phase == "exploit"
    dear = replace(doubt, target=2, price=9.0)
    monkeypatch.setattr(bargaining, "_insure", lambda *_: iter([dear, doubt]))
    assert bargaining.decide(replace(position, expenses=Expenses())).target == doubt.target


def test_expenses_are_kept():
    """Restored, a learner that was given rules goes on with what it has spent; damaged entries are refused."""
    game = skewed()
    learner = sw.learn.Haggler(game.setting, sw.oracles.best_margin(game), rng=0)
    sw.simulate(game, learner, 40, rng=0)
    state = json.loads(json.dumps(learner.state()))
    restored = sw.learn.Haggler.restore(game.setting, state)
    assert restored._expenses == learner._expenses
    assert learner._expenses.allowance > 0
    for damage in ({}, {"allowance": 1.0}, {"allowance": -1.0, "promise": 0}, {"allowance": "x", "promise": 0}, None):
        state["learned"]["expenses"] = damage
        with pytest.raises(DocumentError):
            sw.learn.Haggler.restore(game.setting, state)
    state["learned"]["expenses"] = {"allowance": float("nan"), "promise": 0.0}
    with pytest.raises(DocumentError):
        sw.learn.Haggler.restore(game.setting, state)
    state["learned"]["expenses"] = learner._expenses.save()
    state["learned"]["move"]["pot"] = "purse"
    with pytest.raises(DocumentError):
        sw.learn.Haggler.restore(game.setting, state)
