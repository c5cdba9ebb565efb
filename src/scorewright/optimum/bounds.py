r"""The least bound: how large payments must be allowed to get before an effort can be induced.

With multipliers that certify a margin (`certificate`), the margin that a bound B allows is at most

.. math:: B \sum_{jw} \max(0, -D_{jw}) + \text{penalty} \sum_{jw\ \text{ruled out}} \max(0, D_{jw})
          - \sum_i \mu_i (c_k - c_i),

affine in B: where it crosses zero is a bound below which nothing can be done. The widest margin is concave in B, so
going from one crossing to the next (Newton's method) climbs to the least bound, and reaches it after a few steps.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from scorewright import tolerance
from scorewright.game import Game
from scorewright.optimum.certificate import Certificate, Multipliers, advantage
from scorewright.optimum.programs import Programs
from scorewright.rules import Rule
from scorewright.validation import expect
from scorewright.values import Value


@dataclass(frozen=True, eq=False)
class LeastBound(Value):
    """The least bound at which an effort can be induced.

    Attributes
    ----------
    value : float
        The bound; infinite when no rule was found that induces the effort, however large its payments.
    rule : Rule or None
        A rule with payments up to `value` that induces it.
    certificate : Certificate
        `primal` is `value`; below `dual`, which is proved, no bound will do. Together they are an interval.
    """

    value: float
    rule: Rule | None
    certificate: Certificate

    def __float__(self) -> float:
        return self.value


def least_bound(game: Game, effort: Any) -> LeastBound:
    """Return the least bound at which `effort` (a number or a label) can be induced, the penalty staying as it is.

    Examples
    --------
    >>> import scorewright as sw
    >>> game = sw.families.make("three_efforts")
    >>> round(sw.least_bound(game, 1).value, 6), round(sw.least_bound(game, 2).value, 6)
    (0.25, 0.666667)
    """
    wanted = expect(game, Game, "game").effort(effort)
    needed = float(game.costs[wanted] - game.costs.min())
    if needed <= 0:
        zero = Rule(np.zeros_like(game.beliefs), game.beliefs)
        return LeastBound(0.0, zero, Certificate.of(0.0, 0.0, 0.0))
    return climb(Programs(game), wanted, needed)  # no expected payment exceeds the bound


def climb(programs: Programs, effort: int, below: float) -> LeastBound:
    """Return the least bound for an `effort` that costs more than another, from a bound `below` which nothing will do.

    A crossing beyond all reason, or none, means that no bound will do.
    """
    game = programs.game
    beyond = float(game.costs[effort] - game.costs.min()) / tolerance.FEASIBLE
    while below <= beyond:
        tight = dataclasses.replace(game, bound=below)
        found = dataclasses.replace(programs, game=tight).widest(effort)
        bound, below = below, crossing(tight, effort, found.multipliers)
        if below <= bound * (1 + tolerance.TIE):
            value = float(found.rule.payments.max())
            broken = max(0.0, -found.rule.slack, -advantage(tight, effort, found.rule))
            return LeastBound(value, found.rule, Certificate.of(value, below, broken))
    return LeastBound(math.inf, None, Certificate.of(math.inf, below, 0.0))


def crossing(game: Game, effort: int, multipliers: Multipliers) -> float:
    """The bound at which the certified margin crosses zero."""
    coefficients = multipliers.coefficients(game, effort, paid=False)
    fines = np.maximum(coefficients, 0.0)[game.beliefs == 0].sum() * game.penalty
    needed = float(multipliers.rivals @ (game.costs[effort] - game.costs) - fines)
    speed = float(np.maximum(-coefficients, 0.0).sum())
    return needed / speed if speed > 0 else math.inf
