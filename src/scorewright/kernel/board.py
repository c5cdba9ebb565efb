"""Board and Ledger: a game and the books of a run, as the compiled loop needs them."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorewright.kernel import library as native
from scorewright.kernel.library import doubles, library
from scorewright.validation import Array


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
        self,
        information: Array,
        costs: Array,
        worth: Array,
        beliefs: Array,
        utility: Array,
        slack: float,
        optimum: float,
    ) -> None:
        efforts = len(costs)
        tables = (
            information, costs, worth, np.cumsum(information, axis=1), np.cumsum(beliefs, axis=1), utility,
            np.zeros(efforts), np.zeros(efforts),
        )  # fmt: skip
        self._kept = [np.array(table, dtype=np.float64, order="C") for table in tables]
        fixed, scratch = self._kept[:6], self._kept[6:]
        self._structure = native.BoardStructure(
            efforts, *beliefs.shape, *map(doubles, fixed), slack, optimum, *map(doubles, scratch)
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
        whole, real = (
            [np.zeros(len(keep), dtype=kind) for _ in range(count)] for kind, count in ((np.int64, 5), (float, 4))
        )
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
        self,
        board: Board,
        payments: Array,
        expected: Array,
        effort: int,
        target: int,
        phase: native.Phase,
        draws: Array,
    ) -> int:
        """Draw report and state of a round, and book it; return the report."""
        return int(
            library().sw_settle(
                board.reference, self.reference, doubles(payments), doubles(expected), effort, target,
                native.PHASES.index(phase), doubles(draws),
            )
        )  # fmt: skip

    def book(
        self,
        board: Board,
        payments: Array,
        expected: Array,
        effort: int,
        target: int,
        phase: native.Phase,
        report: int,
        state: int,
    ) -> None:
        """Book a round whose report and state came together, from outside."""
        library().sw_book(
            board.reference, self.reference, doubles(payments), doubles(expected), effort, target,
            native.PHASES.index(phase), report, state,
        )  # fmt: skip
