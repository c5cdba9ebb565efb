"""Games with hundreds of beliefs: the plain formulation's answers, certified, in menus of a few rows."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import scorewright as sw
import witness
from scorewright.optimum import levels, task


def large(support: str, states: int, beliefs: int, seed: int = 0) -> sw.Game:
    """A random game with three efforts and about so many beliefs."""
    observations = beliefs // 3 if support == "disjoint" else beliefs
    return sw.families.random(rng=seed, efforts=3, states=states, observations=observations, support=support)


def check(solution: sw.optimum.Solution) -> None:
    """Every certificate closes, recomputed over all pairs of beliefs, and every answer comes with one."""
    game = solution.game
    for effort, (found, reason) in enumerate(zip(solution.by_effort, solution.reasons, strict=True)):
        assert (found is None) != (reason is None)
        if found is None:
            assert reason.certificate.dual < 0
            assert reason.certificate.gap < 1e-9
            continue
        assert found.certificate.gap < 1e-9
        gains = game.beliefs @ found.rule.payments.T
        assert (gains - np.diagonal(gains)[:, None]).max() <= found.certificate.violation + 1e-15
        assert found.certificate.violation < 1e-10
        surplus = game.surplus(found.rule)
        assert surplus[effort] >= surplus.max() - 1e-10
        assert found.rule.within(game.bound, game.penalty)
        assert found.payment == pytest.approx(game.information[effort] @ found.rule.expected, abs=1e-12)


@pytest.mark.parametrize("part", range(4))
def test_small_games_solved_as_large_ones(part, monkeypatch):
    """Awkward games of every kind with rows shared from seven beliefs on: still the plain formulation's answers."""
    monkeypatch.setattr(levels, "FEW", 6)
    monkeypatch.setattr(task, "FEW", 6)
    for number in range(part, 60, 4):
        witness.examine(witness.draw(np.random.default_rng([12, number])), np.random.default_rng([12, number, 1]))


@pytest.mark.parametrize("support", ["disjoint", "shared", "nested"])
@pytest.mark.parametrize("states", [2, 3, 5])
def test_the_plain_formulation_agrees(support, states):
    """Payments to 1e-8 where the plain formulation still can."""
    game = large(support, states, 60)
    solution = sw.solve(game)
    check(solution)
    for effort, found in enumerate(solution.by_effort):
        assert found.payment == pytest.approx(witness.plain(game, effort), abs=1e-8)


@pytest.mark.parametrize(("support", "states"), [("disjoint", 4), ("shared", 4), ("nested", 3), ("disjoint", 2)])
def test_hundreds_of_beliefs_share_few_rows(support, states):
    """Certified, and far fewer rows than beliefs."""
    game = large(support, states, 600)
    solution = sw.solve(game)
    check(solution)
    assert len(np.unique(solution.rule.payments, axis=0)) < len(game.beliefs) / 5


def test_efforts_that_cannot_be_induced_are_certified_among_hundreds_of_beliefs():
    """The reason is a mixture of rivals, and the bound that it would take is right on both sides."""
    game = sw.families.random(rng=5, efforts=3, states=3, observations=40, dominated=1)
    solution = sw.solve(game)
    check(solution)
    assert solution.by_effort[3] is None
    poor = dataclasses.replace(game, bound=0.3)
    reasons = [reason for reason in sw.solve(poor).reasons if reason is not None and np.isfinite(reason.least_bound)]
    assert reasons
    for reason in reasons:
        for factor, inducible in ((1 + 1e-6, True), (1 - 1e-4, False)):
            moved = dataclasses.replace(game, bound=reason.least_bound * factor)
            assert (sw.solve(moved).by_effort[reason.effort] is not None) == inducible


def test_fines_among_many_beliefs():
    """Rows are shared only by beliefs that rule out the same states where there are fines."""
    rng = np.random.default_rng(3)
    game = large("disjoint", 3, 45)
    beliefs = np.where(game.beliefs < 0.2, 0.0, game.beliefs)
    beliefs /= beliefs.sum(axis=1, keepdims=True)
    fined = sw.Game(beliefs, game.information, game.costs, game.utility, bound=0.5, penalty=float(rng.uniform(0.2, 1)))
    solution = sw.solve(fined)
    check(solution)
    for effort, found in enumerate(solution.by_effort):
        payment = witness.plain(fined, effort)
        assert (payment is None) == (found is None)
        if found is not None:
            assert found.payment == pytest.approx(payment, abs=1e-8)


def test_margin_and_strength_among_many_beliefs():
    """The options hold as in small games."""
    game = large("disjoint", 3, 60, seed=2)
    firm = sw.solve(game, margin=0.001)
    check(firm)
    assert all(found.payment >= sw.solve(game).by_effort[found.effort].payment - 1e-12 for found in firm.by_effort)
    strong = sw.solve(game, strength=1e-4)
    assert all(found.rule.strength >= 1e-4 * (1 - 1e-6) for found in strong.by_effort)
    assert all(found.certificate.gap < 1e-9 for found in strong.by_effort)


def test_weights_that_are_exactly_zero():
    """Two efforts that share all beliefs and pin a weight to zero: the belief still needs a row of its own."""
    rng = np.random.default_rng(0)
    for _ in range(8):
        beliefs = rng.dirichlet(np.ones(3), size=30)
        common = rng.integers(0, 4, size=30) / 60
        information = np.stack([common + rng.permutation(common) + 1e-3, common + 1e-3, rng.permutation(common) + 1e-3])
        information /= information.sum(axis=1, keepdims=True)
        game = sw.Game(beliefs, information, [0.0, 0.01, 0.012], np.eye(3), bound=1)
        solution = sw.solve(game)
        check(solution)
        for effort, found in enumerate(solution.by_effort):
            payment = witness.plain(game, effort)
            assert (payment is None) == (found is None)
            if found is not None:
                assert found.payment == pytest.approx(payment, abs=1e-8)


def test_beliefs_that_coincide_by_the_dozen():
    """Clusters of equal beliefs, and beliefs that no effort gives."""
    game = large("shared", 3, 25)
    thrice = sw.Game(
        np.repeat(game.beliefs, 3, axis=0),
        np.repeat(game.information, 3, axis=1) * np.tile([0.5, 0.5, 0.0], 25),
        game.costs,
        game.utility,
        game.bound,
    )
    solution = sw.solve(thrice)
    check(solution)
    for once, found in zip(sw.solve(game).by_effort, solution.by_effort, strict=True):
        assert found.payment == pytest.approx(once.payment, abs=1e-9)
