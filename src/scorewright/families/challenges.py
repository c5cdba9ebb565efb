"""Thirteen families of games that a learner should be good at, each hard in a way of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from scorewright.errors import CannotInduceError
from scorewright.families.named import three_efforts
from scorewright.families.random import random, random_contract
from scorewright.game import Game
from scorewright.validation import generator, member

CHALLENGES: dict[str, Callable[[np.random.Generator], Game]] = {
    "three_efforts": lambda _: three_efforts(),
    "K3 W2 M9": lambda rng: random(rng=rng, efforts=3, states=2, observations=3),
    "K2 W3": lambda rng: random(rng=rng, efforts=2, states=3, observations=3),
    "K5 W3 M15": lambda rng: random(rng=rng, efforts=5, states=3, observations=3),
    "K3 W4 M30": lambda rng: random(rng=rng, efforts=3, states=4, observations=10),
    "margin .003-.007": lambda rng: _narrow(rng),
    "tied": lambda rng: random(rng=rng, spread=0.05),
    "bound 5": lambda rng: random(rng=rng, bound=5.0, stake=5.0),
    "zero optimal": lambda rng: random(rng=rng, stake=0.05),
    "useless effort": lambda rng: random(rng=rng, dominated=1),
    "skewed prior": lambda rng: random(rng=rng, skew=0.7),
    "shared K4 M8": lambda rng: random(rng=rng, efforts=4, observations=8, support="shared"),
    "contract K4 M4": lambda rng: random_contract(rng=rng, efforts=4, outcomes=4),
}


def challenge(kind: str = "K3 W2 M9", *, rng: Any = None) -> Game:
    """Draw a game of one of the thirteen kinds.

    Examples
    --------
    >>> challenge("useless effort", rng=1)
    Game(efforts=4, beliefs=9, states=2, decisions=2, bound=1)
    """
    return CHALLENGES[member(kind, "kind", tuple(CHALLENGES))](generator(rng))


def _narrow(rng: np.random.Generator) -> Game:
    """Draw until a game allows the margin drawn for it; one in a hundred does not, whatever its costs."""
    while True:
        try:
            return random(rng=rng, margin=float(rng.uniform(0.003, 0.007)))
        except CannotInduceError:
            continue
