"""Board and Ledger: a game and the books of a run, as the compiled loop needs them; and the agent's response."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorewright.kernel import library as native
from scorewright.kernel.library import library
from scorewright.validation import Array


def radii(scale: float, counts: Array, efforts: int, beliefs: int, time: int) -> Array:
    """``scale * sqrt(2 log(K 2^M t) / n_k)``, infinite where n_k = 0."""
    seen, result = np.ascontiguousarray(counts, dtype=np.float64), np.zeros(efforts)
    library().sw_radii(scale, _doubles(seen), efforts, beliefs, time, _doubles(result))
    return result


def paid(information: Array, expected: Array) -> Array:
    """``information . expected``, (K,), summed in the kernel's order."""
    result = np.empty(len(information))
    library().sw_paid(*information.shape, _doubles(information), _doubles(expected), _doubles(result))
    return result


def respond(surplus: Array, profit: Array, slack: float) -> int:
    """Effort with the largest surplus; within `slack` of it the principal's favourite, the first of equals."""
    return int(library().sw_respond(len(surplus), _doubles(surplus), _doubles(profit), slack))


class Board:
    """A game, laid out for the loop.

    Parameters
    ----------
    information : (K, M) array
    costs, worth : (K,) arrays
        `worth` is what each effort's information is worth to the principal.
    beliefs : (M, W) array
    utility : (M, W) array
        Of the decision that each belief calls for, by state.
    slack, optimum : float
        Within which efforts tie; the optimal profit.
    """

    def __init__(
        self, information: Array, costs: Array, worth: Array, beliefs: Array, utility: Array, slack: float, optimum: float
    ) -> None:
        efforts = len(costs)
        tables = (
            information, costs, worth, np.cumsum(information, axis=1), np.cumsum(beliefs, axis=1), utility,
            np.zeros(efforts), np.zeros(efforts),
        )  # fmt: skip
        self._kept = [np.array(table, dtype=np.float64, order="C") for table in tables]
        fixed, scratch = self._kept[:6], self._kept[6:]
        self._structure = native.BoardStructure(
            efforts, *beliefs.shape, *map(_doubles, fixed), slack, optimum, *map(_doubles, scratch)
        )
        self.efforts = efforts

    @property
    def reference(self) -> Any:
        """For the library."""
        return ctypes.byref(self._structure)


class Ledger:
    """The books of a run.

    Parameters
    ----------
    keep : (n,) array of int
        Numbers of the rounds to record, ascending, from 1.
    """

    COLUMNS = ("effort", "target", "phase", "report", "state", "payment", "utility", "regret", "realised_regret")

    def __init__(self, keep: NDArray[np.int64]) -> None:
        self.keep = np.ascontiguousarray(keep, dtype=np.int64)
        whole, real = ([np.zeros(len(keep), dtype=kind) for _ in range(count)] for kind, count in ((np.int64, 5), (float, 4)))
        self._kept = [*whole, *real]
        self._structure = native.LedgerStructure()
        self._structure.wanted = len(keep)
        self._structure.keep = self.keep.ctypes.data_as(native.Longs)
        names = ("effort", "target", "phase", "report", "state", "payment", "utility", "regrets", "realiseds")
        for name, column in zip(names, self._kept, strict=True):
            kind = native.Longs if column.dtype == np.int64 else native.Doubles
            setattr(self._structure, name, column.ctypes.data_as(kind))

    @property
    def reference(self) -> Any:
        """For the library."""
        return ctypes.byref(self._structure)

    @property
    def rounds(self) -> int:
        """Rounds booked."""
        return int(self._structure.rounds)

    def total(self, name: str) -> float:
        """One of the totals: regret, realised, paid, earned, aimed, obeyed."""
        return float(getattr(self._structure, name))

    @property
    def phases(self) -> dict[str, int]:
        """Rounds per phase, where there were any."""
        counts = zip(native.PHASES, self._structure.phases, strict=True)
        return {phase: int(count) for phase, count in counts if count}

    def columns(self) -> dict[str, NDArray[Any]]:
        """What was recorded, by column."""
        found = dict(zip(self.COLUMNS, self._kept, strict=True))
        found["phase"] = np.array(native.PHASES)[found["phase"]]
        return {"round": self.keep, **found}

    def settle(
        self, board: Board, payments: Array, expected: Array, effort: int, target: int, phase: str, draws: Array
    ) -> int:
        """Draw report and state of a round, and book it; return the report."""
        return int(
            library().sw_settle(
                board.reference, self.reference, _doubles(payments), _doubles(expected), effort, target,
                native.PHASES.index(phase), _doubles(draws),
            )
        )  # fmt: skip


def _doubles(array: Array) -> Any:
    return np.ascontiguousarray(array, dtype=np.float64).ctypes.data_as(native.Doubles)
