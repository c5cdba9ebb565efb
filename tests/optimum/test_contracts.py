"""Contracts and scoring rules: the reduction both ways, and who does better."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

import scorewright as sw
from scorewright.errors import InvalidInputError
from strategies import games


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 5000), efforts=st.integers(1, 5), outcomes=st.integers(2, 5))
def test_contract_design_is_the_case_of_point_beliefs(seed, efforts, outcomes):
    """The scoring-rule optimum of a contract game is the contract optimum, effort by effort."""
    game = sw.families.random_contract(rng=seed, efforts=efforts, outcomes=outcomes)
    solution = sw.solve(game)
    for effort, found in enumerate(solution.by_effort):
        rest = np.arange(efforts) != effort
        plain = linprog(
            game.information[effort],
            A_ub=(game.information[rest] - game.information[effort]) if rest.any() else None,
            b_ub=(game.costs[rest] - game.costs[effort]) if rest.any() else None,
            bounds=(0, game.bound),
        )
        assert (plain.status == 2) == (found is None)
        if found is not None:
            assert found.payment == pytest.approx(plain.fun, abs=1e-8)
            contract = sw.optimum.contract_of(found.rule)
            assert game.information[effort] @ contract == pytest.approx(found.payment)
    assert sw.optimum.best_contract(game).profit == pytest.approx(solution.profit, abs=1e-8)


@given(contract=st.lists(st.floats(0, 9), min_size=2, max_size=5))
def test_there_and_back(contract):
    """A contract as a rule is proper, pays the same for correct reports, and gives the contract back."""
    rule = sw.optimum.rule_of(contract)
    assert rule.is_proper()
    assert sw.optimum.contract_of(rule).tolist() == contract


@settings(max_examples=60, deadline=None)
@given(game=games())
def test_scoring_rules_do_at_least_as_well_as_contracts(game):
    """Listening to the report never hurts."""
    contract = sw.optimum.best_contract(game)
    assert sw.solve(game).profit >= contract.profit - 1e-9
    assert contract.rule.is_proper()
    assert contract.rule.within(game.bound)
    assert game.profit(contract.rule) >= contract.profit - 1e-9


def test_listening_can_be_worth_everything(three):
    """When effort does not move the state a contract buys nothing, and a scoring rule does."""
    assert sw.optimum.best_contract(three).effort == 0
    assert sw.solve(three).effort == 1


def test_only_point_beliefs_make_a_contract(three):
    """A rule that never hears certainty is no contract."""
    with pytest.raises(InvalidInputError, match="certainty in state 0"):
        sw.optimum.contract_of(sw.solve(three).rule)
