"""Tasks for engines: one that adds up, one that raises, and two whose worker is killed."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from scorewright.study.task import Outcome, seeds


@dataclass(frozen=True)
class Sum:
    """Draws and adds; `how` says what happens on the way."""

    number: int
    how: str = "well"
    mark: str = ""

    label = property(lambda self: f"sum {self.number} {self.how}")
    kind = "sum"
    size = 1.0

    def spec(self):
        """Return what determines the outcome."""
        return {"number": self.number, "how": self.how}

    def perform(self):
        """Draw and add; or raise, or die, once or always."""
        if self.how == "raises":
            raise ValueError(f"no {self.number}")
        if self.how == "dies":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.how == "dies once" and not Path(self.mark).exists():
            Path(self.mark).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        draws = np.random.default_rng(seeds(5, self.spec())).random(100)
        return Outcome({"number": self.number, "total": float(draws.sum())}, {"draw": draws})


@dataclass(frozen=True)
class Sums:
    """A plan of sums."""

    parts: tuple[Sum, ...]

    def spec(self):
        """Return what tells this plan from any other."""
        return {"name": "sums", "parts": [part.spec() for part in self.parts]}

    def tasks(self):
        """Return the sums."""
        return self.parts
