"""The revelation principle."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

import scorewright as sw
from scorewright.errors import InvalidInputError, NotBestResponseError
from strategies import rules


@given(rule=rules())
def test_same_payments_and_proper(rule):
    """Every belief earns under the new rule, truthfully, what it earned under the old one at its best."""
    revealed = sw.rules.reveal(rule)
    assert revealed.is_proper()
    assert revealed.expected == pytest.approx((rule.beliefs @ rule.payments.T).max(axis=1))
    assert np.isin(revealed.payments, rule.payments).all()


@given(rule=rules())
def test_the_principal_is_no_worse_off(rule):
    """Hearing the belief itself is worth at least as much as hearing the report that it would have made."""
    policy = (rule.beliefs @ rule.payments.T).argmax(axis=1)
    utility = np.random.default_rng(0).normal(size=(3, rule.beliefs.shape[1]))
    chances = np.full(len(policy), 1 / len(policy))
    pooled = 0.0
    for row in set(policy):
        here = policy == row
        pooled += (utility @ (chances[here] @ rule.beliefs[here])).max()
    told = chances @ (rule.beliefs @ utility.T).max(axis=1)
    assert told >= pooled - 1e-12


def test_a_policy_that_is_not_a_best_response_is_refused():
    """The error says who would gain what, and how."""
    rule = sw.Rule([[1, 0], [0, 1]], beliefs=[[0.9, 0.1], [0.1, 0.9]])
    assert sw.rules.reveal(rule, policy=[0, 1]) == rule
    with pytest.raises(NotBestResponseError, match=r"belief 0 reports 1 and would earn 0\.8 more by reporting 0"):
        sw.rules.reveal(rule, policy=[1, 1])
    with pytest.raises(InvalidInputError, match="one each"):
        sw.rules.reveal(rule, policy=[0])


def test_other_beliefs_and_reports_as_distributions():
    """The agent's beliefs need not be the rule's, and a policy may name distributions."""
    rule = sw.Rule([[1, 0], [0, 1]], beliefs=[[0.9, 0.1], [0.1, 0.9]])
    revealed = sw.rules.reveal(rule, policy=[[0.9, 0.1], 1, [0.2, 0.8]], beliefs=[[0.6, 0.4], [0.3, 0.7], [0.1, 0.9]])
    assert revealed.payments.tolist() == [[1, 0], [0, 1], [0, 1]]
