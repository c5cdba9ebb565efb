"""Rule: a payment table over a belief support."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorewright import document, tolerance
from scorewright.errors import InvalidInputError, MismatchError
from scorewright.rules import properness, units
from scorewright.validation import Array, Numbers, expect, number, probabilities, read_only, table, whole
from scorewright.values import Value


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Rule(Value):
    """What is paid for each report in each state.

    Any finite table is a rule; whether it is proper is asked, not enforced.

    Parameters
    ----------
    payments : (M, W) array
        Payment for reporting belief i when the state turns out to be w.
    beliefs : (M, W) array
        The reports: distributions over the states.

    Examples
    --------
    >>> rule = Rule([[0.75, 0.25], [0.25, 0.75]], beliefs=[[0.8, 0.2], [0.2, 0.8]])
    >>> rule.expected
    array([0.65, 0.65])
    >>> rule.is_proper(), round(rule.slack, 12)
    (True, 0.3)
    >>> rule.pay([0.6, 0.4], state=0)
    0.75
    """

    payments: Array
    beliefs: Array

    def __init__(self, payments: Numbers, beliefs: Numbers) -> None:
        support = probabilities(beliefs, "beliefs", ("beliefs", "states"))
        amounts = table(payments, "payments", ("beliefs", "states"))
        if amounts.shape != support.shape:
            raise InvalidInputError(
                f"payments is {_shape(amounts)} but beliefs is {_shape(support)}: one payment per belief and state"
            )
        self._set(payments=amounts, beliefs=support)

    @cached_property
    def expected(self) -> Array:
        """Expected payment of each belief, reported truthfully: ``s_i = <sigma_i, S_i>``, (M,)."""
        total = np.zeros(len(self.beliefs))
        for belief, payment in zip(self.beliefs.T, self.payments.T, strict=True):  # state by state, as the kernel does
            total += belief * payment
        return read_only(total)

    # -- properness --------------------------------------------------------------------------------------------------

    @cached_property
    def slacks(self) -> Array:
        """What belief i loses by reporting j instead: ``<sigma_i, S_i - S_j>``, (M, M)."""
        return read_only(properness.slacks(self.payments, self.beliefs))

    @cached_property
    def slack(self) -> float:
        """The least slack over all pairs of beliefs; at least 0 when the rule is proper (inf for a single belief)."""
        return properness.least_slack(self.payments, self.beliefs)

    @cached_property
    def strength(self) -> float:
        """The largest beta for which the rule is beta-strongly proper on the support.

        ``min over distinct beliefs of 2 <sigma_i, S_i - S_j> / |sigma_i - sigma_j|_1^2``; beliefs that coincide do not
        count, and with fewer than two distinct beliefs the strength is infinite.
        """
        apart = properness.distinct(self.beliefs)
        ratios = 2 * self.slacks[apart] / properness.distances(self.beliefs)[apart] ** 2
        return float(ratios.min(initial=np.inf))

    def is_proper(self) -> bool:
        """Whether truthful reports pay best, within the named tolerance."""
        return self.slack >= -tolerance.PROPER * self._scale

    def is_strictly_proper(self) -> bool:
        """Whether every distinct false report loses more than the named tolerance."""
        apart = properness.distinct(self.beliefs)
        return self.is_proper() and bool((self.slacks[apart] > tolerance.PROPER * self._scale).all())

    def within(self, bound: float, penalty: float = 0.0) -> bool:
        """Whether every payment lies in ``[0, bound]``, or at least ``-penalty`` in a state the report ruled out."""
        return self.excess(bound, penalty) <= tolerance.FEASIBLE * tolerance.scale(bound)

    def excess(self, bound: float, penalty: float = 0.0) -> float:
        """Largest amount by which a payment leaves its range; 0 when none does."""
        bound, penalty = number(bound, "bound", least=0), number(penalty, "penalty", least=0)
        lowest = np.where(self.beliefs == 0, -penalty, 0.0)
        out = np.maximum(self.payments - bound, lowest - self.payments)
        return float(max(0.0, out.max()))

    @property
    def _scale(self) -> float:
        return tolerance.scale(float(np.abs(self.payments).max()))

    # -- reports and payments ----------------------------------------------------------------------------------------

    def row(self, report: Any) -> int:
        """Return the row at which a report counts.

        A belief index counts as itself, and so does a distribution that is one of the beliefs (of several that coincide
        the nearest, then the first). Any other distribution r counts as the row j that maximises ``<r, S_j>``; where
        several pay alike, as under a rule that pays nothing, as the one of them whose belief is nearest, so that what
        was said is not lost. The rule so extended to the whole simplex is proper if it is proper on the support, and
        pays nothing that it did not pay there.
        """
        if isinstance(report, np.ndarray) and report.ndim == 0:
            report = report.item()
        if isinstance(report, str) or not isinstance(report, Iterable):
            return whole(report, "report", least=0, most=len(self.beliefs) - 1)
        distribution = probabilities(report, "report", ("state",))
        if len(distribution) != self.beliefs.shape[1]:
            raise InvalidInputError(
                f"report has {len(distribution)} probabilities but there are {self.beliefs.shape[1]} states"
            )
        return int(self.rows(distribution[None])[0])

    def rows(self, reports: Array) -> NDArray[np.intp]:
        """Return the rows (N,) at which distributions (N, W) count, as `row` does for one of them."""
        away = np.abs(self.beliefs[None] - reports[:, None]).max(axis=2)
        paid = reports @ self.payments.T
        best = paid >= paid.max(axis=1, keepdims=True) - tolerance.ROUNDING * self._scale
        known = away.min(axis=1, keepdims=True) <= tolerance.MERGE
        nearest: NDArray[np.intp] = np.where(best | known, away, np.inf).argmin(axis=1)
        return nearest

    def pay(self, report: Any, state: int) -> float:
        """Payment for a report (belief index or distribution) once the state is known."""
        state = whole(state, "state", least=0, most=self.beliefs.shape[1] - 1)
        return float(self.payments[self.row(report), state])

    # -- other rules from this one -----------------------------------------------------------------------------------

    def mix(self, other: Rule, weight: float) -> Rule:
        """Return ``(1 - weight) * self + weight * other``: proper when both are."""
        self.same_beliefs(expect(other, Rule, "other").beliefs)
        weight = number(weight, "weight", least=0, most=1)
        return Rule((1 - weight) * self.payments + weight * other.payments, self.beliefs)

    def scaled(self, factor: float) -> Rule:
        """Return ``factor * self``: proper when this is, for any factor >= 0."""
        return Rule(number(factor, "factor", least=0) * self.payments, self.beliefs)

    def rounded(self, unit: float = 0.01) -> Rule:
        """Return a proper rule in whole units, close to this one (`rules.rounding` also says what it changed)."""
        return Rule(units.in_units(self.payments, self.beliefs, unit), self.beliefs)

    def over(self, beliefs: Any) -> Rule:
        """Return this rule for another support: each belief gets the row at which it counts."""
        support = probabilities(beliefs, "beliefs", ("beliefs", "states"))
        if support.shape[1] != self.beliefs.shape[1]:
            raise InvalidInputError(
                f"beliefs are over {support.shape[1]} states but this rule pays in {self.beliefs.shape[1]}"
            )
        return Rule(self.payments[[self.row(belief) for belief in support]], support)

    def same_beliefs(self, beliefs: Array) -> None:
        """Raise `MismatchError` unless this rule is over `beliefs`."""
        if beliefs is self.beliefs:
            return
        if self.beliefs.shape != beliefs.shape or np.abs(self.beliefs - beliefs).max() > tolerance.MERGE:
            raise MismatchError(
                f"this rule is over {_shape(self.beliefs)} beliefs x states that differ from the {_shape(beliefs)} "
                f"here; carry it over with rule.over(beliefs)"
            )

    # -- documents ---------------------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Return the rule as a JSON-able document."""
        return document.stamp("rule", {"payments": self.payments.tolist(), "beliefs": self.beliefs.tolist()})

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Rule:
        """Return the rule of a document that `to_dict` made."""
        return cls(**document.check(content, "rule")[1])

    def save(self, path: document.Path_) -> None:
        """Write the rule to a JSON file; `scorewright.load` reads it."""
        document.write(path, self.to_dict())

    def __repr__(self) -> str:
        low, high = self.payments.min(), self.payments.max()
        proper = "proper" if self.is_proper() else "not proper"
        return f"Rule({_shape(self.payments)}, payments from {low:.6g} to {high:.6g}, {proper})"


def _shape(array: Array) -> str:
    return " x ".join(str(n) for n in array.shape)
