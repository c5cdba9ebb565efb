"""The optimum in cents: a rule in whole units that still buys the same effort.

Rounding moves expected payments by up to a unit, and the optimum sits on the edge between efforts. So the rule is first
bought with a small margin, then rounded, and kept only if the agent's response to the rounded rule is the one paid for.
"""

from __future__ import annotations

from dataclasses import dataclass

from scorewright import tolerance
from scorewright.errors import CannotInduceError
from scorewright.game import Game
from scorewright.optimum.certificate import advantage
from scorewright.optimum.solving import solve
from scorewright.rules import Rule
from scorewright.rules.properness import distances, distinct
from scorewright.validation import number


@dataclass(frozen=True)
class Payable:
    """A rule in whole units and what the rounding cost.

    Attributes
    ----------
    rule : Rule
        The rule; every payment is a multiple of `unit`.
    unit : float
    effort : int
        The agent's response.
    profit : float
        The principal's expected profit.
    cost : float
        The optimum's profit less this one.
    """

    rule: Rule
    unit: float
    effort: int
    profit: float
    cost: float


def payable(game: Game, unit: float = 0.01, *, margin: float = 0.0, strength: float = 0.0) -> Payable:
    """Return a proper rule in whole units, near the optimum of `game`, and what the rounding cost.

    The rounded rule keeps the `margin` and `strength` asked for, as in `solve`.

    Raises
    ------
    CannotInduceError
        The unit is too coarse for that margin or strength.

    Examples
    --------
    >>> import scorewright as sw
    >>> found = sw.optimum.payable(sw.families.make("three_efforts"), unit=0.02)
    >>> found.effort, round(found.profit, 3), round(found.cost, 3)
    (1, 0.518, 0.007)
    """
    unit = number(unit, "unit", least=tolerance.SMALLEST)
    exact = solve(game, margin=margin, strength=strength)
    strengthen = _strengthen(game, unit) if strength else 0.0
    rules = [exact.rule]
    for share in (0.25, 0.5, 1.0, 2.0):
        try:
            firm = solve(game, margin=margin + share * unit, strength=strength + share * strengthen)
        except CannotInduceError:
            break
        rules.extend(found.rule for found in firm.by_effort if found is not None)
    kept = [rule for rule in (one.rounded(unit) for one in rules) if _keeps(game, rule, margin, strength)]
    if not kept:
        raise CannotInduceError(
            f"no rule in whole multiples of {unit:g} was found that keeps margin {margin:g} and strength {strength:g}: "
            f"use a smaller unit, or ask for less"
        )
    rule = max(kept, key=game.profit)
    profit = game.profit(rule)
    return Payable(rule, unit, game.respond(rule), profit, exact.profit - profit)


def _strengthen(game: Game, unit: float) -> float:
    """Strength that rounding to `unit` can take from a rule."""
    apart = distances(game.beliefs)[distinct(game.beliefs)]
    return 2 * unit / float(apart.min()) ** 2 if apart.size else 0.0


def _keeps(game: Game, rule: Rule, margin: float, strength: float) -> bool:
    slack = tolerance.TIE * tolerance.scale(game.bound)
    firm = margin == 0 or advantage(game, game.respond(rule), rule) >= margin - slack
    return firm and (strength == 0 or rule.strength >= strength - slack)
