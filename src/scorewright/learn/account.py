r"""Account: what finding out may cost before it pays.

Who knows a rule for every effort seen so far can play the best of them for ever. Against that the learner has lost, by
what it knows now,

.. math:: D = \sum_S n_S \, (b - h(S)) , \qquad b = \max_k h(S_k) ,

:math:`S_k` being the rule that it was given for effort k (without an oracle the first that k has answered),
:math:`n_S` how often rule S was offered, and h what a rule earns. Once a better rule is found, using it repays: D falls,
below zero soon. Until then, and for good where one of the given rules is the best there is, each step adds to it; so a
step that may cost c and promises P in the N rounds to come is taken only if

.. math:: D + c \le U + 2 P / \sqrt N , \qquad U = \sum_k \bigl(b - h(S_k)\bigr) .

U is what it costs to play every one of those rules once. So much may be lost in doubts; whatever goes beyond that, what
is hoped for must repay within :math:`2 \sqrt N` rounds. N grows, so no effort is given up for good.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from scorewright.learn.prospects import Incumbent, Position

REPAID = 2.0
"""A debt must be repaid within so many times the root of the rounds to come, if what is hoped for comes true."""

FIRSTS = 2.0
"""Plays that count as one where no rule was given: the first rule that shows an effort is small, by design."""


@dataclass(frozen=True)
class Account:
    """What has been lost so far, and what may be.

    Attributes
    ----------
    debt : float
        D: what was lost against playing the best of the known rules for ever; below zero if that was beaten.
    allowed : float
        U: what may be lost in doubts.
    left : int
        N: rounds to come.
    """

    debt: float
    allowed: float
    left: int

    @staticmethod
    def of(position: Position, incumbent: Incumbent) -> Account:
        """Draw it up, by what the worlds expect on average."""
        ensemble, profits = position.ensemble, incumbent.profits
        known, play = {}, {}
        for rule in np.flatnonzero(ensemble.heard).tolist():
            effort = int(ensemble.answers[rule])
            if effort not in known:
                given = position.given.get(effort)
                known[effort] = float(profits[rule])
                play[effort] = FIRSTS
                if given is not None:
                    known[effort] = float(incumbent.mean[effort] @ (position.value - given))
                    play[effort] = 1.0
        best = max(known.values())
        allowed = sum(play[effort] * (best - earns) for effort, earns in known.items())
        return Account(float(np.array(position.offered) @ (best - profits)), allowed, position.left)

    def affords(self, cost: float, promise: float = 0.0) -> bool:
        """Whether a step may be taken that costs so much at most and promises so much in all the rounds to come."""
        return self.debt + cost <= self.allowed + REPAID * promise / math.sqrt(self.left)
