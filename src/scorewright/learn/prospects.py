"""Prospects: the rules that might be offered next, and what the worlds expect of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scorewright.learn.leads import Kind, Leads, kinds_of
from scorewright.learn.worlds import Ensemble
from scorewright.validation import Array

ROUNDS_TO_COME = 1000
"""Without a horizon: a rule is worth learning as if it were used this often, at least."""

ASKED = 16
"""Worlds asked for their cheapest rules."""

_MIXED = np.array([0.0, 0.03, 0.1, 0.2, 0.35, 0.5, 0.7, 0.85, 0.95, 0.98, 0.993])[:, None, None]
"""Weights of the rule that works in the candidates."""

WORTHWHILE = 0.002
"""What promises less in all the rounds to come, as a share of the largest loss, is not worth the trouble."""


@dataclass(frozen=True, eq=False)
class Position:
    """All that a decision rests on.

    Attributes
    ----------
    ensemble : Ensemble
    value : (M,) array
        The value of each belief to the principal.
    payments : sequence of (M, W) arrays
        The rules answered so far, in the order of the ensemble's answers.
    counts : (K, M) array
        Reports by effort.
    round, horizon : int
        The round to decide for; the last one, if known.
    spent : (K,) array
        What each effort's campaigns have cost.
    doubt : float
        How many times as often as foreseen probes have failed of late; 1 or more.
    names : sequence of str
        What to call the efforts.
    offered : sequence of int
        How often each rule was offered.
    given : {effort: (M,) array}
        What an oracle's rules pay, expected, for each belief.
    expenses : (K,) array
        What finding out about each effort has cost (account.py).
    """

    ensemble: Ensemble
    value: Array
    payments: Sequence[Array]
    counts: Array
    round: int
    horizon: int | None
    spent: Array
    doubt: float
    names: Sequence[str]
    offered: Sequence[int]
    given: Mapping[int, Array]
    expenses: Array

    @property
    def left(self) -> int:
        """Rounds to come, the present one included."""
        if self.horizon is not None and self.round <= self.horizon:
            return self.horizon - self.round + 1
        return max(self.round, ROUNDS_TO_COME)

    @cached_property
    def size(self) -> float:
        """A limit on the loss in one round."""
        return float(np.ptp(self.value)) + self.ensemble.reach

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of worlds."""
        return kinds_of(self.ensemble.tied, self.ensemble.still)

    @cached_property
    def resolution(self) -> float:
        """Payments closer than this to a rule already answered, or to indifference, are not worth telling apart."""
        return WORTHWHILE * self.size / self.left


@dataclass(frozen=True, eq=False)
class Incumbent:
    """The best rule seen to work, and the best for each effort; `earned`: its profit in each world, (P,)."""

    effort: int
    rule: int
    profit: float
    earned: Array
    mean: Array
    by_effort: dict[int, int]
    profits: Array

    @staticmethod
    def of(position: Position) -> Incumbent:
        """The incumbent by the mean information."""
        ensemble = position.ensemble
        mean = ensemble.information.mean(axis=0)
        profits = np.einsum("rm,rm->r", mean[ensemble.answers], position.value - ensemble.expected)
        best = {
            int(effort): max(
                np.flatnonzero(ensemble.heard & (ensemble.answers == effort)).tolist(), key=lambda rule: profits[rule]
            )
            for effort in np.unique(ensemble.answers[ensemble.heard])
        }
        effort = max(best, key=lambda k: profits[best[k]])
        rule = best[effort]
        earned = ensemble.information[:, effort] @ (position.value - ensemble.expected[rule])
        return Incumbent(effort, rule, float(profits[rule]), earned, mean, best, profits)


