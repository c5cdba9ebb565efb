r"""Account: what finding out may cost before it pays.

Who was given rules for some efforts can play the best of them for ever. Against that the learner has lost, by what it
knows now,

.. math:: D = \sum_S n_S \, (b - h(S)) , \qquad b = \max_k h(S_k) ,

:math:`S_k` being the rule that was given for effort k, :math:`n_S` how often rule S was offered, and h what a rule
earns; b is no more than what the best rule seen to work earns, whatever an oracle promised. While a better rule has
repaid everything, D is not above zero, and nothing is limited or entered. Until then, and for good where one of the
given rules is the best there is, a step that may cost c, and promises P in the N rounds to come, is taken by round t
only if one of two pots pays for it:

.. math:: \min(A, D) + 5 c \le U \, \bigl(1.2 + \sqrt{t / 80000}\bigr) \quad \text{or} \quad
          B + c \le P \max(100 / N, 1 / 100) , \qquad U = \frac K n \sum_k \bigl(b - h(S_k)\bigr) ,

A and B being what was taken from the one and from the other; A begins with what the first plays cost. U is what it
costs to play a rule of every effort once: an effort counts as the others do on average until it was seen and has a
given rule (as n of K have). The *allowance* is that, and more as time goes by; no step takes more than a fifth of what
is left of it, so that something is left for cheap ones. The other pot is filled by *promises*, which must repay it
within a hundred rounds, or a hundredth of the rounds to come.

Costs are entered as they were reckoned when the step was taken (for as many rounds as it took: an agent that slips may
have to be asked more often than foreseen), and are reckoned anew only to the good: an effort whose reports are unlucky
looks dearer than it is, and were its past plays held against it at that price, nobody would ever ask it again. Where no
given rule is worse than another by anything that matters, U measures nothing, and nothing is limited; nor is who was
told the information, and has only costs to find out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from scorewright.learn.expenses import Expenses, Pot
from scorewright.learn.prospects import WORTHWHILE, Incumbent, Position

FIRST = 1.2
"""Plays of a rule of every effort that doubts may cost from the start."""

ANOTHER = 80_000
"""Rounds until they may cost one more; the root of the rounds decides."""

RESERVE = 5
"""No step takes more of what is left than one part in so many."""

REPAID, SHARE = 100, 0.01
"""Within so many rounds, or this share of those to come, what was taken on a promise is repaid if it comes true."""


@dataclass(frozen=True)
class Account:
    """What may be spent.

    Attributes
    ----------
    debt : float
        D: what was lost against playing the best of the given rules for ever; below zero if that was beaten.
    allowed : float
        The allowance so far; infinite if nothing is limited.
    left : int
        N: rounds to come.
    expenses : Expenses
        What was spent.
    """

    debt: float
    allowed: float
    left: int
    expenses: Expenses

    @staticmethod
    def of(position: Position, incumbent: Incumbent) -> Account:
        """Draw it up, by what the worlds expect on average."""
        seen = set(position.ensemble.answers[position.ensemble.heard].tolist())
        known = [
            float(incumbent.mean[effort] @ (position.value - expected))
            for effort, expected in position.given.items()
            if effort in seen
        ]
        best = min(incumbent.profit, max(known, default=incumbent.profit))
        debt = float(np.array(position.offered) @ (best - incumbent.profits))
        lost = sum(max(0.0, best - earns) for earns in known)
        allowed = math.inf
        if position.ensemble.known is None and lost > WORTHWHILE * position.size:
            once = lost * len(position.counts) / len(known)
            allowed = once * (FIRST + math.sqrt(position.round / ANOTHER))
        return Account(debt, allowed, position.left, position.expenses)

    def pot(self, cost: float, promise: float = 0.0) -> Pot | None:
        """What pays for a step that costs so much at most and promises so much in all; None if nothing does."""
        if self.debt <= 0 or math.isinf(self.allowed):
            return "free"
        if min(self.expenses.allowance, self.debt) + RESERVE * cost <= self.allowed:
            return "allowance"
        if self.expenses.promise + cost <= min(1.0, max(REPAID / self.left, SHARE)) * promise:
            return "promise"
        return None
