r"""Familiar rules at their best scale.

Under :math:`x\,R` with :math:`x \ge 0` the agent's surplus from effort k is the line :math:`x\,q_k \cdot r - c_k`, so its
response changes only where two lines cross. Between crossings a larger x only pays more for the same effort: the best
scale is zero or one of the crossings, and checking those is exact.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scorewright.game import Game
from scorewright.rules import Rule, classic


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
    rule.same_beliefs(game.beliefs)
    paid = game.information @ rule.expected
    top = float(rule.payments.max())
    largest = game.bound / top if top > 0 else 0.0
    speeds = paid[:, None] - paid[None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        crossings = (game.costs[:, None] - game.costs[None, :]) / speeds
    inside = np.isfinite(crossings) & (crossings > 0) & (crossings <= largest)
    candidates = [rule.scaled(x) for x in np.unique(np.append(crossings[inside], 0.0))]
    profits = [game.profit(candidate) for candidate in candidates]
    best = int(np.argmax(profits))
    chosen = candidates[best]
    effort = game.respond(chosen)
    scale = float(np.unique(np.append(crossings[inside], 0.0))[best])
    return Scaled(chosen, scale, effort, profits[best], float(game.information[effort] @ chosen.expected))


def classics(game: Game) -> dict[str, Scaled]:
    """Return each classic rule at its best scale, its fixed part (the smallest payment that it makes) taken off.

    The V-shaped rule bends at the state's distribution under the cheapest effort.
    """
    prior = game.prior[int(np.argmin(game.costs))]
    shapes = {
        "quadratic": classic.quadratic(game.beliefs, 1.0),
        "spherical": classic.spherical(game.beliefs, 1.0),
        "logarithmic": classic.logarithmic(game.beliefs, 1.0),
        "v-shaped": classic.v_shaped(game.beliefs, prior / prior.sum(), 1.0),
        "linear": classic.linear(game.beliefs, game.utility, 1.0),
    }
    return {
        name: best_scale(game, Rule(shape.payments - shape.payments.min(), shape.beliefs))
        for name, shape in shapes.items()
    }
