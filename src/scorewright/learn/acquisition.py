"""Acquisition: how to come by an oracle when none is given.

A procedure plays real rounds through its learner and ends with a rule for each effort that it could find.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from scorewright.game import Setting
from scorewright.rules import Rule


class Procedure(Protocol):
    """A recipe for acquiring an oracle, such as `RandomSampling` or `LinearSearch`."""

    def start(self, setting: Setting, rng: np.random.Generator) -> Acquisition:
        """Begin."""

    def options(self) -> dict[str, Any]:
        """Return the recipe as JSON-able entries."""


class Acquisition(Protocol):
    """A procedure under way."""

    def propose(self) -> tuple[Rule, str] | None:
        """Return the next rule to play and why, or None when the procedure is over. Asking twice changes nothing."""

    def sought(self) -> int:
        """Return the effort that the rule proposed is meant to find or confirm."""

    def told(self, effort: int) -> None:
        """Take in the answer to the rule proposed."""

    def rules(self) -> dict[int, Rule]:
        """Return the rule found for each effort."""

    def state(self) -> dict[str, Any]:
        """Return where the procedure is, JSON-able."""

    def load(self, state: dict[str, Any]) -> None:
        """Go on from a saved state."""
