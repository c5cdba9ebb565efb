"""Who answers: an agent chooses an effort under the rule that it is offered.

What it sees of the principal's side is the `Terms` in the game's setting and the rule; the game's information and costs
are its own. Reports are truthful: every rule that a learner offers is proper.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from scorewright.game import Game
from scorewright.validation import Array


class Agent(Protocol):
    """The agent's side of a simulated game."""

    def start(self, game: Game, rng: np.random.Generator) -> Player:
        """Return a player for one run."""


class Player(Protocol):
    """An agent in the middle of a run."""

    costs: Array
    """What each effort costs it now."""

    def choose(self, expected: Array) -> int:
        """Choose an effort under a rule with these expected payments (M,)."""
