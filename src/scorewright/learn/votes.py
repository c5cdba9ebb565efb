r"""Votes: every rule offered, and how often it was answered with each effort.

A rational agent answers a rule once and for all. One that *slips* makes a random effort now and then, and its answer to
a rule is what most of its votes say: a rule is decided once the leader is ahead by so many votes that a slip is a
thousand times less likely; with a share :math:`\epsilon` of slips among K efforts, each vote has odds of
:math:`K (1 - \epsilon) / \epsilon`. Slips are equally frequent whatever is offered. An agent whose votes on one rule
are *divided*, far more than on the others, does not slip: it is torn between efforts that gain it nearly the same, and
that calls for a margin (tremble.py). Neither does one whose votes against the leader go mostly *one way*: slips fall on
all other efforts alike, which is put to Pearson's test.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorewright.validation import Array

_DECIDED = math.log(1000)
"""Log-odds at which a rule is decided."""

_ONE_WAY = 25.0
"""Pearson's chi-squared, less two for each degree of freedom beyond the first, at which slips go one way: a chance of
less than one in a million for those of an agent that does slip."""

_AT_ONCE = 3
"""So many votes in a row against the leader are a change of mind, not slips."""


class Votes:
    """The rules offered so far, with their votes.

    Parameters
    ----------
    shape : tuple of int
        Of a rule: beliefs and states.
    """

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape
        self.rules: list[Array] = []
        self._at: dict[bytes, int] = {}
        self.plays = np.zeros((0, 0))
        self.strays = np.zeros((0, 0))
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
        self.offered.append(0)
        self.asked.append(0)
        self.against.append(0)
        self.earned.append((0, 0.0))
        return len(self.rules) - 1

    def widen(self, efforts: int) -> None:
        """Make room for newly discovered efforts."""
        more = max(0, efforts - self.plays.shape[1])
        self.plays = np.pad(self.plays, ((0, 0), (0, more)))
        self.strays = np.pad(self.strays, (0, more))

    def count(self, rule: int, effort: int, round_: int, times: int = 1) -> None:
        """Count votes; three in a row against the leader replace all before them."""
        row, leader = self.plays[rule], self.leader(rule)
        stray = effort != leader and bool(row.any())
        self.strays[leader, effort] += times * stray
        self.against[rule] = self.against[rule] + 1 if stray else 0
        if self.against[rule] >= _AT_ONCE:
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

    def divided(self, rule: int) -> bool:
        """Whether the votes on a rule are split more than slips can explain."""
        votes = float(self.plays[rule].sum())
        mean = votes * self.slips(rule)
        return votes - float(self.plays[rule].max()) >= 4 + 3 * mean + 4 * math.sqrt(mean)

    def one_way(self) -> bool:
        """Whether the votes against leaders, by leader, fall too unevenly on the other efforts ever made for slips."""
        made = np.flatnonzero(self.plays.any(axis=0) | self.strays.any(axis=0))
        for leader in made:
            others = self.strays[leader, made[made != leader]]
            even = others.sum() / max(len(others), 1)
            if even > 0 and float(((others - even) ** 2).sum()) / even > _ONE_WAY + 2 * (len(others) - 2):
                return True
        return False

    def save(self) -> dict[str, Any]:
        """Return everything, JSON-able."""
        return {
            "rules": [payments.tolist() for payments in self.rules],
            "plays": self.plays.tolist(),
            "width": self.plays.shape[1],
            "strays": self.strays.tolist(),
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
        self.strays = np.array(saved["strays"], dtype=np.float64).reshape(saved["width"], saved["width"])
        self.offered, self.asked, self.against = (list(saved[part]) for part in ("offered", "asked", "against"))
        self.earned = [(int(rounds), float(earned)) for rounds, earned in saved["earned"]]
        if {len(part) for part in (self.offered, self.asked, self.against, self.earned)} != {len(self.rules)}:
            raise ValueError
