"""The widest margin: how firmly an effort can be induced at all."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from scorewright.errors import SolverError
from scorewright.game import Game
from scorewright.optimum.certificate import Certificate, Multipliers, advantage, violation
from scorewright.optimum.programs import Programs
from scorewright.rules import Rule
from scorewright.validation import expect
from scorewright.values import Value


@dataclass(frozen=True, eq=False)
class Margin(Value):
    """The largest slack with which any rule induces an effort.

    Attributes
    ----------
    value : float
        Surplus of the effort less that of its best rival, under `rule`. Negative: it can't be induced. Infinite: it
        has no rival.
    rule : Rule
        The cheapest rule that attains it.
    certificate : Certificate
        `dual` is the margin that no rule can beat.
    multipliers : Multipliers
        The proof. `multipliers.rivals` sums to one: the effort can't beat its rivals, mixed in these proportions, by
        more than `certificate.dual`.
    """

    value: float
    rule: Rule
    certificate: Certificate
    multipliers: Multipliers

    def __float__(self) -> float:
        return self.value


def margin(game: Game, effort: Any) -> Margin:
    """Return the largest slack with which any proper, payable rule induces `effort` (a number or a label).

    Examples
    --------
    >>> import scorewright as sw
    >>> game = sw.families.make("three_efforts")
    >>> [round(sw.margin(game, k).value, 6) for k in range(3)]
    [0.05, 0.035714, 0.05]
    """
    programs = Programs(expect(game, Game, "game"))
    found = firmest(programs, game.effort(effort))
    return _cheaply(programs, game.effort(effort), found) if 0 < found.value < math.inf else found


def firmest(programs: Programs, effort: int) -> Margin:
    """`margin` for a caller that already has the programs, and does not ask that its rule be cheap."""
    game = programs.game
    if len(game.costs) == 1:
        zero = Rule(np.zeros_like(game.beliefs), game.beliefs)
        nobody = np.zeros(0, dtype=np.intp)
        none = Multipliers(np.zeros(1), nobody, nobody, np.zeros(0))
        return Margin(math.inf, zero, Certificate.of(math.inf, math.inf, 0.0), none)
    found = programs.widest(effort)
    return Margin(found.certificate.primal, found.rule, found.certificate, found.multipliers)


def _cheaply(programs: Programs, effort: int, found: Margin) -> Margin:
    """The same margin at the least cost. On the knife's edge the solver may not manage; then the rule stays."""
    try:
        thrifty = programs.cheapest(effort, found.value)
    except SolverError:
        return found
    if thrifty is None:
        return found
    value = advantage(programs.game, effort, thrifty.rule)
    broken = violation(programs.game, effort, thrifty.rule, margin=value, strength=programs.strength)
    return Margin(value, thrifty.rule, Certificate.of(value, found.certificate.dual, broken), found.multipliers)
