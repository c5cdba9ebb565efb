"""Certificates hold in exact arithmetic, and do not hold for wrong claims."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import scorewright as sw
import witness
from scorewright.optimum import Multipliers
from scorewright.optimum.certificate import violation


def exact_bound(game, effort, multipliers, paid):
    """The Lagrangian's least value over the box, term by term, in fractions."""
    number = np.vectorize(Fraction, otypes=[object])
    beliefs, chances = number(game.beliefs), number(game.information)
    rivals, costs = number(multipliers.rivals), number(game.costs)
    envy = np.full((len(beliefs), len(beliefs)), Fraction(0))
    for i, j, price in zip(multipliers.enviers, multipliers.envied, multipliers.envy, strict=True):
        envy[i, j] += Fraction(price)
    lowest, bound = number(game.setting.terms.lowest), Fraction(game.bound)
    count, states = beliefs.shape
    total = sum(rivals[i] * (costs[effort] - costs[i]) for i in range(len(costs)))
    for j in range(count):
        for w in range(states):
            own = (chances[effort, j] if paid else 0) - envy[j].sum()
            own -= sum(rivals[i] * (chances[effort, j] - chances[i, j]) for i in range(len(costs)))
            slope = own * beliefs[j, w] + sum(envy[i, j] * beliefs[i, w] for i in range(count))
            total += min(slope * lowest[j, w], slope * bound)
    return total


@pytest.mark.parametrize("number", range(12))
def test_dual_values_are_bounds_in_exact_arithmetic(number):
    """The multipliers prove the claim without any rounding: profits to 1e-8, and infeasibility outright."""
    rng = np.random.default_rng([5, number])
    game = sw.families.random(rng=rng, efforts=3, states=3, observations=2, dominated=number % 2, bound=2.0)
    if number % 2 == 0:
        game = witness.awkward(game, rng)
    solution = sw.solve(game)
    for effort, (found, reason) in enumerate(zip(solution.by_effort, solution.reasons, strict=True)):
        if found is not None:
            least = exact_bound(game, effort, found.multipliers, paid=True)
            assert float(game.worth[effort] - least) == pytest.approx(found.certificate.dual, abs=1e-9)
            assert abs(found.payment - float(least)) < 1e-8 * 2
        else:
            assert exact_bound(game, effort, reason.multipliers, paid=False) > 0
            assert sum(reason.multipliers.rivals) == pytest.approx(1)
    assert any(reason is not None for reason in solution.reasons) or number % 2 == 0


def test_any_multipliers_bound_the_payment(three):
    """Weak duality: made-up multipliers give a bound, only a worse one."""
    rng = np.random.default_rng(0)
    best = sw.solve(three).by_effort[1]
    for _ in range(50):
        enviers, envied = np.nonzero(~np.eye(5, dtype=bool))
        guess = Multipliers(rng.random(3) * [1, 0, 1], enviers, envied, rng.random(20) * rng.random())
        assert guess.bound(three, 1, paid=True) <= best.payment + 1e-12


def test_violation_sees_each_kind_of_fault(three):
    """Improper, unpayable and unpersuasive rules are each caught, by the amount that they are off."""
    rule = sw.solve(three).rule
    assert violation(three, 1, rule) < 1e-12
    assert violation(three, 1, rule.scaled(0.8)) == pytest.approx(0.01)
    assert violation(three, 1, rule.scaled(8)) == pytest.approx(1.0)
    broken = rule.payments.copy()
    broken[0] = [1, 1]
    assert violation(three, 1, sw.Rule(broken, rule.beliefs)) > 0.5
