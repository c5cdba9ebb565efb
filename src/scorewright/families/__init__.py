"""Ready-made games: those with known answers, and random ones with controls."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from scorewright.errors import InvalidInputError
from scorewright.families.challenges import CHALLENGES, challenge
from scorewright.families.margins import widest_costs, with_margin
from scorewright.families.named import (
    analyst,
    binary_effort,
    binary_effort_limit,
    hard_instance,
    three_efforts,
    two_action_contract,
    two_sources,
)
from scorewright.families.random import random, random_contract, with_dominated
from scorewright.game import Game
from scorewright.validation import member

_FAMILIES: dict[str, Callable[..., Game]] = {
    "analyst": analyst,
    "three_efforts": three_efforts,
    "two_sources": two_sources,
    "hard_instance": hard_instance,
    "binary_effort": binary_effort,
    "two_action_contract": two_action_contract,
    "random": random,
    "random_contract": random_contract,
    "challenge": challenge,
}


def names() -> tuple[str, ...]:
    """Return the names that `make` knows."""
    return tuple(_FAMILIES)


def make(name: str, *, rng: Any = None, **controls: Any) -> Game:
    """Return a game by name; random families draw from `rng`, named games have no use for it.

    Examples
    --------
    >>> make("hard_instance", e1=-0.5).penalty
    1.0
    >>> make("random", rng=1, efforts=4, states=3)
    Game(efforts=4, beliefs=12, states=3, decisions=3, bound=1)
    """
    family = _FAMILIES[member(name, "family", names())]
    known = inspect.signature(family).parameters
    for control in controls:
        if control not in known:
            takes = ", ".join(k for k in known if k != "rng") or "no controls"
            raise InvalidInputError(f"family {name!r} has no control {control!r}; it takes {takes}")
    return family(**controls, **({"rng": rng} if "rng" in known else {}))


def is_random(name: str) -> bool:
    """Whether a family draws its games, or is one game."""
    return "rng" in inspect.signature(_FAMILIES[member(name, "family", names())]).parameters


__all__ = [
    "CHALLENGES",
    "analyst",
    "binary_effort",
    "binary_effort_limit",
    "challenge",
    "hard_instance",
    "is_random",
    "make",
    "names",
    "random",
    "random_contract",
    "three_efforts",
    "two_action_contract",
    "two_sources",
    "widest_costs",
    "with_dominated",
    "with_margin",
]
