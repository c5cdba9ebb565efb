"""The paper's footnotes: effort that is not seen, utility that is not known."""

from __future__ import annotations

import numpy as np
import pytest

import scorewright as sw
from playing import play
from scorewright.errors import AnswerError, NothingLearnedError, ScorewrightError, SupportsOverlapError

GAME = sw.families.make("three_efforts")
ORACLE = sw.oracles.best_margin(GAME)


def test_hidden_efforts_are_named_by_their_reports():
    """The inner learner hears the effort that was really made, in every round."""
    inner = sw.learn.OsrlUcb(GAME.setting, ORACLE, radius=sw.learn.Radius(0.03))
    hidden = sw.learn.HiddenEffort(inner, ORACLE, repeats=10)
    history = play(GAME, hidden, 300, seed=0)
    assert hidden.supports == [{0}, {1, 2}, {3, 4}]
    truth = [effort for _, effort, _ in history[30:]]
    assert [inner.memory.recall(t + 1)[0] for t in range(len(truth))] == truth
    assert hidden.recommend().effort in (0, 1, 2)
    assert hidden.estimates().counts.sum() == len(truth)


def test_a_new_report_is_not_guessed_at():
    """The same rule is offered until a known report names the effort for both."""
    inner = sw.learn.FixedRule(GAME.setting, ORACLE[1])
    hidden = sw.learn.HiddenEffort(inner, ORACLE, repeats=1)
    for report in (0, 1, 3):
        hidden.tell(hidden.ask(), report=report)
    offer = hidden.ask()
    hidden.tell(offer, report=2)
    again = hidden.ask()
    assert again.rule == offer.rule
    assert "again" in again.why
    assert inner.estimates().counts.sum() == 0
    hidden.tell(again, report=1)
    assert hidden.supports[1] == {1, 2}
    assert inner.memory.recall(1) == (1, 2)
    assert inner.memory.recall(2) is None
    hidden.tell(again, report=1)
    with pytest.raises(AnswerError, match="ask for the open offer"):
        hidden.tell(offer, report=1)


def test_an_effort_without_an_oracle_rule_is_named_by_elimination():
    """Reports that keep coming and belong to nobody belong to the one effort that has none; to one of two, an error."""
    sharp = sw.Rule([[1, 0], [1, 0], [0, 1], [1, 0], [0, 1]], GAME.beliefs)  # half of it buys the effort in between
    oracle = [ORACLE[0], None, sharp]
    inner = sw.learn.OsrlUcb(GAME.setting, oracle)
    hidden = sw.learn.HiddenEffort(inner, oracle, repeats=10)
    history = play(GAME, hidden, 600, seed=0)
    assert hidden.supports == [{0}, {1, 2}, {3, 4}]
    assert inner.estimates().counts.sum() > 500
    assert len(history) == 600
    lost = [ORACLE[0], None, None]
    fixed = sw.learn.HiddenEffort(sw.learn.FixedRule(GAME.setting, ORACLE[2]), lost, repeats=5)
    with pytest.raises(SupportsOverlapError, match="no effort that is known"):
        play(GAME, fixed, 50, seed=0)


def test_one_rule_with_two_names_is_an_overlap():
    """Where a rare shared belief was not seen at the start, the same rule named twice gives it away."""
    inner = sw.learn.FixedRule(GAME.setting, ORACLE[1])
    hidden = sw.learn.HiddenEffort(inner, ORACLE, repeats=1)
    for report in (0, 1, 3, 1):
        hidden.tell(hidden.ask(), report=report)
    with pytest.raises(SupportsOverlapError, match="same rule"):
        hidden.tell(hidden.ask(), report=0)


def test_overlapping_supports_are_said():
    """A belief that two efforts report makes them one to whoever sees only reports."""
    game = sw.families.random(rng=0, efforts=3, observations=4, support="shared")
    oracle = sw.oracles.best_margin(game)
    hidden = sw.learn.HiddenEffort(sw.learn.OsrlUcb(game.setting, oracle), oracle)
    with pytest.raises(SupportsOverlapError, match="do not tell them apart"):
        play(game, hidden, 200, seed=0)


def explore(wrapper, rounds, seed, noise=0.0):
    """Play a wrapper that learns the utility, settling every round."""
    rng = np.random.default_rng(seed)
    player = sw.agents.Rational().start(GAME, rng)
    for _ in range(rounds):
        offer = wrapper.ask()
        effort = player.choose(offer.rule.expected)
        report = int(rng.choice(5, p=GAME.information[effort]))
        decision = wrapper.decide(report)
        state = int(rng.choice(2, p=GAME.beliefs[report]))
        wrapper.tell(offer, effort, report)
        wrapper.settle(decision, state, GAME.utility[decision, state] + noise * rng.normal())


def test_the_utility_is_learned_and_then_used():
    """Without noise one look at each entry is enough; then the learner is the one that knows it."""
    wrapper = sw.learn.UnknownUtility(GAME.setting.terms, 2, lambda s: sw.learn.OsrlUcb(s, ORACLE), ORACLE)
    with pytest.raises(NothingLearnedError, match="still being learned"):
        wrapper.recommend()
    explore(wrapper, 60, seed=0)
    assert np.array_equal(wrapper.utility, GAME.utility)
    assert wrapper.learner.setting.utility.tolist() == GAME.utility.tolist()
    assert wrapper.decide(3) == 0
    assert wrapper.recommend().rounds > 0
    assert wrapper.estimates().counts.sum() > 0


def test_noisy_utilities_are_averaged_and_the_budget_ends_exploring():
    """More looks per entry, closer averages; a budget that is too small ends exploring all the same."""

    def make(setting):
        return sw.learn.OsrlUcb(setting, ORACLE)

    wrapper = sw.learn.UnknownUtility(GAME.setting.terms, 2, make, ORACLE, times=100, rounds=5000)
    explore(wrapper, 600, seed=1, noise=0.3)
    assert wrapper.learner is not None
    assert np.abs(wrapper.utility - GAME.utility).max() < 0.15
    hasty = sw.learn.UnknownUtility(GAME.setting.terms, 2, make, ORACLE, times=100, rounds=7)
    explore(hasty, 20, seed=2)
    assert hasty.learner is not None
    with pytest.raises(ScorewrightError, match="at least one rule"):
        sw.learn.UnknownUtility(GAME.setting.terms, 2, make, [])
