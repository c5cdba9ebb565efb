"""Named games: their answers on paper."""

from __future__ import annotations

import numpy as np
import pytest

import scorewright as sw
from scorewright.errors import InvalidInputError, UnknownNameError


@pytest.mark.parametrize("e1", np.linspace(-0.5, 0, 21))
def test_the_hard_instance_earns_76_at_one_point(e1):
    """Reading 8: with penalty 1 the region of effort 1 is the point (1, -e1, 0); without, only e1 = -1/2 works."""
    game = sw.families.make("hard_instance", e1=float(e1))
    solution = sw.solve(game)
    assert solution.effort == 1
    assert solution.profit == pytest.approx(76, abs=1e-9)
    assert solution.rule.expected == pytest.approx([1, -e1, 0], abs=1e-9)
    assert sw.margin(game, 1).value == pytest.approx(0, abs=1e-10)
    assert game.respond(solution.rule) == 1
    free = sw.solve(sw.families.make("hard_instance", e1=float(e1), penalty=0.0))
    assert (free.by_effort[1] is not None) == (e1 == -0.5)
    assert game.value == pytest.approx([97, -e1, 32])


@pytest.mark.parametrize("e1", [-0.4, -0.1])
def test_the_response_flips_at_the_point(e1):
    """On the line (1, b, 0) the agent plays effort 2 below b = -e1 and effort 0 above."""
    game = sw.families.make("hard_instance", e1=e1)
    for b, effort in ((-e1 - 0.01, 2), (-e1, 1), (-e1 + 0.01, 0)):
        rule = sw.Rule([[-1, 1], [2 * b - min(1, 2 * b), min(1, 2 * b)], [0, -1]], game.beliefs)
        assert rule.expected == pytest.approx([1, b, 0])
        assert game.respond(rule) == effort


@pytest.mark.parametrize("width", [0.01, 0.3, 1.0, 1.5])
def test_width_opens_the_region(width):
    """The widest margin is width / 16, and the optimum grows with it."""
    game = sw.families.make("hard_instance", width=width)
    assert sw.margin(game, 1).value == pytest.approx(width / 16, abs=1e-9)
    assert sw.solve(game).profit > 76


@pytest.mark.parametrize("seed", range(12))
def test_the_binary_effort_limit_from_both_sides(seed):
    """Effort 1 can be induced up to the limit and not beyond; the V-shaped rule attains it."""
    rng = np.random.default_rng(seed)
    prior = rng.uniform(0.05, 0.95)
    posteriors = (prior * rng.random(), prior + (1 - prior) * rng.random())
    free = sw.families.make("binary_effort", prior=prior, posteriors=posteriors, cost=0.0)
    limit = sw.families.binary_effort_limit(free)
    for factor, inducible in ((1 - 1e-6, True), (1, True), (1 + 1e-6, False)):
        game = sw.families.make("binary_effort", prior=prior, posteriors=posteriors, cost=limit * factor)
        assert (sw.solve(game).by_effort[1] is not None) == inducible
    rule = sw.rules.v_shaped(free.beliefs, [prior, 1 - prior], bound=1)
    assert free.surplus(rule)[1] - free.surplus(rule)[0] == pytest.approx(limit, abs=1e-12)


@pytest.mark.parametrize("trials", range(1, 9))
def test_the_two_action_contract(trials):
    """Least payment 1 / (1 - min_j f0_j / f1_j) when the bound does not bind."""
    game = sw.families.make("two_action_contract", trials=trials, bound=1000.0)
    ratio = (game.information[0] / game.information[1]).min()
    assert sw.solve(game).by_effort[1].payment == pytest.approx(1 / (1 - ratio), abs=1e-9)


def test_the_analyst_story():
    """A manager who pays the optimal rule buys the visit; quadratic payments at any scale do not get that far."""
    game = sw.families.make("analyst")
    solution = sw.solve(game)
    assert game.efforts[solution.effort] == "visit the company"
    assert solution.profit == pytest.approx(14.907692307692308, abs=1e-9)
    assert game.prior == pytest.approx(np.tile([0.6, 0.4], (3, 1)))
    assert sw.optimum.classics(game)["quadratic"].effort == 0


def test_names_and_controls():
    """Every name makes a game; unknown names and controls are told what there is."""
    assert all(isinstance(sw.families.make(name, rng=0), sw.Game) for name in sw.families.names())
    with pytest.raises(UnknownNameError, match="did you mean 'analyst'"):
        sw.families.make("analist")
    with pytest.raises(InvalidInputError, match="no control 'e2'; it takes e1, width, penalty"):
        sw.families.make("hard_instance", e2=0)
    with pytest.raises(InvalidInputError, match="e1"):
        sw.families.make("hard_instance", e1=0.3)


@pytest.mark.parametrize("cost", [0.0, 0.1, 0.4])
def test_two_sources_have_the_margins_they_say(cost):
    """0.5 + cost and 0.5 - cost."""
    game = sw.families.make("two_sources", cost=cost)
    assert [sw.margin(game, k).value for k in range(2)] == pytest.approx([0.5 + cost, 0.5 - cost])
