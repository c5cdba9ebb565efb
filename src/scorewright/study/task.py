"""Task: one piece of work that any engine can do, anywhere, any number of times, with the same outcome.

A task is small, pickles, and is known by its key: a digest of everything that determines its outcome. Its randomness
comes from `seeds`, whose spawn keys are digests too, so that what a task gives depends neither on the tasks beside it
nor on who does it, when, or how often.
"""

from __future__ import annotations

import hashlib
import json
import platform
import re
import time
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a task found.

    Attributes
    ----------
    facts : {name: value}
        JSON-able; a row of the table of results.
    curve : {column: array}
        Columns of equal length: what was found along the way.
    """

    facts: Mapping[str, Any]
    curve: Mapping[str, NDArray[Any]] = field(default_factory=dict)


class Task(Protocol):
    """One piece of work."""

    @property
    def label(self) -> str:
        """What people call it."""

    @property
    def kind(self) -> str:
        """Tasks of one kind cost about the same per unit of `size`: for the estimate of the time left."""

    @property
    def size(self) -> float:
        """How much work it is, among tasks of its kind."""

    def spec(self) -> dict[str, Any]:
        """Return everything that determines the outcome, JSON-able."""

    def perform(self) -> Outcome:
        """Do the work."""


class Plan(Protocol):
    """Tasks that belong together: a study, or the measurements behind a claim."""

    def spec(self) -> dict[str, Any]:
        """Return what tells this plan from any other, JSON-able."""

    def tasks(self) -> Sequence[Task]:
        """Return its tasks, in the order of its tables."""


@dataclass(frozen=True, eq=False)
class Done:
    """A task that was performed: its outcome and what it took, or the error that stopped it."""

    outcome: Outcome | None
    seconds: float
    versions: Mapping[str, str]
    error: str = ""
    trace: str = ""


def perform(task: Task) -> Done:
    """Do a task; an exception is an outcome too."""
    started = time.perf_counter()
    try:
        outcome = task.perform()
    except Exception as problem:
        error = f"{type(problem).__name__}: {problem}"
        return Done(None, time.perf_counter() - started, versions(), error, traceback.format_exc())
    return Done(outcome, time.perf_counter() - started, versions())


def lost(times: int) -> Done:
    """What is left of a task whose worker died every time."""
    error = f"WorkerLost: the process that did this task was killed {times} times, perhaps for want of memory"
    return Done(None, 0.0, versions(), error, error)


def versions() -> dict[str, str]:
    """Versions of what may change a result."""
    import scorewright

    found = {"scorewright": scorewright.__version__, "python": platform.python_version(), "numpy": np.__version__}
    return found | {"machine": f"{platform.system()} {platform.machine()}"}


def key(task: Task) -> str:
    """Name of a task's file: words for people, and a digest of its spec."""
    words = re.sub(r"[^A-Za-z0-9.]+", "-", task.label).strip("-.")[:100]
    return f"{words}-{digest(task.spec())[:12]}"


def digest(content: Any) -> str:
    """SHA-256 of JSON-able content, whatever the order of its entries."""
    return hashlib.sha256(json.dumps(content, sort_keys=True, allow_nan=False).encode()).hexdigest()


def seeds(seed: int, *identity: Any) -> np.random.SeedSequence:
    """Seeds for whatever `identity` (JSON-able) describes, under one seed for all: its digest is the spawn key."""
    words = digest(identity)
    return np.random.SeedSequence(seed, spawn_key=tuple(int(words[at : at + 8], 16) for at in range(0, 32, 8)))
