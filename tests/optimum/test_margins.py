"""The widest margin and the least bound."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings

import scorewright as sw
from scorewright.optimum.certificate import advantage
from strategies import games


@settings(max_examples=40, deadline=None)
@given(game=games())
def test_margins_are_attained_certified_and_consistent_with_solve(game):
    """The rule attains the margin, no rule beats it, and it is nonnegative just where solve finds a rule."""
    solution = sw.solve(game)
    for effort, found in enumerate(solution.by_effort):
        widest = sw.margin(game, effort)
        assert (widest.value >= -1e-9) == (found is not None)
        if len(game.costs) == 1:
            assert widest.value == np.inf
            continue
        assert widest.rule.is_proper()
        assert widest.rule.within(game.bound)
        assert advantage(game, effort, widest.rule) == pytest.approx(float(widest))
        assert widest.certificate.gap < 1e-9
        if widest.value > 1e-6:
            assert game.respond(widest.rule) == effort
            assert sw.solve(game, margin=widest.value * (1 - 1e-6)).by_effort[effort] is not None


def test_raising_a_cost_lowers_that_margin_by_as_much(three):
    """Which is how families are given the margin that is asked for."""
    dearer = dataclasses.replace(three, costs=[0, 0.06, 0.15])
    assert sw.margin(three, 1).value - sw.margin(dearer, 1).value == pytest.approx(0.01)
    assert sw.margin(dearer, 0).value >= sw.margin(three, 0).value


@settings(max_examples=40, deadline=None)
@given(game=games())
def test_least_bounds_are_the_edge(game):
    """At the least bound the effort can be induced, a little below it can't; the certificate closes."""
    for effort in range(len(game.costs)):
        least = sw.least_bound(game, effort)
        if least.value == np.inf:
            assert sw.solve(dataclasses.replace(game, bound=1e6)).by_effort[effort] is None
            assert least.certificate.dual > 1e6
        elif least.value > 0:
            assert least.certificate.gap < 1e-8 * max(1, least.value)
            assert least.rule.payments.max() == pytest.approx(least.value)
            for factor, inducible in ((1 + 1e-6, True), (1 - 1e-4, False)):
                there = sw.solve(dataclasses.replace(game, bound=least.value * factor)).by_effort[effort]
                assert (there is not None) == inducible


def test_a_penalty_lowers_the_least_bound():
    """The hard instance needs a bound of 2 + 2 e1 + ... without fines, and 1 with them."""
    for e1 in (-0.5, -0.3, 0.0):
        free = sw.least_bound(sw.families.make("hard_instance", e1=e1, penalty=0.0), 1).value
        assert free == pytest.approx(2 + 2 * e1)
        assert sw.least_bound(sw.families.make("hard_instance", e1=e1), 1).value <= 1 + 1e-9