@dataclass(frozen=True, eq=False)
class Candidates:
    """Rules that might buy one effort, as the worlds see them.

    Attributes
    ----------
    effort : int
    payments, expected : (n, M, W) and (n, M) arrays
    new : (n,) array
        Whether a rule was not offered before.
    fails : (n,) array
        Share of worlds in which another effort answers, not counting the one whose cheapest rule it is.
    chance : (n,) array
        The same with due doubt: never quite 0 for a new rule, and larger if probes have failed too often.
    ahead : (n,) array
        Profit beyond the incumbent's if it works, on average over the worlds, and
    leads : Leads
        kind of world by kind.
    loss : (n,) array
        Mean loss against the incumbent where it fails.
    asked, best : (worlds asked,) arrays
        Which they are, and the most that the effort could earn in each; minus infinity where it can't be induced.
    """

    effort: int
    payments: Array
    expected: Array
    new: NDArray[np.bool_]
    fails: Array
    chance: Array
    ahead: Array
    leads: Leads
    loss: Array
    asked: NDArray[np.intp]
    best: Array

    @property
    def cost(self) -> Array:
        """Expected cost of one round with each, against the incumbent."""
        result: Array = (1 - self.chance) * np.maximum(-self.ahead, 0) + self.chance * self.loss
        return result

    @property
    def failure(self) -> float:
        """F: the loss of a typical failure."""
        return max(float(np.median(self.loss)), 1e-9)


def candidates(position: Position, incumbent: Incumbent, effort: int, seen: NDArray[np.bool_]) -> Candidates | None:
    """Return candidates for an effort, judged by all worlds, or None if no world asked can induce it."""
    ensemble, value = position.ensemble, position.value
    worth = ensemble.information @ value
    asked = ensemble.ask(effort, seen, position.resolution, ASKED)
    best, can = worth[asked.worlds, effort] - asked.payment, np.isfinite(asked.payment)
    cheapest, owners = asked.rules[can], asked.worlds[can]
    if not len(cheapest):
        return None
    base = incumbent.by_effort.get(effort)
    if base is None:
        payments = cheapest
    else:
        works = position.payments[base]
        mixed = (1 - _MIXED) * cheapest[:, None] + _MIXED * works
        payments = np.append(mixed.reshape(-1, *works.shape), works[None], axis=0)
        owners = np.append(np.repeat(owners, len(_MIXED)), owners[0])
    expected = np.einsum("mw,nmw->nm", ensemble.beliefs, payments)
    paid = ensemble.worlds.paid(expected)
    gains = paid - ensemble.costs.T[:, :, None]
    gains[~(seen | (np.arange(len(seen)) == effort))] = -np.inf
    obeyed = gains[effort] >= gains.max(axis=0) - 1e-12 * ensemble.reach
    new = np.ones(len(payments), dtype=bool)
    if base is not None:
        new[-1], obeyed[:, -1] = False, True
    new &= _apart(expected, ensemble.expected[ensemble.heard], position.resolution)
    count = len(obeyed) - 1
    fails = 1 - (obeyed.sum(axis=0) - obeyed[owners, np.arange(len(payments))]) / count
    chance = np.where(new, np.minimum(1, position.doubt * (fails * count + 0.5) / (count + 1)), fails)
    world, rule = np.nonzero(~obeyed)
    made = gains[:, world, rule].argmax(axis=0)
    lost = incumbent.earned[world] + paid[made, world, rule] - worth[world, made]
    broken = np.bincount(rule, minlength=len(payments))
    loss = np.maximum(np.bincount(rule, lost, len(payments)) / np.maximum(broken, 1), 0.02 * position.size)
    return Candidates(
        effort,
        payments,
        expected,
        new,
        fails,
        chance,
        ahead=(value - expected) @ incumbent.mean[effort] - incumbent.profit,
        leads=Leads.of(worth[:, effort, None] - paid[effort], incumbent.earned, position.kinds),
        loss=np.where(broken > 0, loss, 0.3 * position.size),
        asked=asked.worlds,
        best=best,
    )


def _apart(some: Array, others: Array, by: float) -> NDArray[np.bool_]:
    """Which rows differ by more than `by`, somewhere, from every row of the others: only close sums are looked into."""
    close = some.shape[1] * by + 1e-9 * np.abs(others).sum(axis=1)
    row, other = np.nonzero(np.abs(some.sum(axis=1)[:, None] - others.sum(axis=1)) <= close)
    result = np.ones(len(some), dtype=np.bool_)
    result[row[np.abs(some[row] - others[other]).max(axis=1) <= by]] = False
    return result
