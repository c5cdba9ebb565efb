"""The witness: OSRL-UCB computed once more, slowly, from the history alone.

It scans the whole history every round, solves a cold, dense linear program per effort, and shares no code with the
learner or the kernel beyond `Setting` and `Rule`: whoever doubts one can read the other.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from scorewright.game import Setting
from scorewright.learn.offer import Offer
from scorewright.learn.strategies import Mixing, Radius, Stop
from scorewright.rules import Rule
from scorewright.validation import Array

AGREE = 1e-7
"""Two computations agree when they are this close, relative to the size of payments and utilities."""


class DisagreementError(Exception):
    """The run is not what the witness computes; the message says where."""


class Witness:
    """OSRL-UCB once more: checks an offer, takes in its answer."""

    def __init__(self, setting: Setting, oracle: list[Rule | None], radius: Radius, mixing: Mixing, stop: Stop) -> None:
        self.setting, self.oracle = setting, list(oracle)
        self.given = list(oracle)
        self.radius, self.mixing, self.stop = radius, mixing, stop
        self.first = [k for k, rule in enumerate(oracle) if rule is not None]
        self.past: list[tuple[Array, int, int]] = []
        self.seen: Counter[int] = Counter()
        self.seek: dict[str, Any] | None = None
        self.frozen: list[float] = []
        self.known = len(oracle)
        self.tally = dict.fromkeys(("optimised", "searched", "nontrivial", "programs", "nonzero", "infeasible"), 0)
        terms = setting.terms
        self.scale = max(1.0, terms.bound, float(np.abs(setting.utility).max()))

    # -- one offer ---------------------------------------------------------------------------------------------------

    def check(self, offer: Offer) -> None:
        """Compare an offer with what it should be."""
        number = len(self.past) + 1
        self._same(offer.number, number, "the number of the offer")
        self._sound(offer.rule)
        if number <= len(self.first):
            self._phase(offer, "oracle")
            target = self.first[number - 1]
            self._same(offer.target, target, "the target of an oracle round")
            given = self.given[target]
            self._close(offer.rule.payments, given.payments if given else None, "the oracle rule")
        elif self.seek is not None:
            self._phase(offer, "search")
            seek = self.seek
            self._same(offer.target, seek["target"], "the target of a search")
            middle = (seek["low"] + seek["high"]) / 2
            self._close(offer.rule.payments, (1 - middle) * seek["start"] + middle * seek["end"], "the midpoint")
            self.tally["searched"] += 1
        else:
            self._phase(offer, "optimise")
            self._optimise(offer)
            self.tally["optimised"] += 1

    def answer(self, offer: Offer, effort: int, report: int) -> None:
        """Take in the answer to an offer."""
        number = len(self.past) + 1
        self.oracle += [None] * (effort + 1 - len(self.oracle))
        if number <= len(self.first):
            target = self.first[number - 1]
            if effort != target:
                self.oracle[target] = None
                if self.oracle[effort] is None:
                    self.oracle[effort] = offer.rule
        elif self.seek is not None:
            middle = (self.seek["low"] + self.seek["high"]) / 2
            if effort == self.seek["target"]:
                self.seek["high"] = middle
            else:
                self.seek["low"], self.seek["other"] = middle, effort
            self._end_search()
        elif effort != offer.target and self._alpha(self.known, number) < 1:
            end = None if offer.target is None else self.oracle[offer.target]
            if end is None:
                raise DisagreementError(f"effort {offer.target} was targeted without an oracle rule")
            ends = {"start": offer.rule.payments, "end": end.payments}
            self.seek = ends | {"target": offer.target, "low": 0.0, "high": 1.0, "other": effort}
            self._end_search()
        self.past.append((self._expected(offer.rule.payments), effort, report))
        self.seen[effort] += 1

    def _expected(self, payments: Array) -> Array:
        return np.array([own @ row for own, row in zip(self.setting.terms.beliefs, payments, strict=True)])

    def _alpha(self, efforts: int, number: int) -> float:
        if type(self.mixing) is not Mixing:
            return self.mixing(efforts, number)
        factor = efforts if self.mixing.factor is None else self.mixing.factor
        return float(min(1.0, factor / number**self.mixing.exponent))

    def _width(self, other: float, target: float) -> float:
        return self.stop.scale * min(other, target) if type(self.stop) is Stop else self.stop(other, target)

    def _end_search(self) -> None:
        seek = self.seek
        if seek is not None:
            other = self.frozen[seek["other"]] if seek["other"] < len(self.frozen) else math.inf
            width = self._width(other, self.frozen[seek["target"]])
            middle = (seek["low"] + seek["high"]) / 2
            if seek["high"] - seek["low"] < width or middle in (seek["low"], seek["high"]):
                self.seek = None

    # -- an optimise round -------------------------------------------------------------------------------------------

    def _optimise(self, offer: Offer) -> None:
        count = len(self.oracle)
        shares, seen = self._shares()
        spread = self.freeze(seen)
        gap, gap_spread = self._gaps(shares, seen, spread)
        if offer.index is None:
            raise DisagreementError("an optimise round without indices")
        easy = self.tally["nonzero"] + self.tally["infeasible"]
        values = [self._value(k, shares, seen, spread, gap, gap_spread) for k in range(count)]
        self.tally["nontrivial"] += self.tally["nonzero"] + self.tally["infeasible"] > easy
        for k, (value, _) in enumerate(values):
            if not (value == offer.index[k] or abs(value - offer.index[k]) <= AGREE * self.scale):
                raise DisagreementError(f"index of effort {k}: {offer.index[k]!r} there, {value!r} here")
        target = offer.target
        if target is None or offer.index[target] < max(offer.index):
            raise DisagreementError(f"target {target} does not have the highest index")
        if target != int(np.argmax(offer.index)):
            raise DisagreementError(f"target {target} is not the first effort with the highest index")
        self._deployed(offer, target, values[target][1], shares, spread, gap, gap_spread)

    def freeze(self, seen: Sequence[int] | None = None) -> list[float]:
        """The radii of this round, kept for the search that may follow."""
        number, count, beliefs = len(self.past) + 1, len(self.oracle), self.setting.terms.beliefs.shape[0]
        if seen is None:
            seen = [self.seen[k] for k in range(count)]
        logarithm = math.log(count) + beliefs * math.log(2) + math.log(number)
        spread = [self.radius.scale * math.sqrt(2 * logarithm / n) if n else math.inf for n in seen]
        if type(self.radius) is not Radius:
            spread = self.radius(np.array(seen, dtype=np.float64), count, beliefs, number).tolist()
        self.frozen, self.known = spread, count
        return spread

    def _deployed(
        self, offer: Offer, target: int, payment: float | None, shares: Array, spread: list[float],
        gap: Array, gap_spread: Array,
    ) -> None:  # fmt: skip
        """The deployed rule is the oracle rule mixed with an optimal solution of the target's program."""
        oracle = self.oracle[target]
        if oracle is None:
            raise DisagreementError(f"effort {target} has no oracle rule")
        weight = self._alpha(len(self.oracle), len(self.past) + 1)
        if weight >= 1:
            self._close(offer.rule.payments, oracle.payments, "the deployed rule, all oracle")
            return
        part = (offer.rule.payments - weight * oracle.payments) / (1 - weight)
        if payment is None:
            self._close(part, oracle.payments, "the oracle rule in place of an infeasible program")
            return
        blur = AGREE / (1 - weight)
        terms = self.setting.terms
        self._sound(Rule(np.clip(part, terms.lowest, terms.bound), terms.beliefs))
        if np.any(part < terms.lowest - blur) or np.any(part > terms.bound + blur):
            raise DisagreementError("the optimistic rule leaves its bounds")
        expected = self._expected(part)
        room = terms.bound * spread[target]
        own = float(shares[target] @ expected)
        needed = own - room
        zero = -room
        for i, other in enumerate(spread):
            if i != target and other < math.inf and gap_spread[target, i] < math.inf:
                relaxed = gap[target, i] - gap_spread[target, i] - terms.bound * other
                needed = max(needed, float(shares[i] @ expected) + relaxed)
                zero = max(zero, relaxed)
        if needed > own + room + blur * self.scale:
            raise DisagreementError("the optimistic rule is not feasible for its program")
        if needed > payment + blur * self.scale:
            raise DisagreementError(f"the optimistic rule needs a payment of {needed!r}; the optimum is {payment!r}")
        if zero <= room and np.abs(part).max() > blur * self.scale:
            raise DisagreementError("the zero rule is optimal but was not taken")

    def _value(
        self, k: int, shares: Array, seen: list[int], spread: list[float], gap: Array, gap_spread: Array
    ) -> tuple[float, float | None]:
        """Index of effort k, and the optimal payment of its program (None if infeasible or not targeted)."""
        oracle = self.oracle[k]
        if oracle is None or seen[k] == 0:
            return -math.inf, None
        terms = self.setting.terms
        top = float(np.abs(self.setting.utility).max())
        gain = float(shares[k] @ self.setting.value)
        self.tally["programs"] += 1
        rivals = [i for i in range(len(seen)) if i != k and seen[i] and gap_spread[k, i] < math.inf]
        relaxed = {i: gap[k, i] - gap_spread[k, i] - terms.bound * spread[i] for i in rivals}
        payment = self._program(k, shares, terms.bound * spread[k], relaxed)
        if payment is None:
            self.tally["infeasible"] += 1
            paid = float(shares[k] @ self._expected(oracle.payments))
            return gain - paid + (terms.bound + top) * spread[k], None
        if max(relaxed.values(), default=-math.inf) > terms.bound * spread[k]:
            self.tally["nonzero"] += 1
        return gain + top * spread[k] - payment, payment

    def _program(self, k: int, shares: Array, room: float, relaxed: dict[int, float]) -> float | None:
        """Least v, by a dense program over all payments and v; None if infeasible."""
        import highspy

        beliefs, terms = self.setting.terms.beliefs, self.setting.terms
        count, states = beliefs.shape
        unit = (terms.bound or 1.0) / 1000  # HiGHS's least tolerance, 1e-10, is then 1e-13 of the bound
        rows, least = [], []
        for i in range(count):
            for j in range(count):
                if i != j:
                    row = np.zeros((count, states))
                    row[i] += beliefs[i]
                    row[j] -= beliefs[i]
                    rows.append(np.append(row.ravel(), 0.0))
                    least.append(0.0)
        own = (shares[k][:, None] * beliefs).ravel()
        rows += [np.append(own, -1.0), np.append(-own, 1.0)]
        least += [-room / unit, -room / unit]
        for i, needed in relaxed.items():
            rows.append(np.append(-(shares[i][:, None] * beliefs).ravel(), 1.0))
            least.append(needed / unit)
        matrix = np.array(rows)
        solver = highspy.Highs()  # type: ignore[no-untyped-call]
        tight = {
            "primal_feasibility_tolerance": 1e-10,
            "dual_feasibility_tolerance": 1e-10,
            "small_matrix_value": 1e-12,
        }
        model = highspy.HighsLp()
        model.num_col_, model.num_row_ = matrix.shape[1], matrix.shape[0]
        model.col_cost_ = np.append(np.zeros(count * states), 1.0)
        model.col_lower_ = np.append(terms.lowest.ravel() / unit, -highspy.kHighsInf)
        model.col_upper_ = np.append(np.full(count * states, terms.bound / unit), highspy.kHighsInf)
        model.row_lower_, model.row_upper_ = np.array(least), np.full(len(least), highspy.kHighsInf)
        model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        model.a_matrix_.start_ = np.arange(matrix.shape[1] + 1) * matrix.shape[0]
        model.a_matrix_.index_ = np.tile(np.arange(matrix.shape[0]), matrix.shape[1])
        model.a_matrix_.value_ = matrix.T.ravel()
        for option, value in (("presolve", "off"), ("presolve", "on"), ("simplex_strategy", 4)):
            solver.clear()
            for name, setting in {"output_flag": False, **tight, option: value}.items():
                solver.setOptionValue(name, setting)
            solver.passModel(model)
            solver.run()
            status = solver.getModelStatus()
            if status == highspy.HighsModelStatus.kInfeasible:
                return None
            if status == highspy.HighsModelStatus.kOptimal:
                return float(solver.getInfo().objective_function_value) * unit
        raise DisagreementError(f"the audit's own program ended in {status}, however it was asked")

    # -- estimates, from the whole history ---------------------------------------------------------------------------

    def _shares(self) -> tuple[Array, list[int]]:
        shares = np.zeros((len(self.oracle), len(self.setting.terms.beliefs)))
        for _, effort, report in self.past:
            shares[effort, report] += 1
        seen = [int(row.sum()) for row in shares]
        return np.array([row / max(1, n) for row, n in zip(shares, seen, strict=True)]), seen

    def _gaps(self, shares: Array, seen: list[int], spread: list[float]) -> tuple[Array, Array]:
        count, bound = len(seen), self.setting.terms.bound
        upper, lower = np.full((count, count), np.inf), np.full((count, count), -np.inf)
        for expected, effort, _ in self.past:
            paid = [float(q @ expected) for q in shares]
            for other in range(count):
                if other != effort:
                    upper[effort, other] = min(upper[effort, other], paid[effort] - paid[other])
                    lower[other, effort] = max(lower[other, effort], paid[other] - paid[effort])
        middle, half = np.zeros((count, count)), np.zeros((count, count))
        for i in range(count):
            for j in range(count):
                if i != j:
                    room = bound * (spread[i] + spread[j])
                    known = seen[i] > 0 and seen[j] > 0
                    high, low = upper[i, j] + room, lower[i, j] - room
                    middle[i, j] = (high + low) / 2 if known else 0.0
                    half[i, j] = max((high - low) / 2, 0.0) if known else math.inf
        return self._paths(middle, half, 1e-12 * max(1.0, bound))

    @staticmethod
    def _paths(middle: Array, half: Array, detour: float) -> tuple[Array, Array]:
        """Sums along shortest paths; the direct edge wins ties, then the lower-numbered effort on the way."""
        gap, length, count = middle.copy(), half.copy(), len(half)
        for via in range(count):
            before_gap, before = gap.copy(), length.copy()
            for i in range(count):
                for j in range(count):
                    if before[i, via] + before[via, j] < before[i, j] - detour:
                        length[i, j] = before[i, via] + before[via, j]
                        gap[i, j] = before_gap[i, via] + before_gap[via, j]
        return gap, length

    # -- saying what is wrong ----------------------------------------------------------------------------------------

    def _sound(self, rule: Rule) -> None:
        terms = self.setting.terms
        for i, own in enumerate(terms.beliefs):
            for j in range(len(terms.beliefs)):
                if own @ (rule.payments[i] - rule.payments[j]) < -AGREE * self.scale:
                    raise DisagreementError(f"the rule is not proper: belief {i} would rather report {j}")
        if np.any(rule.payments < terms.lowest - AGREE) or np.any(rule.payments > terms.bound + AGREE):
            raise DisagreementError("the rule leaves its bounds")

    def _phase(self, offer: Offer, phase: str) -> None:
        self._same(offer.phase, phase, "the phase")

    @staticmethod
    def _same(theirs: Any, ours: Any, what: str) -> None:
        if theirs != ours:
            raise DisagreementError(f"{what}: {theirs!r} there, {ours!r} here")

    def _close(self, theirs: Array, ours: Array | None, what: str) -> None:
        if ours is None or np.abs(theirs - ours).max() > AGREE * self.scale:
            raise DisagreementError(f"{what} differs")
