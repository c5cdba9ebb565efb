"""Play it out: the loop and its record."""

from scorewright.simulate.loop import simulate
from scorewright.simulate.run import Run

__all__ = ["Run", "simulate"]
