r"""Familiar rules at their best scale.

Under :math:`x\,R` with :math:`x \ge 0` the agent's surplus from effort k is the line :math:`x\,q_k \cdot r - c_k`, so
its response changes only where two lines cross. Between crossings a larger x only pays more for the same effort: the
best scale is zero or one of the crossings, and checking those is exact.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from scorewright import tolerance
from scorewright.errors import InvalidInputError
from scorewright.game import Game
from scorewright.rules import Rule, classic
from scorewright.validation import expect


@dataclass(frozen=True)
class Scaled:
    """A rule at the scale that earns the principal most.

    Attributes
    ----------
    rule : Rule
        The rule, scaled.
    scale : float
        The factor.
    effort : int
        The agent's response.
    profit, payment : float
        Expected profit and payment at that response.
    """

    rule: Rule
    scale: float
    effort: int
    profit: float
    payment: float


def best_scale(game: Game, rule: Rule) -> Scaled:
    """Return `rule` (nonnegative, proper) times the factor that earns the principal most within the bound.

    Examples
    --------
    >>> import scorewright as sw
    >>> game = sw.families.make("three_efforts")
    >>> found = sw.optimum.best_scale(game, sw.rules.quadratic(game.beliefs, bound=1))
    >>> found.effort, round(found.scale, 3), round(found.profit, 3)
    (0, 0.0, 0.5)
    """
    return max(_candidates(game, rule), key=lambda one: one.profit)


def cheapest_scale(game: Game, rule: Rule, effort: Any) -> Scaled | None:
    """Return `rule` times the least factor that makes `effort` a best response; None if none within the bound does.

    Examples
    --------
    >>> import scorewright as sw
    >>> game = sw.families.make("three_efforts")
    >>> found = cheapest_scale(game, sw.rules.v_shaped(game.beliefs, prior=[0.5, 0.5], bound=1), "skim")
    >>> round(found.scale, 9), round(found.payment, 9)
    (0.25, 0.175)
    """
    wanted = expect(game, Game, "game").effort(effort)
    found = []
    for one in _candidates(game, rule):
        surplus = game.surplus(one.rule)
        if surplus[wanted] >= surplus.max() - tolerance.TIE * tolerance.scale(game.bound):
            payment = float(game.information[wanted] @ one.rule.expected)
            found.append(replace(one, effort=wanted, payment=payment, profit=float(game.worth[wanted]) - payment))
    return min(found, key=lambda one: one.payment, default=None)


def _candidates(game: Game, rule: Rule) -> list[Scaled]:
    """The rule at scale zero and at every crossing within the bound, smallest first."""
    expect(rule, Rule, "rule").same_beliefs(expect(game, Game, "game").beliefs)
    if rule.payments.min() < 0:
        raise InvalidInputError(f"rule pays {rule.payments.min():g} somewhere; only a nonnegative rule can be scaled")
    paid = game.information @ rule.expected
    top = float(rule.payments.max())
    largest = game.bound / top if top > 0 else 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        crossings = (game.costs[:, None] - game.costs[None, :]) / (paid[:, None] - paid[None, :])
    inside = np.isfinite(crossings) & (crossings > 0) & (crossings <= largest)
    found = []
    for scale in np.unique(np.append(crossings[inside], 0.0)):
        scaled = rule.scaled(scale)
        effort = game.respond(scaled)
        payment = float(game.information[effort] @ scaled.expected)
        found.append(Scaled(scaled, float(scale), effort, float(game.worth[effort]) - payment, payment))
    return found


def classic_shapes(game: Game) -> dict[str, Rule]:
    """Return the classic rules on the beliefs of `game`, less their fixed part: the smallest payment is zero.

    The V-shaped rule bends at the state's distribution under the cheapest effort.
    """
    prior = expect(game, Game, "game").prior[int(np.argmin(game.costs))]
    shapes = {
        "quadratic": classic.quadratic(game.beliefs, 1.0),
        "spherical": classic.spherical(game.beliefs, 1.0),
        "logarithmic": classic.logarithmic(game.beliefs, 1.0),
        "v-shaped": classic.v_shaped(game.beliefs, prior / prior.sum(), 1.0),
        "linear": classic.linear(game.beliefs, game.utility, 1.0),
    }
    return {name: _without_fixed_part(shape) for name, shape in shapes.items()}


def _without_fixed_part(rule: Rule) -> Rule:
    spread = rule.payments - rule.payments.min()
    # Where all beliefs coincide only rounding is left of a shape; scaled up, that would be a rule of its own.
    return Rule(np.where(spread.max() > tolerance.PROPER, spread, 0.0), rule.beliefs)


def classics(game: Game) -> dict[str, Scaled]:
    """Return each of the `classic_shapes` at the scale that earns the principal most."""
    return {name: best_scale(game, shape) for name, shape in classic_shapes(game).items()}
