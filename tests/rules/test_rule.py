"""Rule: properness, bounds, payments for any report, mixing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import scorewright as sw
from scorewright.errors import MismatchError
from strategies import distributions, proper_rules, rules


@given(rule=rules())
def test_slack_is_the_least_over_pairs(rule):
    """Slack and properness say what a loop over all pairs says."""
    count = len(rule.beliefs)
    pairs = [(i, j) for i in range(count) for j in range(count) if i != j]
    least = min((rule.beliefs[i] @ (rule.payments[i] - rule.payments[j]) for i, j in pairs), default=np.inf)
    assert rule.slack == pytest.approx(least, abs=1e-12)
    assert rule.is_proper() == (least >= -1e-9 * max(1, rule.payments.max()))


@given(rule=proper_rules(), data=distributions(4))
def test_extension_to_the_simplex_is_proper_and_bounded(rule, data):
    """Whatever the belief, on the support or off it, no report beats the truth, and nothing new is paid."""
    belief = data[: rule.beliefs.shape[1]]
    if belief.sum() == 0:
        return
    belief = belief / belief.sum()
    states = range(len(belief))
    honest = sum(belief[w] * rule.pay(belief, w) for w in states)
    for report in [*rule.beliefs, *np.eye(len(belief)), np.full(len(belief), 1 / len(belief))]:
        assert sum(belief[w] * rule.pay(report, w) for w in states) <= honest + 1e-9
    assert rule.payments.min() <= min(rule.pay(belief, w) for w in states)
    assert max(rule.pay(belief, w) for w in states) <= rule.payments.max()


@given(rule=rules())
def test_a_report_on_the_support_is_paid_its_own_row(rule):
    """A belief given as a distribution counts as itself (the first of equals), proper rule or not."""
    for i, belief in enumerate(rule.beliefs):
        row = rule.row(belief)
        assert np.allclose(rule.beliefs[row], belief, atol=1e-9)
        assert row <= i
        assert rule.row(i) == i


def test_what_was_said_is_not_lost_where_several_rows_pay_alike():
    """Under a rule that pays nothing a report counts as the nearest belief, not as the first."""
    beliefs = [[0.9, 0.1], [0.5, 0.5], [0.1, 0.9]]
    nothing = sw.Rule(np.zeros((3, 2)), beliefs)
    assert [nothing.row([p, 1 - p]) for p in (0.95, 0.6, 0.35, 0.2)] == [0, 1, 1, 2]
    bet = sw.Rule([[2, 0], [0, 1], [0, 1]], beliefs)
    assert [bet.row([p, 1 - p]) for p in (0.6, 0.3, 0.2)] == [0, 1, 2]


def test_strength_of_the_quadratic_rule():
    """Brier with bound B loses B |p - q|_2^2 / 2 for a false report; on two states that is strength B / 2."""
    beliefs = [[0.1, 0.9], [0.5, 0.5], [0.8, 0.2]]
    rule = sw.rules.quadratic(beliefs, bound=3)
    assert rule.strength == pytest.approx(3 / 2)
    assert rule.is_strictly_proper()
    flat = sw.Rule(np.ones((3, 2)), beliefs)
    assert flat.is_proper()
    assert not flat.is_strictly_proper()
    assert flat.strength == 0


def test_beliefs_that_coincide_do_not_spoil_strictness():
    """Equal beliefs can't be told apart; strictness and strength are about different ones."""
    rule = sw.rules.quadratic([[0.5, 0.5], [0.5, 0.5], [0.9, 0.1]], bound=1)
    assert rule.is_strictly_proper()
    assert rule.strength == pytest.approx(0.5)
    assert sw.Rule([[1, 2]], [[0.5, 0.5]]).strength == np.inf


def test_fines_only_where_the_report_ruled_the_state_out():
    """A negative payment is within bounds only in a state of probability zero, and only down to the penalty."""
    fine = sw.Rule([[-1, 1], [0, 0]], [[0, 1], [0.5, 0.5]])
    assert not fine.within(1)
    assert fine.within(1, penalty=1)
    assert not fine.within(1, penalty=0.5)
    assert not sw.Rule([[0, 0], [-1, 1]], [[0, 1], [0.5, 0.5]]).within(1, penalty=1)


@given(rule=proper_rules())
def test_mixtures_and_multiples_of_proper_rules_are_proper(rule):
    """Properness is convex and closed under scaling."""
    other = sw.rules.quadratic(rule.beliefs, bound=10)
    for weight in (0, 0.3, 1):
        mixed = rule.mix(other, weight)
        assert mixed.is_proper()
        assert np.allclose(mixed.payments, (1 - weight) * rule.payments + weight * other.payments)
    assert rule.scaled(0.7).is_proper()


def test_over_carries_a_rule_to_other_beliefs():
    """On another support each belief gets the row at which it counts, and the rule stays proper there."""
    rule = sw.rules.quadratic([[0.2, 0.8], [0.6, 0.4]], bound=1)
    carried = rule.over([[0.3, 0.7], [0.6, 0.4], [1, 0]])
    assert carried.is_proper()
    assert carried.payments.tolist() == rule.payments[[0, 1, 1]].tolist()
    with pytest.raises(MismatchError, match=r"rule\.over"):
        rule.mix(carried, 0.5)


def test_arrays_are_read_only_copies():
    """A rule is a value: nobody can change it from outside."""
    payments = np.ones((1, 2))
    rule = sw.Rule(payments, [[0.5, 0.5]])
    payments[0, 0] = 7
    assert rule.payments[0, 0] == 1
    for array in (rule.payments, rule.beliefs, rule.expected, rule.slacks):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 3
