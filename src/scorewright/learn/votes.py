r"""Votes: every rule offered, and how often it was answered with each effort.

A rational agent answers a rule once and for all. One that *slips* makes a random effort now and then, and its answer to
a rule is what most of its votes say: a rule is decided once the leader is ahead by so many votes that a slip is a
thousand times less likely; with a share :math:`\epsilon` of slips among K efforts, each vote has odds of
:math:`K (1 - \epsilon) / \epsilon`. Slips are as frequent whatever is offered, and fall on all efforts alike. An agent
that is *torn* between efforts that gain it nearly the same votes differently: on some rules far more often against the
leader than on others, and mostly for one other effort; that calls for a margin (tremble.py). The two are told apart by
how likely they make all votes,

.. math:: \prod_r \Bigl( (1 - w) \, P(n_r \mid \epsilon) + w \, P(n_r \mid \text{torn}) \Bigr)
          \quad \text{against} \quad \prod_r P(n_r \mid \epsilon),

where :math:`P(n \mid \epsilon)` is the chance of a rule's votes if the agent slips from one answer, whichever that is,
and :math:`P(n \mid \text{torn})` if any chances of the efforts are possible (a Dirichlet with parameter 1/2); both
sides are averaged over some :math:`\epsilon` and w. Where the agent slips, in up to two fifths of rounds, the ratio
exceeds 1,000 hardly ever.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorewright.learn.priors import log_gamma
from scorewright.validation import Array

_DECIDED = math.log(1000)
"""Log-odds at which a rule, or whether the agent is torn, is decided."""

_SLIPS = np.geomspace(1e-3, 0.4, 12)
"""How often an agent may slip,"""

_TORN = np.array([0.03, 0.1, 0.3])
"""and on what share of the rules one may be torn."""

_AT_ONCE = 3
"""So many votes in a row against the leader are a change of mind, not slips."""

_STEADY = 20
"""After so many votes that were all but one mind, a change of it is not being torn: what was before is forgotten."""


class Votes:
    """The rules offered so far, with their votes.

    Parameters
    ----------
    shape : tuple of int
        Of a rule: beliefs and states.

    Attributes
    ----------
    plays : (rules, K) array
        Votes since the agent last changed its mind on each rule.
    ever : (rules, K) array
        All votes, but for those before a steady mind changed; they fade once the agent is known to be torn.
    """

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape
        self.rules: list[Array] = []
        self._at: dict[bytes, int] = {}
        self.plays = np.zeros((0, 0))
        self.ever = np.zeros((0, 0))
        self.offered: list[int] = []
        self.asked: list[int] = []
        self.against: list[int] = []
        self.earned: list[tuple[int, float]] = []

    def number(self, payments: Array) -> int | None:
        """The number of a rule, or None if it is new."""
        return self._at.get(payments.tobytes())

    def add(self, payments: Array) -> int:
        """Take up a new rule; return its number."""
        self._at[payments.tobytes()] = len(self.rules)
        self.rules.append(payments)
        self.plays = np.vstack([self.plays, np.zeros((1, self.plays.shape[1]))])
        self.ever = np.vstack([self.ever, np.zeros((1, self.ever.shape[1]))])
        self.offered.append(0)
        self.asked.append(0)
        self.against.append(0)
        self.earned.append((0, 0.0))
        return len(self.rules) - 1

    def widen(self, efforts: int) -> None:
        """Make room for newly discovered efforts."""
        more = max(0, efforts - self.plays.shape[1])
        self.plays = np.pad(self.plays, ((0, 0), (0, more)))
        self.ever = np.pad(self.ever, ((0, 0), (0, more)))

    def count(self, rule: int, effort: int, round_: int, times: int = 1) -> None:
        """Count votes; three in a row against the leader replace all before them."""
        row, leader = self.plays[rule], self.leader(rule)
        stray = effort != leader and bool(row.any())
        self.ever[rule, effort] += times
        self.against[rule] = self.against[rule] + 1 if stray else 0
        if self.against[rule] >= _AT_ONCE:
            if row[leader] >= _STEADY and row.sum() - row[leader] <= 0.05 * row.sum() + _AT_ONCE:
                self.ever[rule] = 0.0
                self.ever[rule, effort] = _AT_ONCE
            row[:] = 0.0
            row[effort], self.against[rule] = _AT_ONCE - 1, 0
        row[effort] += times
        self.offered[rule] += times
        self.asked[rule] = round_

    def leader(self, rule: int) -> int:
        """The effort with most votes."""
        return int(np.argmax(self.plays[rule]))

    def ahead(self) -> Array:
        """By how many votes each rule's leader is ahead, (rules,)."""
        ordered = np.sort(np.pad(self.plays, ((0, 0), (2, 0))), axis=1)
        result: Array = ordered[:, -1] - ordered[:, -2]
        return result

    def slips(self, rule: int | None = None) -> float:
        """The share of votes against the leader, over all rules but one; a twentieth to begin with."""
        votes, most = self.plays.sum(axis=1), self.plays.max(axis=1, initial=0.0)
        if rule is not None:
            votes[rule] = most[rule] = 0.0
        return float((1 + (votes - most).sum()) / (20 + votes.sum()))

    def decided(self) -> NDArray[np.bool_]:
        """Which rules have enough votes, (rules,)."""
        error = min(self.slips(), 0.3)
        odds = math.log(max(self.plays.shape[1], 2) * (1 - error) / error)
        result: NDArray[np.bool_] = self.ahead() >= max(2, math.ceil(_DECIDED / odds))
        return result

    def doubtful_half(self, rules: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Half of some rules: those without enough votes first, of equals those asked longest ago."""
        some = np.flatnonzero(rules)
        order = np.lexsort((np.array(self.asked)[some], self.decided()[some]))
        result = np.zeros(len(rules), dtype=np.bool_)
        result[some[order[: len(some) // 2]]] = True
        return result

    def torn(self) -> bool:
        """Whether the votes are a thousand times likelier of an agent that is torn than of one that slips."""
        votes = self.ever[:, self.ever.any(axis=0)]
        count, total = votes.shape[1], votes.sum(axis=1, keepdims=True)
        if count < 2:
            return False
        right, wrong = np.log1p(-_SLIPS * (1 - 1 / count))[:, None, None], np.log(_SLIPS / count)[:, None, None]
        slips = np.logaddexp.reduce(votes * right + (total - votes) * wrong, axis=2) - math.log(count)
        torn = log_gamma(votes + 0.5).sum(axis=1) - log_gamma(total[:, 0] + 0.5 * count)
        torn += math.lgamma(0.5 * count) - count * math.lgamma(0.5)
        share = _TORN[:, None, None]
        either = np.logaddexp(np.log(1 - share) + slips, np.log(share) + torn).sum(axis=2)
        odds = np.logaddexp.reduce(either, axis=None) - math.log(len(_TORN)) - np.logaddexp.reduce(slips.sum(axis=1))
        return bool(odds > _DECIDED)

    def save(self) -> dict[str, Any]:
        """Return everything, JSON-able."""
        return {
            "rules": [payments.tolist() for payments in self.rules],
            "plays": self.plays.tolist(),
            "width": self.plays.shape[1],
            "ever": self.ever.tolist(),
            "offered": list(self.offered),
            "asked": list(self.asked),
            "against": list(self.against),
            "earned": [list(one) for one in self.earned],
        }

    def load(self, saved: dict[str, Any]) -> None:
        """Take back what `save` returned; ValueError if the parts don't fit."""
        self.rules = [np.reshape(np.array(payments, dtype=np.float64), self.shape) for payments in saved["rules"]]
        self._at = {payments.tobytes(): rule for rule, payments in enumerate(self.rules)}
        self.plays = np.array(saved["plays"], dtype=np.float64).reshape(len(self.rules), saved["width"])
        self.ever = np.array(saved["ever"], dtype=np.float64).reshape(len(self.rules), saved["width"])
        self.offered, self.asked, self.against = (list(saved[part]) for part in ("offered", "asked", "against"))
        self.earned = [(int(rounds), float(earned)) for rounds, earned in saved["earned"]]
        if {len(part) for part in (self.offered, self.asked, self.against, self.earned)} != {len(self.rules)}:
            raise ValueError
