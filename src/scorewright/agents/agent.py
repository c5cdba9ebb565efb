"""Who answers: an agent chooses an effort under the rule that it is offered.

What it sees of the principal's side is the `Terms` in the game's setting and the rule; the game's information and costs
are its own. Reports are truthful: every rule that a learner offers is proper.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from scorewright.game import Game
from scorewright.rules import Rule
from scorewright.validation import Array


class Agent(Protocol):
    """The agent's side of a simulated game."""

    def start(self, game: Game, rng: np.random.Generator) -> Player | Witness:
        """Return a player for one run."""


class Player(Protocol):
    """An agent in the middle of a run."""

    costs: Array
    """What each effort costs it now."""

    def choose(self, expected: Array) -> int:
        """Choose an effort under a rule with these expected payments (M,)."""


@dataclass(frozen=True)
class Answer:
    """What a witness did: an effort, a report (an index), and the state that came with it."""

    effort: int
    report: int
    state: int


@runtime_checkable
class Witness(Protocol):
    """A player whose reports are about something real, so that the state comes with the report."""

    costs: Array
    """What each effort costs it now."""

    def answer(self, rule: Rule) -> Answer:
        """Choose an effort under a rule, make it, and report."""
