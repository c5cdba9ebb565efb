"""The classic rules: formulas, properness, bounds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scorewright as sw
from strategies import distributions, supports


@given(beliefs=supports(), bound=st.floats(0, 100))
def test_all_are_proper_and_within_bounds(beliefs, bound):
    """On any support, zeros and coinciding beliefs included."""
    prior = beliefs.mean(axis=0)
    for rule in (
        sw.rules.quadratic(beliefs, bound),
        sw.rules.spherical(beliefs, bound),
        sw.rules.logarithmic(beliefs, bound),
        sw.rules.logarithmic(beliefs, bound, floor=0.3),
        sw.rules.v_shaped(beliefs, prior / prior.sum(), bound),
    ):
        assert rule.is_proper()
        assert rule.within(bound)


@given(beliefs=supports(), seed=st.integers(0, 999), slope=st.floats(0, 5))
def test_linear_pays_a_share_of_utility(beliefs, seed, slope):
    """Expected payments are the share of the principal's value, up to the constant that makes them payable."""
    utility = np.random.default_rng(seed).normal(size=(3, beliefs.shape[1]))
    rule = sw.rules.linear(beliefs, utility, slope)
    value = (beliefs @ utility.T).max(axis=1)
    assert rule.is_proper()
    assert rule.payments.min() >= 0
    assert np.allclose(rule.expected, slope * (value - min(0, utility.min())))


def test_formulas_on_two_states():
    """The textbook values at 0.7, and at certainty."""
    beliefs = [[0.7, 0.3], [1, 0]]
    assert sw.rules.quadratic(beliefs, 2).payments == pytest.approx(np.array([[1.82, 1.02], [2, 0]]))
    norm = np.hypot(0.7, 0.3)
    assert sw.rules.spherical(beliefs, 2).payments == pytest.approx(np.array([[1.4 / norm, 0.6 / norm], [2, 0]]))
    log = 1 - np.log([0.7, 0.3]) / np.log(0.05)
    assert sw.rules.logarithmic(beliefs, 2, floor=0.05).payments[0] == pytest.approx(2 * log)


def test_truncation_alone_would_break_properness():
    """The raw truncated logarithm tempts a belief near certainty; the rule that we return does not."""
    beliefs = np.array([[0.995, 0.005], [0.9, 0.1], [0.5, 0.5]])
    raw = sw.Rule(1 - np.log(np.maximum(beliefs, 0.2)) / np.log(0.2), beliefs)
    assert raw.slack < -0.01
    assert sw.rules.logarithmic(beliefs, 1, floor=0.2).is_proper()


@given(prior=st.floats(0.05, 0.95), data=distributions(2))
def test_v_shaped_is_lowest_at_the_prior(prior, data):
    """The expected payment bends at the prior, where every bet is worth the same."""
    rule = sw.rules.v_shaped([[prior, 1 - prior], data], [prior, 1 - prior], bound=1)
    assert rule.expected[0] == pytest.approx(min(prior, 1 - prior))
    assert rule.expected[1] >= rule.expected[0] - 1e-12


def test_v_shaped_ignores_states_that_can_not_happen():
    """No bet is offered on a state of prior probability zero."""
    rule = sw.rules.v_shaped([[0.5, 0.5, 0], [0, 0.2, 0.8]], prior=[0.5, 0.5, 0], bound=1)
    assert rule.payments[:, 2].tolist() == [0, 0]
