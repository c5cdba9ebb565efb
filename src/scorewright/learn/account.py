r"""Account: what finding out may cost before it pays.

Who was given rules for some efforts can play the best of them for ever. Against that the learner has lost, by what it
knows now,

.. math:: D = \sum_S n_S \, (b - h(S)) , \qquad b = \max_k h(S_k) ,

:math:`S_k` being the rule that was given for effort k, :math:`n_S` how often rule S was offered, and h what a rule
earns; b is no more than what the best rule seen to work earns, whatever an oracle promised. A better rule than these,
once found and used, repays. Until then, and for good where one of these is the best there is, each step adds to the
debt; so a step for an effort with a given rule that may cost c and promises P in the N rounds to come is taken only if

.. math:: D + c \le U \, \bigl(1 + 0.05 \log_2(1 + t)\bigr) + 100 \, P / N , \qquad U = \sum_k \bigl(b - h(S_k)\bigr) .

U is what it costs to play every given rule once. So much may be lost in doubts by round t; whatever goes beyond that,
what is hoped for must repay within a hundred rounds. Efforts without a given rule are looked for as ever: there is
nothing to fall back on.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from scorewright.learn.prospects import Incumbent, Position

MORE = 0.05
"""Plays of every given rule, besides the first, each time the number of rounds doubles."""

REPAID = 100
"""Within so many rounds a debt must be repaid, if what is hoped for comes true."""


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
        if not known:
            return Account(0.0, math.inf, position.left)
        best = min(incumbent.profit, max(known))
        once = sum(max(0.0, best - earns) for earns in known)
        debt = float(np.array(position.offered) @ (best - incumbent.profits))
        return Account(debt, once * (1 + MORE * math.log2(1 + position.round)), position.left)

    def affords(self, cost: float, promise: float = 0.0) -> bool:
        """Whether a step may be taken that costs so much at most and promises so much in all the rounds to come."""
        return self.debt + cost <= self.allowed + min(1.0, REPAID / self.left) * promise
