"""What has happened so far: every offer's rule and the answer to it, in arrays that grow."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorewright.validation import Array


class History:
    """The rounds told, in order.

    Parameters
    ----------
    efforts : int
        K.
    beliefs : (M, W) array
    """

    def __init__(self, efforts: int, beliefs: Array) -> None:
        self.counts = np.zeros((efforts, len(beliefs)), dtype=np.int64)
        """Rounds by effort and report, (K, M)."""
        self._size = 0
        self._payments = np.empty((64, *beliefs.shape))
        self._answers = np.empty((64, 2), dtype=np.int64)
        self._expected = [np.empty((64, len(beliefs))) for _ in range(efforts)]

    def __len__(self) -> int:
        return self._size

    @property
    def payments(self) -> Array:
        """The rule of each round, (t, M, W)."""
        return self._payments[: self._size]

    @property
    def efforts(self) -> NDArray[np.int64]:
        """The effort of each round, (t,)."""
        return self._answers[: self._size, 0]

    @property
    def reports(self) -> NDArray[np.int64]:
        """The report of each round, (t,)."""
        return self._answers[: self._size, 1]

    def expected(self, effort: int) -> Array:
        """The expected payments of every rule that was answered with `effort`, (n_k, M), in order."""
        return self._expected[effort][: self.counts[effort].sum()]

    def grow(self, efforts: int) -> None:
        """Make room for newly discovered efforts."""
        more = efforts - len(self.counts)
        if more > 0:
            beliefs = self.counts.shape[1]
            self.counts = np.concatenate([self.counts, np.zeros((more, beliefs), dtype=np.int64)])
            self._expected.extend(np.empty((64, beliefs)) for _ in range(more))

    def add(self, payments: Array, expected: Array, effort: int, report: int) -> None:
        """Append one round."""
        place = int(self.counts[effort].sum())
        if self._size == len(self._payments):
            self._payments, self._answers = _grown(self._payments), _grown(self._answers)
        if place == len(self._expected[effort]):
            self._expected[effort] = _grown(self._expected[effort])
        self._payments[self._size] = payments
        self._answers[self._size] = effort, report
        self._expected[effort][place] = expected
        self.counts[effort, report] += 1
        self._size += 1

    def state(self) -> dict[str, Any]:
        """Return the history as JSON-able entries."""
        return {
            "known": len(self.counts),
            "payments": self.payments.tolist(),
            "efforts": self.efforts.tolist(),
            "reports": self.reports.tolist(),
        }

    def restore(self, state: dict[str, Any], beliefs: Array) -> None:
        """Replay the rounds of a saved history into this empty one."""
        self.grow(state["known"])
        for payments, effort, report in zip(state["payments"], state["efforts"], state["reports"], strict=True):
            table = np.array(payments)
            self.add(table, np.einsum("iw,iw->i", beliefs, table), effort, report)


def _grown(array: NDArray[Any]) -> NDArray[Any]:
    return np.concatenate([array, np.empty_like(array)])
