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
    """A twentieth against the leader everywhere is slips; a third on one rule is not."""
    slipping = "1" * 19 + "2"
    votes = voted(*[slipping * 5] * 4, "112" * 30)
    assert votes.slips() == pytest.approx((1 + 20 + 30) / (20 + 490))
    assert [votes.divided(rule) for rule in range(5)] == [False] * 4 + [True]


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


def test_slips_fall_on_all_efforts_alike():
    """Those of an agent that slips pass Pearson's test at every round; an agent torn between two fails it soon."""
    rng, rows = np.random.default_rng(0), {}
    for kind, chances in {"slips": [0.85, 0.05, 0.05, 0.05], "torn": [0.85, 0.13, 0.02, 0.0]}.items():
        votes = Votes((2, 2))
        votes.widen(4)
        for effort in range(4):
            votes.count(votes.add(np.full((2, 2), float(effort))), effort, effort)
        rows[kind] = 0
        for number in range(4000):
            votes.count(0, int(rng.choice(4, p=chances)), number)
            if votes.one_way():
                rows[kind] = number
                break
    assert rows["slips"] == 0
    assert 50 < rows["torn"] < 1000


def test_which_way_votes_went_is_kept():
    """Also when the votes themselves were replaced."""
    votes = Votes((1, 2))
    votes.widen(3)
    rule = votes.add(np.zeros((1, 2)))
    for number, effort in enumerate([0, 0, 1, 1, 1, 2]):
        votes.count(rule, effort, number)
    again = Votes((1, 2))
    again.load(votes.save())
    assert again.strays.tolist() == votes.strays.tolist() == [[0, 3, 0], [0, 0, 1], [0, 0, 0]]
