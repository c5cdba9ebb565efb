"""Play it out: the loop and its record."""

from scorewright.simulate.loop import Record, simulate
from scorewright.simulate.run import Run

__all__ = ["Record", "Run", "simulate"]
