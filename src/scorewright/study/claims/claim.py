"""Claim: what the paper says, what was measured, and what follows."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from scorewright.study.results import Results
from scorewright.study.task import Outcome, Plan, Task, seeds

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HOLDS, FAILS, VACUOUS = "holds", "does not hold at these sizes", "vacuous at these sizes"
VERDICTS = (HOLDS, FAILS, VACUOUS)


@dataclass(frozen=True)
class Line:
    """One measured value: where, what, and whether the claim holds there."""

    where: str
    measured: str
    verdict: str


@dataclass(frozen=True, eq=False)
class Finding:
    """What was found on a claim: lines, a figure, and what the figure shows."""

    lines: Sequence[Line]
    figure: Figure
    caption: str


@dataclass(frozen=True)
class Claim:
    """A row of PAPER.md's table.

    Attributes
    ----------
    name : str
    says : str
        The paper's promise, in a sentence.
    how : str
        How it is measured.
    experiment : str
        Whose results it is judged by.
    judge : callable
        From those results to a `Finding`.
    """

    name: str
    says: str
    how: str
    experiment: str
    judge: Callable[[Results], Finding]

    @property
    def slug(self) -> str:
        """Its name as a file name."""
        return self.name.replace(" ", "-")


@dataclass(frozen=True)
class Measurement:
    """One task of an experiment: `measure` of the module named, with these arguments and its own seed."""

    module: str
    arguments: Mapping[str, Any]

    @property
    def label(self) -> str:
        """The arguments in words."""
        return " ".join(f"{name} {value}" for name, value in self.arguments.items())

    @property
    def kind(self) -> str:
        """Tasks with the same arguments but for number and rounds cost about the same."""
        return " ".join(f"{name} {v}" for name, v in self.arguments.items() if name not in ("number", "rounds"))

    @property
    def size(self) -> float:
        """Rounds, where it has any."""
        return float(self.arguments.get("rounds", 1))

    def spec(self) -> dict[str, Any]:
        """Return everything that determines the outcome."""
        return {"measure": self.module, "arguments": dict(self.arguments)}

    def perform(self) -> Outcome:
        """Measure."""
        measure = importlib.import_module(f"scorewright.study.claims.{self.module}").measure
        rng = np.random.default_rng(seeds(0, self.spec()))
        found: Outcome = measure(rng, **self.arguments)
        return Outcome({**self.arguments, **found.facts}, found.curve)


@dataclass(frozen=True)
class Measurements:
    """A plan of measurements."""

    module: str
    arguments: Sequence[Mapping[str, Any]]

    def spec(self) -> dict[str, Any]:
        """Return what tells this plan from any other."""
        return {"name": self.module, "arguments": [dict(asked) for asked in self.arguments]}

    def tasks(self) -> tuple[Task, ...]:
        """Return the measurements."""
        return tuple(Measurement(self.module, asked) for asked in self.arguments)


@dataclass(frozen=True)
class Experiment:
    """What is run for some claims: a plan for the quick reproduction and one for the full, and what the latter costs.

    `minutes` are core minutes of the full plan, reckoned from processor time measured on tasks of each kind.
    """

    name: str
    quick: Callable[[], Plan]
    full: Callable[[], Plan]
    minutes: float
