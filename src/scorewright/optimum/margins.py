"""The widest margin: how firmly an effort can be induced at all."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from scorewright.game import Game
from scorewright.optimum.certificate import Certificate, Multipliers, advantage, violation
from scorewright.optimum.programs import Programs, normalised
from scorewright.rules import Rule
from scorewright.validation import expect


@dataclass(frozen=True)
class Margin:
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
    return widest_margin(Programs(expect(game, Game, "game")), game.effort(effort))


def widest_margin(programs: Programs, effort: int) -> Margin:
    """`margin`, for a caller that already has the programs."""
    game = programs.game
    if len(game.costs) == 1:
        zero = Rule(np.zeros_like(game.beliefs), game.beliefs)
        return Margin(
            math.inf, zero, Certificate.of(0.0, 0.0, 0.0), Multipliers(np.zeros(1), np.zeros((len(zero.beliefs),) * 2))
        )
    found = programs.widest(effort)
    multipliers = normalised(found.multipliers)
    value = advantage(game, effort, found.rule)
    thrifty = programs.cheapest(effort, value)
    rule = found.rule if thrifty is None else thrifty.rule
    value = advantage(game, effort, rule)
    certificate = Certificate.of(value, _most(game, effort, multipliers), violation(game, effort, rule, margin=value))
    return Margin(value, rule, certificate, multipliers)


def _most(game: Game, effort: int, multipliers: Multipliers) -> float:
    """The margin that no rule can beat, by these multipliers."""
    return -multipliers.bound(game, effort, paid=False)
