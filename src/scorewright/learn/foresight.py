"""Foresight: how probes turned out, against what the worlds expected of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

_MEMORY = 0.95
"""Weight of the past, per probe."""


@dataclass(frozen=True)
class Foresight:
    """The record of probes.

    Attributes
    ----------
    foreseen, failed : float
        Failures foreseen and seen, of late.
    probes, failures : int
        In all.
    """

    foreseen: float = 0.0
    failed: float = 0.0
    probes: int = 0
    failures: int = 0

    def after(self, chance: float, *, failed: bool) -> Self:
        """The record with one more probe, whose chance of failure was taken to be `chance`."""
        return type(self)(
            _MEMORY * self.foreseen + chance,
            _MEMORY * self.failed + failed,
            self.probes + 1,
            self.failures + failed,
        )

    @property
    def doubt(self) -> float:
        """How many times as often as foreseen probes have failed of late; 1 at least."""
        return max(1.0, (1 + self.failed) / (1 + self.foreseen))
