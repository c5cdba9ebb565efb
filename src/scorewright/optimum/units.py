"""The optimum in cents: a rule in whole units that still buys the same effort.

Rounding moves expected payments by up to a unit, and the optimum sits on the edge between efforts. So the rule is first
bought with a small margin, then rounded, and kept only if the agent's response to the rounded rule is the one paid for.
"""

from __future__ import annotations

from dataclasses import dataclass

from scorewright.errors import CannotInduceError
from scorewright.game import Game
from scorewright.optimum.solving import solve
from scorewright.rules import Rule
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


def payable(game: Game, unit: float = 0.01) -> Payable:
    """Return a proper rule in whole units, near the optimum of `game`, and what the rounding cost.

    Examples
    --------
    >>> import scorewright as sw
    >>> found = sw.optimum.payable(sw.families.make("three_efforts"), unit=0.02)
    >>> found.effort, round(found.profit, 3), round(found.cost, 3)
    (1, 0.518, 0.007)
    """
    unit = number(unit, "unit", above=0)
    exact = solve(game)
    candidates = [exact.rule]
    for share in (0.25, 0.5, 1.0, 2.0):
        try:
            firm = solve(game, margin=share * unit)
        except CannotInduceError:
            break
        candidates.extend(found.rule for found in firm.by_effort if found is not None)
    tables = [rule.rounded(unit) for rule in candidates]
    profits = [game.profit(rule) for rule in tables]
    best = max(range(len(tables)), key=profits.__getitem__)
    rule = tables[best]
    return Payable(rule, unit, game.respond(rule), profits[best], exact.profit - profits[best])
