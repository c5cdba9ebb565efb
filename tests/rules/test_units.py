"""Payments in whole units."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scorewright as sw
from strategies import proper_rules


@given(rule=proper_rules(), unit=st.sampled_from([0.01, 0.05, 0.3, 1.0, 7.0]))
def test_rounded_rules_are_proper_whole_and_near(rule, unit):
    """Every payment a whole multiple, properness kept, expected payments within a unit, the top never exceeded."""
    done = sw.rules.rounding(rule, unit)
    rounded = done.rule
    assert np.allclose(rounded.payments / unit, np.rint(rounded.payments / unit), atol=1e-9)
    assert rounded.is_proper()
    assert rounded.payments.max() <= rule.payments.max() + 1e-9
    assert rounded.payments.min() >= 0
    assert done.change <= unit + 1e-9
    assert done.change == pytest.approx(np.abs(rounded.expected - rule.expected).max())
    assert rounded == rule.rounded(unit)


def test_cents_are_the_floats_that_people_write():
    """Three cents is 0.03, not 0.030000000000000002 or so."""
    rule = sw.rules.quadratic([[p / 100, 1 - p / 100] for p in range(101)], bound=1).rounded(0.01)
    assert all(amount == float(f"{amount:.2f}") for amount in rule.payments.ravel())


@given(seed=st.integers(0, 500), unit=st.sampled_from([0.05, 0.2]))
def test_fines_stay_payable(seed, unit):
    """Rounding a rule with fines never fines a belief in a state that it holds possible, and stays proper."""
    rng = np.random.default_rng(seed)
    beliefs = np.vstack([np.eye(3), [[0.5, 0.5, 0], [0.2, 0, 0.8]], rng.dirichlet(np.ones(3), size=2)])
    game = sw.Game(beliefs, rng.dirichlet(np.ones(7), size=3), [0, 0.05, 0.1], np.eye(3), bound=1, penalty=1)
    for found in sw.solve(game).by_effort:
        if found is not None:
            rounded = found.rule.rounded(unit)
            assert rounded.is_proper()
            assert rounded.within(1, penalty=1)


def test_large_fines_round_at_once():
    """However far a row must fall, and in units whose multiples are not floats."""
    rounded = sw.Rule([[1e6, -1e4], [0, 0]], [[1, 0], [0.5, 0.5]]).rounded(0.01)
    assert rounded.is_proper()
    thirds = sw.Rule([[0.9, 0.9]], [[0.5, 0.5]]).rounded(0.3)
    assert thirds.payments.tolist() == [[0.9, 0.9]]
