"""Familiar rules at their best scale, and the optimum in whole units."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scorewright as sw
from strategies import games


@settings(max_examples=40, deadline=None)
@given(game=games())
def test_no_scale_on_a_fine_grid_does_better(game):
    """The crossings are exact: a thousand scales find nothing better, and the optimum beats them all."""
    solution = sw.solve(game)
    for name, shape in sw.optimum.classic_shapes(game).items():
        found = sw.optimum.best_scale(game, shape)
        assert found.rule.within(game.bound)
        assert found.profit == pytest.approx(game.profit(found.rule))
        assert found.effort == game.respond(found.rule)
        assert solution.profit >= found.profit - 1e-9, name
        top = shape.payments.max()
        if top > 0:
            grid = np.linspace(0, game.bound / top, 1000)
            paid = grid[:, None] * (game.information @ shape.expected)
            played = (paid - game.costs).argmax(axis=1)
            profits = game.worth[played] - paid[np.arange(1000), played]
            assert found.profit >= profits.max() - 1e-9


@settings(max_examples=40, deadline=None)
@given(game=games())
def test_the_cheapest_scale_buys_the_effort(game):
    """Where it exists it induces the effort, and costs no less than the optimum for it."""
    solution = sw.solve(game)
    shape = sw.optimum.classic_shapes(game)["quadratic"]
    for effort, best in enumerate(solution.by_effort):
        found = sw.optimum.cheapest_scale(game, shape, effort)
        if found is not None:
            assert best is not None
            surplus = game.surplus(found.rule)
            assert surplus[effort] >= surplus.max() - 1e-9
            assert found.payment >= best.payment - 1e-9


@settings(max_examples=40, deadline=None)
@given(game=games(), unit=st.sampled_from([0.001, 0.01, 0.1]))
def test_whole_units_cost_what_they_say(game, unit):
    """The rule is proper, payable, in whole units, and its profit is the one stated."""
    found = sw.optimum.payable(game, unit)
    assert found.rule.is_proper()
    assert found.rule.within(game.bound)
    assert np.allclose(found.rule.payments / unit, np.rint(found.rule.payments / unit), atol=1e-9)
    assert game.respond(found.rule) == found.effort
    assert found.profit == pytest.approx(game.profit(found.rule))
    assert found.cost == pytest.approx(sw.solve(game).profit - found.profit)
    assert found.cost >= -1e-9


def test_smaller_units_cost_less():
    """In cents the analyst game loses next to nothing; in whole thousands it loses more."""
    game = sw.families.make("analyst")
    costs = [sw.optimum.payable(game, unit).cost for unit in (0.01, 1.0)]
    assert costs[0] < 0.02 < costs[1] < 1.0


def test_a_tie_at_the_crossing_still_counts():
    """The least factor makes the effort a best response even where the principal would rather have the other."""
    game = sw.Game([[0.5, 0.5], [0.9, 0.1], [0.1, 0.9]], [[1, 0, 0], [0, 0.5, 0.5]], [0, 0.1], [[0, 0]], 1.0)
    rule = sw.rules.v_shaped(game.beliefs, [0.5, 0.5], 1)
    assert sw.optimum.cheapest_scale(game, rule, 1).scale == pytest.approx(0.25)
