r"""Binary search on the segment from the deployed rule to the oracle rule.

The agent did not make the target effort under the deployed rule :math:`S_0` (:math:`\lambda = 0`) but does under the
oracle rule :math:`S_1` (:math:`\lambda = 1`). Play midpoints :math:`(1 - \lambda) S_0 + \lambda S_1`: the target lowers
the upper end, any other response raises the lower one, until the interval is narrower than the smaller of two radii,
both frozen in the round that was disobeyed: that of the target, and that of the last response other than the target.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from scorewright.learn.strategies import Stop
from scorewright.validation import Array


@dataclass(frozen=True, eq=False)
class Search:
    """A search under way.

    Attributes
    ----------
    start, end : (M, W) arrays
        Payments at lambda 0 and 1.
    target : int
    low, high : float
        The interval that holds the first switch.
    other : int
        The last response other than the target.
    radius : (K,) array
        Radii frozen in the round that was disobeyed.
    """

    start: Array
    end: Array
    target: int
    low: float
    high: float
    other: int
    radius: Array

    def over(self, stop: Stop) -> bool:
        """Whether the interval is narrow enough, or can't be halved any more."""
        if not self.low < self.middle < self.high:
            return True
        rival = float(self.radius[self.other]) if self.other < len(self.radius) else np.inf  # just discovered
        return self.high - self.low < stop(rival, float(self.radius[self.target]))

    @property
    def middle(self) -> float:
        """The next lambda."""
        return (self.low + self.high) / 2

    @property
    def payments(self) -> Array:
        """The next rule's payments."""
        result: Array = (1 - self.middle) * self.start + self.middle * self.end
        return result

    def told(self, effort: int) -> Search:
        """The search after the midpoint was answered with `effort`."""
        if effort == self.target:
            return replace(self, high=self.middle)
        return replace(self, low=self.middle, other=effort)

    def state(self) -> dict[str, Any]:
        """Return the search as JSON-able entries."""
        return {
            "start": self.start.tolist(),
            "end": self.end.tolist(),
            "target": self.target,
            "low": self.low,
            "high": self.high,
            "other": self.other,
            "radius": [None if np.isinf(radius) else float(radius) for radius in self.radius],
        }

    @classmethod
    def restore(cls, state: dict[str, Any]) -> Search:
        """Return the search that was saved."""
        radius = np.array([np.inf if value is None else value for value in state["radius"]])
        return cls(**state | {"start": np.array(state["start"]), "end": np.array(state["end"]), "radius": radius})
