"""Agents by name, as the command line and studies make them."""

from __future__ import annotations

import inspect
from typing import Any

from scorewright.agents.agent import Agent
from scorewright.agents.rational import Noisy, Quantal, Rational
from scorewright.agents.replay import Replay
from scorewright.agents.strategic import Drifting, Holdout
from scorewright.errors import InvalidInputError
from scorewright.validation import member

_AGENTS: dict[str, type[Agent]] = {
    "rational": Rational,
    "noisy": Noisy,
    "quantal": Quantal,
    "drifting": Drifting,
    "holdout": Holdout,
    "replay": Replay,
}


def names() -> tuple[str, ...]:
    """Return the names that `make` knows."""
    return tuple(_AGENTS)


def make(name: str, **options: Any) -> Agent:
    """Return an agent by name.

    Examples
    --------
    >>> make("noisy", error=0.1)
    Noisy(error=0.1)
    """
    kind = _AGENTS[member(name, "agent", names())]
    takes = inspect.signature(kind).parameters
    for option in options:
        if option not in takes:
            raise InvalidInputError(f"agent {name!r} has no option {option!r}; it takes {', '.join(takes) or 'none'}")
    return kind(**options)
