"""solve: margins, strength, prices, reasons, degenerate games."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scorewright as sw
from scorewright.errors import CannotInduceError, InvalidInputError, SolverError
from scorewright.optimum.programs import Programs
from strategies import games


def test_margin_and_strength_are_kept(three):
    """The returned rule beats every rival by the margin and is as strong as asked; both cost something."""
    plain = sw.solve(three)
    firm = sw.solve(three, margin=0.01, strength=0.1)
    for found in firm.by_effort:
        surplus = three.surplus(found.rule)
        assert surplus[found.effort] - np.delete(surplus, found.effort).max() >= 0.01 - 1e-9
        assert found.rule.strength >= 0.1 - 1e-8
        assert found.certificate.gap < 1e-9
        assert found.payment > plain.by_effort[found.effort].payment
    assert three.respond(firm.rule) == firm.effort


def test_least_payment_by_a_margin_is_known_on_paper(three):
    """Skim must beat guess by m: a V of height h pays 0.7 h and guess 0.5 h, so h = (0.05 + m) / 0.2."""
    for margin in (0.0, 0.01, 0.02):
        found = sw.solve(three, margin=margin).by_effort[1]
        assert found.payment == pytest.approx(0.7 * (0.05 + margin) / 0.2, abs=1e-9)


def test_asking_for_too_much_says_how_much_there_is(three):
    """The errors name the widest margin and the greatest strength."""
    with pytest.raises(CannotInduceError, match=r"widest margin is 0\.05"):
        sw.solve(three, margin=0.2)
    with pytest.raises(CannotInduceError, match="greatest is"):
        sw.solve(three, strength=50)
    with pytest.raises(InvalidInputError, match="takes a Game"):
        sw.solve(three.setting)


@settings(max_examples=30, deadline=None)
@given(game=games(), seed=st.integers(0, 99))
def test_prices_bound_what_changes_are_worth(game, seed):
    """Profit is concave in costs and bound: a price times a change is never less than the true gain."""
    rng = np.random.default_rng(seed)
    costs = np.maximum(0, game.costs + rng.normal(size=len(game.costs)) * 0.02)
    bound = game.bound * rng.uniform(0.8, 1.3)
    moved = sw.solve(dataclasses.replace(game, costs=costs, bound=bound))
    for before, after in zip(sw.solve(game).by_effort, moved.by_effort, strict=True):
        if before is not None and after is not None:
            promised = before.prices.costs @ (costs - game.costs) + before.prices.bound * (bound - game.bound)
            assert after.profit - before.profit <= promised + 1e-9


def test_prices_are_slopes_where_the_optimum_is_smooth(three):
    """A cheaper effort, or a dearer rival, is worth what its price says."""
    price = sw.solve(three).best.prices
    assert price.costs == pytest.approx([3.5, -3.5, 0])
    cheaper = dataclasses.replace(three, costs=[0, 0.049, 0.15])
    assert sw.solve(cheaper).profit - sw.solve(three).profit == pytest.approx(0.0035)
    tight = dataclasses.replace(sw.families.make("analyst"), bound=20.0)
    looser = dataclasses.replace(tight, bound=20.01)
    gain = sw.solve(looser).profit - sw.solve(tight).profit
    assert gain == pytest.approx(0.01 * sw.solve(tight).best.prices.bound, rel=1e-6)
    assert gain > 0


def test_reasons_say_what_is_missing(three):
    """Too little money names the bound that would do; a useless effort says that none would."""
    poor = dataclasses.replace(three, bound=0.5)
    solution = sw.solve(poor)
    assert solution.by_effort[2] is None
    assert solution.reasons[2].least_bound == pytest.approx(2 / 3)
    assert "takes a bound of 0.666667" in str(solution.reasons[2])
    assert solution.reasons[2].certificate.dual < 0
    assert sw.solve(dataclasses.replace(three, bound=0.6667)).by_effort[2] is not None
    useless = sw.Game([[0.5, 0.5], [0.9, 0.1], [0.1, 0.9]], [[0, 0.5, 0.5], [1, 0, 0]], [0, 1], np.eye(2), bound=1)
    reason = sw.solve(useless).reasons[1]
    assert reason.least_bound == np.inf
    assert "no bound would change that" in str(reason)


def test_degenerate_games():
    """One effort, one belief, no money, equal efforts, a belief that never occurs: all ordinary."""
    lone = sw.solve(sw.Game([[0.5, 0.5]], [[1]], [0.3], np.eye(2), bound=1))
    assert (lone.effort, lone.profit, lone.payment) == (0, 0.5, 0)
    broke = sw.solve(sw.Game([[0.5, 0.5], [1, 0]], [[1, 0], [0, 1]], [0, 1], np.eye(2), bound=0))
    assert broke.profit == 0.5
    assert broke.by_effort[1] is None
    twins = sw.solve(sw.Game([[0.5, 0.5], [1, 0]], [[0.5, 0.5], [0.5, 0.5]], [1, 1], np.eye(2), bound=1))
    assert twins.effort == 0
    assert twins.by_effort[1].payment == 0
    dearer = sw.solve(sw.Game([[0.5, 0.5], [1, 0]], [[0.5, 0.5], [0.5, 0.5]], [1, 1 + 1e-6], np.eye(2), bound=1))
    assert dearer.by_effort[1] is None


@pytest.mark.parametrize("bound", [1e-4, 1.0, 1e3, 1e7])
def test_units_of_money_do_not_matter(three, bound):
    """The same game in other units has the same answer, to the same relative precision."""
    game = dataclasses.replace(three, bound=bound, costs=three.costs * bound, utility=three.utility * bound)
    assert [found.payment / bound for found in sw.solve(game).by_effort] == pytest.approx([0, 0.175, 17 / 30], abs=1e-9)


def test_efforts_that_differ_by_less_than_a_billionth():
    """Entries that a solver would drop as noise still decide: the certificate closes."""
    rng = np.random.default_rng(0)
    chances = rng.dirichlet(np.ones(4))
    tilt = np.array([1, -1, 1, -1]) * 3e-8
    beliefs = rng.dirichlet(np.ones(3), size=4)
    game = sw.Game(beliefs, [chances, chances + tilt], [0, 1e-9], np.eye(3), bound=1)
    solution = sw.solve(game)
    assert max(found.certificate.gap for found in solution.by_effort if found is not None) < 1e-8


def test_solutions_as_json(three):
    """Everything a machine needs, in plain JSON."""
    content = json.loads(json.dumps(sw.solve(dataclasses.replace(three, bound=0.5)).to_dict(), allow_nan=False))
    assert content["effort_name"] == "skim"
    assert content["by_effort"][2] is None
    assert content["reasons"][2]["least_bound"] == pytest.approx(2 / 3)
    assert sw.Rule.from_dict(content["rule"]).is_proper()


def test_progress_counts_efforts(three):
    """The callback hears about every effort, in order."""
    heard = []
    sw.solve(three, progress=lambda done, of: heard.append((done, of)))
    assert heard == [(1, 3), (2, 3), (3, 3)]


def test_a_solver_that_gives_up_is_said_in_words(three, monkeypatch):
    """If no way of asking closes the certificate, the error says so; no number is returned."""
    monkeypatch.setattr(Programs, "_closes", lambda *_: False)
    with pytest.raises(SolverError, match="do not agree"):
        sw.solve(three)


@pytest.mark.parametrize(
    ("outcomes", "costs", "bound"),
    [
        ([[0.5 + 1e-9, 0.5 - 1e-9], [0.5, 0.5]], [5e-10, 0], 1),
        ([[0.5 + 1e-6, 0.5 - 1e-6], [0.5, 0.5]], [5e-7, 0], 1000),
    ],
)
def test_near_ties_do_not_choose_the_dearer_effort(outcomes, costs, bound):
    """An effort that ties within tolerance may cost far more to induce; the best is the best of by_effort."""
    game = sw.Game.from_contract(outcomes, rewards=[bound, bound], costs=costs, bound=bound)
    solution = sw.solve(game)
    assert solution.profit == max(found.profit for found in solution.by_effort if found is not None)
    assert solution.profit == pytest.approx(bound)
    assert solution.certificate.gap < 1e-8 * bound


@pytest.mark.parametrize("bound", [1e-8, 1e-3, 1e5, 1e8, 1e13])
def test_the_best_effort_is_found_at_any_bound(three, bound):
    """In small units, and where the bound is only there to be out of the way."""
    unit = min(1.0, bound)
    game = dataclasses.replace(three, bound=bound, costs=three.costs * unit, utility=three.utility * unit)
    solution = sw.solve(game)
    assert solution.effort == 1
    assert solution.profit == pytest.approx(0.525 * unit, rel=1e-6)


def test_an_unbounded_contract():
    """The least payment does not depend on a bound that does not bind."""
    for bound in (1e2, 1e6, 1e9):
        found = sw.solve(sw.families.make("two_action_contract", trials=3, bound=bound)).by_effort[1]
        assert found.payment == pytest.approx(1.3229974160206717, abs=1e-9)


def test_reasons_under_a_strength_are_certified(three):
    """They name the condition, their proof counts it, and they promise no bound that ignores it."""
    reasons = [reason for reason in sw.solve(three, strength=0.707).reasons if reason is not None]
    assert reasons
    for reason in reasons:
        assert "strength 0.707" in str(reason)
        assert "bound of" not in str(reason)
        assert reason.certificate.dual < 0
        assert reason.certificate.gap < 1e-8
    firm = sw.solve(dataclasses.replace(three, bound=0.3), margin=0.01)
    assert all("it takes a bound" not in str(reason) for reason in firm.reasons if reason is not None)


@pytest.mark.parametrize("apart", [1e-7, 1e-8, 3e-9, 1e-10])
@pytest.mark.parametrize("seed", range(6))
def test_beliefs_that_almost_coincide(apart, seed):
    """No hanging, no giving up: an answer for every effort, certified."""
    rng = np.random.default_rng(seed)
    p = rng.uniform(0.1, 0.9)
    costs = rng.uniform(0, 0.2, 2)
    game = sw.Game([[p, 1 - p], [p + apart, 1 - p - apart]], rng.dirichlet(np.ones(2), size=2), costs, np.eye(2), 1.0)
    solution = sw.solve(game)
    assert solution.certificate.gap < 1e-8
    for effort in range(2):
        assert sw.margin(game, effort).certificate.gap < 1e-8


def test_results_are_values(three):
    """Equal games have equal solutions, hashable, whose proofs nobody can change."""
    one, two = sw.solve(three), sw.solve(sw.families.make("three_efforts"))
    assert one == two
    assert hash(one) == hash(two)
    assert sw.margin(three, 1) == sw.margin(three, 1)
    with pytest.raises(ValueError, match="read-only"):
        one.best.multipliers.rivals[0] = 1
