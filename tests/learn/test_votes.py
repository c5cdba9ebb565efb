"""Votes: slips are outvoted, a change of mind is noticed, a torn agent is told from one that slips."""

import numpy as np
import pytest

import scorewright as sw
from scorewright.learn.votes import Votes

GAME = sw.families.make("three_efforts")


def voted(*ballots: str) -> Votes:
    """Rules with one vote per digit: the effort."""
    votes = Votes((1, 2))
    votes.widen(3)
    for number, ballot in enumerate(ballots):
        rule = votes.add(np.array([[number, 0.0]]))
        for at, effort in enumerate(ballot):
            votes.count(rule, int(effort), at + 1)
    return votes


def test_most_votes_decide():
    """One vote is not enough, two are; a slip has to be outvoted."""
    votes = voted("1", "11", "10", "1011", "2" * 60)
    assert votes.decided().tolist() == [False, True, False, True, True]
    assert [votes.leader(rule) for rule in range(4)] == [1, 1, 0, 1]
    assert votes.number(np.array([[3.0, 0.0]])) == 3
    assert votes.number(np.array([[5.0, 0.0]])) is None


def test_three_in_a_row_are_a_change_of_mind():
    """However many votes there were before."""
    votes = voted("1" * 500 + "22", "1" * 500 + "222", "1" * 500 + "221" + "22")
    assert [votes.leader(rule) for rule in range(3)] == [1, 2, 1]
    assert votes.decided().all()


def test_slips_are_told_from_being_torn():
    """A twentieth against the leader everywhere is slips; a third on one rule is not, in spite of those before it."""
    slipping = "1" * 19 + "2" + "1" * 19 + "0"
    votes = voted(*[slipping * 5] * 4)
    assert votes.slips() == pytest.approx((1 + 40) / (20 + 800))
    assert not votes.torn()
    torn = voted(*[slipping * 5] * 4, "112" * 30)
    assert torn.torn()
    assert voted(*["1" * 10 + "0" * 10] * 4).torn()
    assert not voted("1").torn()
    assert not voted(*["1" * 40] * 30).torn()


def test_a_slipping_agent_costs_little_more_than_a_rational_one():
    """One effort in twenty at random: the rule found is within a hundredth of the best for such an agent."""
    best = max(_profit(one.rule) for one in sw.solve(GAME).by_effort)
    for seed in range(2):
        learner = sw.learn.Haggler(GAME.setting, rng=seed)
        sw.simulate(GAME, learner, 2_000, rng=seed, agent=sw.agents.Noisy(0.05))
        assert learner.errs
        assert not learner.torn
        found = learner.recommend()
        assert _profit(found.rule) > best - 0.01
        assert found.low <= _profit(found.rule) <= found.high
        assert "at random" in found.evidence


def _profit(rule: sw.Rule) -> float:
    """Of an agent that makes any effort with probability 0.05."""
    profits = GAME.worth - GAME.paid(rule.expected)
    return float(0.95 * profits[GAME.respond(rule)] + 0.05 * profits.mean())


@pytest.mark.parametrize("efforts", [2, 4])
@pytest.mark.parametrize("error", [0.02, 0.05, 0.2])
def test_an_agent_that_slips_is_hardly_ever_taken_to_be_torn(efforts, error):
    """In none of 40 runs over 30 rules with up to 100 votes each, looked at after every rule."""
    for seed in range(40):
        rng, votes = np.random.default_rng([seed, efforts]), Votes((1, 1))
        votes.widen(efforts)
        for number in range(30):
            chances = np.full(efforts, error / efforts)
            chances[rng.integers(efforts)] += 1 - error
            rule = votes.add(np.array([[float(number)]]))
            for at, effort in enumerate(rng.choice(efforts, int(rng.integers(1, 100)), p=chances)):
                votes.count(rule, int(effort), at)
            assert not votes.torn()


@pytest.mark.parametrize("chances", [[0.85, 0.13, 0.02, 0.0], [0.7, 0.3], [0.9, 0.1, 0.0]])
def test_an_agent_torn_at_one_rule_is_soon_taken_to_be(chances):
    """Errors that go one way, or far more often than on other rules, are not slips."""
    rng, efforts = np.random.default_rng(0), len(chances)
    votes = Votes((1, 1))
    votes.widen(efforts)
    for number in range(12):
        rule = votes.add(np.array([[float(number)]]))
        votes.count(rule, number % efforts, 1, 4)
    took = next(n for n in range(2000) if votes.count(0, int(rng.choice(efforts, p=chances)), n) or votes.torn())
    assert 5 < took < 1000


def test_a_steady_mind_that_changes_is_not_torn():
    """Two hundred votes for one effort and then for another: costs have changed. Half and half all the time is torn."""
    assert not voted("1" * 200 + "2" * 200, "1" * 50).torn()
    assert voted("12" * 100, "1" * 50).torn()


def test_all_votes_are_kept():
    """Also when those that count were replaced by a change of mind."""
    votes = Votes((1, 2))
    votes.widen(3)
    rule = votes.add(np.zeros((1, 2)))
    for number, effort in enumerate([0, 0, 1, 1, 1, 2]):
        votes.count(rule, effort, number)
    again = Votes((1, 2))
    again.load(votes.save())
    assert again.ever.tolist() == votes.ever.tolist() == [[2, 3, 1]]
    assert again.plays.tolist() == votes.plays.tolist() == [[0, 3, 1]]
