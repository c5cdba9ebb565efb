"""History: a session's running sums along the way, few enough to draw however long the session is.

The sums after every `stride`-th settlement are kept; when there are more than `MOST` of them, every second one is
dropped and the stride doubles. What is kept follows from the log alone.
"""

from __future__ import annotations

from typing import Any

MOST = 400
"""Points kept at the most."""

Point = tuple[int, int, float]
"""Rounds settled, units paid, utility."""


class History:
    """Sums at evenly spaced settlements.

    Examples
    --------
    >>> history = History()
    >>> for settled in range(1, 1001):
    ...     history.note(settled, 2 * settled, 0.5 * settled)
    >>> history.stride, history.points[0], history.points[-1], len(history.points)
    (4, (4, 8, 2.0), (1000, 2000, 500.0), 250)
    """

    def __init__(self, stride: int = 1, points: list[list[Any]] | None = None) -> None:
        self.stride = stride
        self.points: list[Point] = [(settled, paid, utility) for settled, paid, utility in points or []]

    def note(self, settled: int, paid: int, utility: float) -> None:
        """Note the sums after one more settlement."""
        if settled % self.stride:
            return
        self.points.append((settled, paid, utility))
        if len(self.points) > MOST:
            self.stride *= 2
            self.points = [point for point in self.points if point[0] % self.stride == 0]

    def to_dict(self) -> dict[str, Any]:
        """Return the constructor's arguments, JSON-able."""
        return {"stride": self.stride, "points": [list(point) for point in self.points]}
