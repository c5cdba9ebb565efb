r"""Account: what finding out may cost before it pays.

Who was given rules for some efforts can play the best of them for ever. Against that the learner has lost, by what it
knows now,

.. math:: D = \sum_S n_S \, (b - h(S)) , \qquad b = \max_k h(S_k) ,

:math:`S_k` being the rule that was given for effort k, :math:`n_S` how often rule S was offered, and h what a rule
earns; b is no more than what the best rule seen to work earns, whatever an oracle promised. A better rule than these,
once found and used, repays. Until then, and for good where one of these is the best there is, each step adds to the
debt; so a step that may cost c and promises P in the N rounds to come is taken by round t only if

.. math:: D + 5 c \le U \, \bigl(1.2 + \sqrt{t / 55000}\bigr) + 40 \, P / N , \qquad
          U = \frac K n \sum_k \bigl(b - h(S_k)\bigr) .

U is what it costs to play a rule of every effort once: an effort without a given rule counts as the others do on
average (n of K have one). So much, and more as time goes by, may be lost in doubts. No step takes more than a fifth of
what is left, so that there is always something left for cheap ones; and what goes beyond must be repaid by what is
hoped for, within forty rounds. Where no given rule is worse than another by anything that matters, U measures nothing,
and nothing is limited.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from scorewright.learn.prospects import WORTHWHILE, Incumbent, Position

FIRST = 1.2
"""Plays of a rule of every effort that doubts may cost from the start."""

ANOTHER = 55_000
"""Rounds until they may cost one more; the root of the rounds decides."""

RESERVE = 5
"""No step takes more of what is left than one part in so many."""

REPAID = 40
"""Within so many rounds whatever goes beyond must be repaid, if what is hoped for comes true."""


@dataclass(frozen=True)
class Account:
    """What has been lost so far, and what may be.

    Attributes
    ----------
    debt : float
        D: what was lost against playing the best of the given rules for ever; below zero if that was beaten.
    allowed : float
        What may be lost in doubts by now.
    left : int
        N: rounds to come.
    """

    debt: float
    allowed: float
    left: int

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
        lost = sum(max(0.0, best - earns) for earns in known)
        if lost <= WORTHWHILE * position.size:
            return Account(0.0, math.inf, position.left)
        once = lost * len(position.counts) / len(known)
        debt = float(np.array(position.offered) @ (best - incumbent.profits))
        return Account(debt, once * (FIRST + math.sqrt(position.round / ANOTHER)), position.left)

    def affords(self, cost: float, promise: float = 0.0) -> bool:
        """Whether a step may be taken that costs so much at most and promises so much in all the rounds to come."""
        return self.debt + RESERVE * cost <= self.allowed + min(1.0, REPAID / self.left) * promise
