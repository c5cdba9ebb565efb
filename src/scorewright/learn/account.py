r"""Account: what finding out may cost before it pays.

Who was given rules for some efforts can play the best of them for ever. Against that the learner has lost, by what it
knows now,

.. math:: D = \sum_S n_S \, (b - h(S)) , \qquad b = \max_k h(S_k) ,

:math:`S_k` being the rule that was given for effort k, :math:`n_S` how often rule S was offered, and h what a rule
earns; b is no more than what the best rule seen to work earns, whatever an oracle promised. While a better rule has
repaid everything, D is not above zero, and nothing is limited or entered. Until then, and for good where one of the
given rules is the best there is, each effort k has an *allowance*. Of a step that finds out about k and may cost c, at
most half of what is left of it is risked:

.. math:: A_k + 2 c \le \frac{b - h(S_k)}{(1 - 2 p_k)^2} \bigl(0.7 + \sqrt{t / 80000}\bigr) ,

:math:`A_k` being what was spent on finding out about k, its first plays included, and :math:`p_k` the chance, by all
that is known, that some rule for k beats the incumbent (hopes.py). At even odds nothing is limited: where a better rule
is likelier than not, it is likelier than not that what is spent comes back. (That was measured, at rounds at which a
learner was in debt: where the worlds say 0.5 to 0.75 there is a better rule in eight cases of ten, where they say 0.1
to 0.25 in one or two of ten, and after round 128 in one of thirty.) An effort that was not seen yet is worth as much as
the others are on average; one without a given rule is not limited, since nobody knows what it would cost to find it.

What is limited is also bought with care (`limits`): nothing that is likelier to fail than to work, except to find an
effort that nobody has seen; of what may be switched to, what promises most per price; and nothing about an effort that
was seen more often than the incumbent's, whose reports come for nothing. Trimming the incumbent, and finding out what
its own effort must be paid, is not limited.

Costs are entered as they were reckoned when the step was taken (for as many rounds as it took: an agent that slips may
have to be asked more often than foreseen), and are reckoned anew only to the good: an effort whose reports are unlucky
looks dearer than it is, and were its past plays held against it at that price, nobody would ever ask it again. Where no
given rule is worse than another by anything that matters, the allowance measures nothing, and nothing is limited; nor
is who was told the information, and has only costs to find out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scorewright.learn.move import Move
from scorewright.learn.prospects import WORTHWHILE, Incumbent, Position
from scorewright.tolerance import ROUNDING
from scorewright.validation import Array

FIRST = 0.7
"""Plays of an effort's given rule that finding out about it may cost from the start, if it is not likely to win."""

ANOTHER = 80_000
"""Rounds until that may be one more; the root of the rounds decides."""

RESERVE = 2
"""No step takes more of what is left than one part in so many."""


@dataclass(frozen=True, eq=False)
class Account:
    """What may be spent.

    Attributes
    ----------
    debt : float
        D: what was lost against playing the best of the given rules for ever; below zero if that was beaten.
    allowed : (K,) array
        What finding out about each effort may have cost by now if it has no chance to win; infinite if nothing is
        limited.
    spent : (K,) array
        What it has cost.
    ahead : float
        What the incumbent earns beyond the best given rule.
    familiar : (K,) array
        Which efforts were seen more often than the incumbent's.
    """

    debt: float
    allowed: Array
    spent: Array
    ahead: float
    familiar: NDArray[np.bool_]

    @staticmethod
    def of(position: Position, incumbent: Incumbent) -> Account:
        """Draw it up, by what the worlds expect on average."""
        best, known = _given(position, incumbent)
        debt = float(np.array(position.offered) @ (best - incumbent.profits))
        efforts = len(position.counts)
        lost = np.array([max(0.0, best - earns) for earns in known.values()])
        allowed = np.full(efforts, math.inf)
        if position.ensemble.known is None and lost.sum() > WORTHWHILE * position.size:
            given = list(position.given)
            allowed[given] = lost.mean()
            allowed[list(known)] = lost
            allowed[given] *= FIRST + math.sqrt(position.round / ANOTHER)
        entered = float(position.expenses.sum())
        owed = max(debt, 0.0)
        spent = position.expenses * (owed / entered if entered > owed else 1.0)
        seen = position.counts.sum(axis=1)
        ahead = incumbent.profit - best + ROUNDING * position.size
        return Account(debt, allowed, spent, ahead, seen > seen[incumbent.effort])

    def limits(self, effort: int, better: float) -> bool:
        """Whether finding out about an effort is limited, given the chance that a rule for it beats the incumbent."""
        return self.debt > 0 and math.isfinite(self.allowed[effort]) and better < 0.5

    def paid(self, move: Move, effort: int, better: float) -> Move | None:
        """A step that finds out about an effort, to be entered on its allowance; None if that does not pay for it.

        Nothing is entered if nothing is limited, or if the step costs nothing against the best given rule.
        """
        if not self.limits(effort, better) or move.at_most <= move.repeats * self.ahead:
            return move
        limit = float(self.allowed[effort]) / (1 - 2 * better) ** 2
        if self.familiar[effort] or float(self.spent[effort]) + RESERVE * move.at_most > limit:
            return None
        return replace(move, charged=effort)


def first_plays(position: Position, incumbent: Incumbent) -> Array:
    """What each effort's first plays cost against the best given rule, (K,): the first entries."""
    best, _ = _given(position, incumbent)
    cost = np.array(position.offered) * (best - incumbent.profits)
    return np.maximum(np.bincount(position.ensemble.answers, cost, len(position.counts)), 0.0)


def _given(position: Position, incumbent: Incumbent) -> tuple[float, dict[int, float]]:
    """What the best given rule earns, as far as it can be believed, and what each of those seen to work does."""
    seen = set(position.ensemble.answers[position.ensemble.heard].tolist())
    known = {
        effort: float(incumbent.mean[effort] @ (position.value - expected))
        for effort, expected in position.given.items()
        if effort in seen
    }
    return min(incumbent.profit, max(known.values(), default=incumbent.profit)), known
