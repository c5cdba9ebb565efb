"""Memory: a learner's state in the kernel, and the only way to it."""

from __future__ import annotations

import ctypes
import math
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorewright.errors import DocumentError, InvalidInputError, SolverError
from scorewright.kernel import library as native
from scorewright.kernel.board import Board, Ledger
from scorewright.kernel.library import doubles, library, longs
from scorewright.validation import Array

Hand = Callable[[int, float, Array, Array], tuple[Array, float] | None]
"""Solves Opt-LP for the kernel: effort, room, information (K, M), right-hand sides (K,) to payments and payment."""

_SOLVED, _INFEASIBLE, _FAILED = 1, 0, -2
_NO_ORACLE, _RAISED = -1, -2


@dataclass(frozen=True, eq=False)
class Proposed:
    """What the kernel proposes: see `Offer`; `rule` is the number of a rule played as it is, or -1."""

    phase: native.Phase
    target: int
    rule: int
    payments: Array
    index: Array
    low: float
    high: float
    weight: float


class Memory:
    """What a learner knows of the past, and its next step, in the kernel.

    Parameters
    ----------
    efforts : int
        K, as far as known.
    beliefs, lowest : (M, W) arrays
    bound : float
    value : (M,) array
        The value of each belief to the principal.
    top : float
        Her largest utility, in absolute value.
    """

    def __init__(self, efforts: int, beliefs: Array, lowest: Array, bound: float, value: Array, top: float) -> None:
        self.shape = beliefs.shape
        self._raised = _Flag()
        self._calls: list[Any] = []
        self._handle = library().sw_new(
            efforts, *beliefs.shape, bound, doubles(beliefs), doubles(lowest), doubles(value), top,
            ctypes.byref(self._raised.number),
        )  # fmt: skip
        self._numbers = {np.zeros(self.shape).tobytes(): 0}
        self._strategies = native.Strategies(1.0, 1 / 3, math.nan, 1.0)
        weakref.finalize(self, library().sw_free, self._handle)

    # -- what it plays -----------------------------------------------------------------------------------------------

    def rule(self, payments: Array) -> int:
        """Return the number of a rule, the same for the same payments."""
        table = np.ascontiguousarray(payments)
        key = table.tobytes()
        if key not in self._numbers:
            self._numbers[key] = library().sw_rule(self._handle, doubles(table))
        return self._numbers[key]

    def payments(self, rule: int) -> Array:
        """Return the payments of a rule, by its number."""
        result = np.empty(self.shape)
        library().sw_payments(self._handle, rule, doubles(result))
        return result

    def strategies(self, scale: float, exponent: float = 1 / 3, factor: float | None = None, stop: float = 1.0) -> None:
        """Set the paper's strategies."""
        self._strategies = native.Strategies(scale, exponent, math.nan if factor is None else factor, stop)

    def own_strategies(self, radius: Any, mixing: Any, stop: Any) -> None:
        """Set strategies of the user's own where they are not None: callables like `Radius`, `Mixing`, `Stop`."""
        flag = self._raised

        def radii(seen: Any, efforts: int, beliefs: int, time: int, out: Any) -> None:
            with _Catch(flag):
                given = radius(np.ctypeslib.as_array(seen, (efforts,)).copy(), efforts, beliefs, time)
                found = np.asarray(given, dtype=np.float64)
                if found.shape != (efforts,) or not (found >= 0).all():
                    raise InvalidInputError(
                        f"{type(radius).__name__} returned {given!r:.100}; it must be {efforts} radii, 0 or more each"
                    )
                np.ctypeslib.as_array(out, (efforts,))[:] = found

        def weight(efforts: int, time: int) -> float:
            with _Catch(flag):
                return _within(mixing(efforts, time), mixing, 1.0)
            return 0.0

        def width(rival: float, target: float) -> float:
            with _Catch(flag):
                return _within(stop(rival, target), stop, math.inf)
            return 0.0

        calls = (native.RadiiCall, radius, radii), (native.MixingCall, mixing, weight), (native.WidthCall, stop, width)
        made = [kind() if wanted is None else kind(call) for kind, wanted, call in calls]
        self._calls.extend(made)
        self._strategies.radii, self._strategies.mixing, self._strategies.width = made

    def become_osrl(self, hand: Hand) -> None:
        """Play OSRL-UCB; `hand`, a bound method of the learner, solves what the kernel leaves undecided."""
        flag, shape, method = self._raised, self.shape, weakref.WeakMethod(hand)  # weak: no cycle of references

        def handed(
            effort: int, efforts: int, room: float, share: Any, relaxed: Any, payments: Any, payment: Any
        ) -> int:
            with _Catch(flag):
                information = np.ctypeslib.as_array(share, (efforts, shape[0])).copy()
                solve = method()
                found = solve and solve(effort, room, information, np.ctypeslib.as_array(relaxed, (efforts,)).copy())
                if found is None:
                    return _INFEASIBLE
                np.ctypeslib.as_array(payments, shape)[:] = found[0]
                payment[0] = found[1]
                return _SOLVED
            return _FAILED

        self._calls.append(native.HandCall(handed))
        library().sw_osrl(self._handle, self._strategies, self._calls[-1])

    def leave_to_highs(self) -> None:
        """Let `hand` solve every program that is not trivial, from here on; to compare, or to doubt the kernel."""
        library().sw_leave(self._handle)

    def set_oracle(self, rules: list[int], *, play: bool) -> None:
        """Set the oracle: the number of a rule per effort, -1 for none; `play` each once, first."""
        library().sw_oracle(self._handle, _ints(rules), play)

    def set_arms(self, rules: list[int], aims: list[int], span: float, *, in_turn: bool, phase: native.Phase) -> None:
        """Play these rules: in turn, or by UCB1 with rewards that span `span`."""
        number = native.PHASES.index(phase)
        library().sw_arms(self._handle, len(rules), _ints(rules), _ints(aims), span, in_turn, number)

    # -- rounds ------------------------------------------------------------------------------------------------------

    def propose(self, number: int) -> Proposed:
        """Return the proposal for round `number`."""
        self._check(library().sw_propose(self._handle, number))
        offer = library().sw_offer(self._handle).contents
        return Proposed(
            native.PHASES[offer.phase],
            offer.target,
            offer.rule,
            np.ctypeslib.as_array(offer.payments, self.shape).copy(),
            np.ctypeslib.as_array(offer.index, (max(1, self.tally("efforts")),)).copy(),
            offer.low,
            offer.high,
            offer.weight,
        )

    def absorb(self, effort: int, report: int) -> None:
        """Take in the answer to what was proposed."""
        self.grow(effort + 1)
        self._check(library().sw_absorb(self._handle, effort, report))

    def tell(self, payments: Array, effort: int, report: int) -> None:
        """Take in the answer to any other rule."""
        self.grow(effort + 1)
        library().sw_tell(self._handle, self.rule(payments), effort, report)

    def play(self, board: Board, ledger: Ledger, draws: Array, first: int) -> int:
        """Play a round per row of `draws` with the rational agent; return how many were played."""
        said = ctypes.c_int(0)
        played = library().sw_play(
            self._handle, board.reference, ledger.reference, doubles(draws), first, len(draws), ctypes.byref(said)
        )
        self._check(said.value)
        return int(played)

    def grow(self, efforts: int) -> None:
        """Make room for newly discovered efforts."""
        library().sw_grow(self._handle, efforts)

    def _check(self, said: int) -> None:
        self._raised.check()
        if said == _NO_ORACLE:
            raise InvalidInputError("no effort has an oracle rule that the agent obeyed: OSRL-UCB can't go on")
        if said != 0:
            raise SolverError(f"the kernel gave up (code {said}); please report this game")

    # -- what is known -----------------------------------------------------------------------------------------------

    def tally(self, name: str) -> int:
        """Return one of the kernel's counts: see `library.TALLIES`."""
        counts = np.empty(len(native.TALLIES), dtype=np.int64)
        library().sw_tally(self._handle, longs(counts))
        return int(counts[native.TALLIES.index(name)])

    @property
    def counts(self) -> NDArray[np.int64]:
        """Rounds by effort and report, (K, M)."""
        return self._counted()[0]

    @property
    def oracle(self) -> list[int]:
        """The number of each effort's oracle rule, -1 for none."""
        return [int(rule) for rule in self._counted()[1]]

    def _counted(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        efforts = self.tally("efforts")
        counts, oracle = np.zeros((efforts, self.shape[0]), dtype=np.int64), np.zeros(efforts, dtype=np.int32)
        library().sw_counts(self._handle, longs(counts), oracle.ctypes.data_as(native.Ints))
        return counts, oracle

    def arms(self, count: int) -> tuple[int, Array, Array]:
        """Return the arm proposed last, and rounds and gains of each of the `count` arms."""
        plays, gains = np.zeros(count), np.zeros(count)
        return int(library().sw_arm(self._handle, doubles(plays), doubles(gains))), plays, gains

    def recall(self, number: int) -> tuple[int, int] | None:
        """Return effort and report of a recent round, or None."""
        answer = np.zeros(2, dtype=np.int32)
        found = library().sw_recall(self._handle, number, answer.ctypes.data_as(native.Ints))
        return (int(answer[0]), int(answer[1])) if found else None

    def estimates(self, time: int) -> tuple[Array, Array, Array, Array, Array]:
        """Return information, radii, cost gaps, their radii, and the least payment gaps D, before round `time`."""
        efforts = self.tally("efforts")
        shapes = (efforts, self.shape[0]), (efforts,), (efforts, efforts), (efforts, efforts), (efforts, efforts)
        share, radius, gap, spread, least = (np.zeros(shape) for shape in shapes)
        library().sw_estimates(
            self._handle, time, ctypes.byref(self._strategies), *map(doubles, (share, radius, gap, spread, least))
        )
        self._check(0)
        return share, radius, gap, spread, least

    def recommend(self, spread: Array) -> tuple[int, Array, float, float]:
        """Return effort, payments, profit and half-width of the rule kept whose profit is surely the highest."""
        payments, found = np.zeros(self.shape), np.zeros(2)
        effort = library().sw_recommend(self._handle, doubles(spread), doubles(payments), doubles(found))
        return int(effort), payments, float(found[0]), float(found[1])

    # -- keeping -----------------------------------------------------------------------------------------------------

    def save(self) -> dict[str, Any]:
        """Return everything, JSON-able: two flat lists, in the order of archive.c."""
        sizes = np.zeros(2, dtype=np.int64)
        archive = library().sw_save(self._handle, longs(sizes))
        numbers, integers = np.zeros(sizes[0]), np.zeros(sizes[1], dtype=np.int64)
        library().sw_saved(archive, doubles(numbers), longs(integers))
        plain = [None if math.isinf(number) else number for number in numbers.tolist()]
        return {"efforts": self.tally("efforts"), "numbers": plain, "integers": integers.tolist()}

    def load(self, saved: dict[str, Any]) -> None:
        """Take back what `save` returned, into a memory just made."""
        self.grow(saved["efforts"])
        numbers = np.array([math.inf if number is None else number for number in saved["numbers"]], dtype=np.float64)
        try:
            integers = np.array(saved["integers"], dtype=np.int64)
        except OverflowError:
            raise DocumentError("this state holds a whole number that is too large: it has been changed") from None
        sizes = np.array([len(numbers), len(integers)], dtype=np.int64)
        if not library().sw_load(self._handle, doubles(numbers), longs(integers), longs(sizes)):
            raise DocumentError("this state was not saved by this version of scorewright, or has been changed since")
        for rule in range(self.tally("rules")):
            self._numbers.setdefault(self.payments(rule).tobytes(), rule)


class _Flag:
    """Whether a callback has come to its end, as C sees it, and what it raised if it has not."""

    def __init__(self) -> None:
        self.number = ctypes.c_int32(0)
        self.problem: BaseException | None = None

    def check(self) -> None:
        """Raise what a callback raised; C code can't pass it on."""
        if self.number.value:
            problem, self.problem, self.number.value = self.problem, None, 0
            raise problem or KeyboardInterrupt  # ctypes keeps to itself what comes before a callback's first line


class _Catch:
    """Runs a callback's body; clears the flag that C has set, or keeps what was raised."""

    def __init__(self, flag: _Flag) -> None:
        self.flag = flag

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, problem: BaseException | None, trace: Any) -> bool:
        self.flag.problem = problem
        if problem is None:
            self.flag.number.value = 0
        return True


def _within(value: Any, strategy: Any, most: float) -> float:
    if not 0 <= value <= most:
        limit = "0 or more" if math.isinf(most) else f"between 0 and {most:g}"
        raise InvalidInputError(f"{type(strategy).__name__} returned {value!r:.60}; it must be {limit}")
    return float(value)


def _ints(values: list[int]) -> Any:
    return np.array(values, dtype=np.int32).ctypes.data_as(native.Ints)
