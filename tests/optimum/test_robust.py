"""Robust design: against a linear program written down plainly, and in what it promises."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

import scorewright as sw
from scorewright.errors import CannotInduceError, InvalidInputError

THREE = sw.families.three_efforts()


def shaken(game: sw.Game, count: int, size: float, seed: int = 0) -> np.ndarray:
    """Information near the game's: mixed with random rows."""
    chance = np.random.default_rng(seed)
    noise = chance.dirichlet(np.ones(len(game.beliefs)), size=(count, len(game.costs)))
    return (1 - size) * game.information + size * noise


def plainly(game: sw.Game, worlds: np.ndarray, effort: int) -> float | None:
    """Worst-case profit of the best rule for an effort: every row written down, solved by scipy."""
    beliefs, states = game.beliefs.shape
    rows, limits = [], []
    for i in range(beliefs):
        for j in range(beliefs):
            row = np.zeros((beliefs, states))
            row[i] -= game.beliefs[i]
            row[j] += game.beliefs[i]
            rows.append(np.append(row.ravel(), 0.0))
            limits.append(0.0)
    for world in [game.information, *worlds]:
        for rival in range(len(game.costs)):
            row = (world[rival] - world[effort])[:, None] * game.beliefs
            rows.append(np.append(row.ravel(), 0.0))
            limits.append(game.costs[rival] - game.costs[effort])
        rows.append(np.append((world[effort][:, None] * game.beliefs).ravel(), 1.0))
        limits.append(world[effort] @ game.value)
    box = [(0, game.bound)] * (beliefs * states) + [(None, None)]
    found = linprog(np.append(np.zeros(beliefs * states), -1.0), rows, limits, bounds=box, method="highs")
    return -found.fun if found.status == 0 else None


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 1000), st.integers(2, 4), st.integers(2, 3), st.sampled_from([0.01, 0.05, 0.2]))
def test_against_the_plain_program(seed, efforts, states, size):
    """Same worst-case profits, same verdicts, certified."""
    game = sw.families.random(rng=seed, efforts=efforts, states=states, observations=2)
    worlds = shaken(game, 12, size, seed)
    solution = sw.solve(game, uncertainty=worlds)
    for effort, found in enumerate(solution.by_effort):
        expected = plainly(game, worlds, effort)
        if found is None:
            assert expected is None
            reason = solution.reasons[effort]
            assert reason is not None
            assert reason.certificate.dual < 1e-9
        else:
            assert found.profit == pytest.approx(expected, abs=1e-6)
            assert found.certificate.gap < 1e-6
            assert found.certificate.violation < 1e-7
            for world in worlds:
                surplus = world @ found.rule.expected - game.costs
                assert surplus[effort] >= surplus.max() - 1e-7
                assert world[effort] @ (game.value - found.rule.expected) >= found.profit - 1e-7
    assert solution.certificate.gap < 1e-6


def test_no_doubt_costs_nothing():
    """With the game itself as the only scenario the robust rule is the optimal one."""
    solution = sw.solve(THREE, uncertainty=THREE.information[None])
    assert solution.profit == pytest.approx(0.525, abs=1e-8)
    assert solution.price == pytest.approx(0, abs=1e-8)
    assert solution.effort == 1


def test_more_doubt_costs_more():
    """Nested sets: worst-case profit falls, and plain is never below what robust earns as estimated."""
    worlds = shaken(THREE, 60, 0.1)
    profits = [sw.solve(THREE, uncertainty=worlds[:count]).profit for count in (1, 10, 60)]
    assert profits[0] >= profits[1] >= profits[2]
    solution = sw.solve(THREE, uncertainty=sw.optimum.Uncertainty(worlds))
    assert solution.price >= -1e-9
    assert solution.plain.profit == pytest.approx(0.525)
    assert solution.estimated >= solution.profit
    assert "price" in repr(solution)
    assert solution.to_dict()["scenarios"] == 60


def test_what_can_not_be_induced_in_all_of_them_says_so():
    """An effort that one scenario makes useless is refused in words; the cheapest is always there."""
    useless = THREE.information.copy()
    useless[2] = useless[0]
    solution = sw.solve(THREE, uncertainty=[useless])
    assert solution.by_effort[2] is None
    assert "plausible" in str(solution.reasons[2])
    assert solution.by_effort[0] is not None
    either = sw.families.two_sources(cost=0)
    with pytest.raises(CannotInduceError, match="in all of 1 plausible games"):
        sw.solve(either, uncertainty=[either.information[::-1]], margin=0.1)


def test_margin_and_strength_hold_in_every_scenario():
    """As for the plain optimum."""
    worlds = shaken(THREE, 10, 0.02)
    solution = sw.solve(THREE, uncertainty=worlds, margin=0.01, strength=0.05)
    assert solution.rule.strength >= 0.05 - 1e-7
    for world in worlds:
        surplus = world @ solution.rule.expected - THREE.costs
        assert surplus[solution.effort] >= np.delete(surplus, solution.effort).max() + 0.01 - 1e-7


def test_the_central_scenarios():
    """Half of them, the nearest to the estimate."""
    near, far = shaken(THREE, 10, 0.01), shaken(THREE, 10, 0.3)
    known = sw.optimum.Uncertainty(np.concatenate([far, near]))
    assert len(known) == 20
    kept = known.central(THREE.information, 0.5)
    np.testing.assert_array_equal(kept.information, near)


def test_bad_input():
    """Shapes and probabilities."""
    for bad in (THREE.information, [[[0.5, 0.6]]], THREE.information[None, :2], "all"):
        with pytest.raises(InvalidInputError, match="uncertainty"):
            sw.solve(THREE, uncertainty=bad)
