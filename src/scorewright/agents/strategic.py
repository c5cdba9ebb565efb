"""Agents that change, or that look ahead; and one that follows a script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scorewright.agents.rational import Response
from scorewright.errors import InvalidInputError
from scorewright.game import Game
from scorewright.validation import Array, number


@dataclass(frozen=True)
class Drifting:
    """Costs follow a random walk, a step of `rate` up or down per round and effort, reflected at zero."""

    rate: float = 1e-4

    def __post_init__(self) -> None:
        number(self.rate, "rate", least=0)

    def start(self, game: Game, rng: np.random.Generator) -> Response:
        """Return a player for one run."""
        return _Drifting(game, rng, self.rate)


class _Drifting(Response):
    def __init__(self, game: Game, rng: np.random.Generator, rate: float) -> None:
        super().__init__(game, rng)
        self.rate = rate

    def choose(self, expected: Array) -> int:
        choice = super().choose(expected)
        self.costs = np.abs(self.costs + self.rate * self.rng.choice([-1.0, 1.0], len(self.costs)))
        return choice


@dataclass(frozen=True)
class Holdout:
    """The non-myopic agent's simplest trick: it punishes an offer that trims its surplus.

    It remembers the best surplus that its present effort has earned it. When an offer would leave it with less than
    `share` of that, it answers with its best lower effort (the best among those that cost less), so that the learner
    takes the trimmed rule for one that does not work.
    """

    share: float = 0.9

    def __post_init__(self) -> None:
        number(self.share, "share", least=0, most=1)

    def start(self, game: Game, rng: np.random.Generator) -> Response:
        """Return a player for one run."""
        return _Holdout(game, rng, self.share)


class _Holdout(Response):
    def __init__(self, game: Game, rng: np.random.Generator, share: float) -> None:
        super().__init__(game, rng)
        self.share = share
        self.best = np.full(len(game.costs), -np.inf)

    def choose(self, expected: Array) -> int:
        surplus = self.surplus(expected)
        choice = super().choose(expected)
        remembered = self.best[choice]
        trimmed = np.isfinite(remembered) and surplus[choice] < remembered - (1 - self.share) * abs(remembered)
        self.best[choice] = max(self.best[choice], surplus[choice])
        lower = np.flatnonzero(self.costs < self.costs[choice])
        return int(lower[np.argmax(surplus[lower])]) if trimmed and len(lower) else choice


@dataclass(frozen=True)
class Scripted:
    """Answers with the given efforts in turn, whatever the rule; for tests."""

    efforts: Sequence[int]

    def start(self, game: Game, rng: np.random.Generator) -> Response:
        """Return a player for one run."""
        return _Scripted(game, rng, list(self.efforts))


class _Scripted(Response):
    def __init__(self, game: Game, rng: np.random.Generator, efforts: list[int]) -> None:
        super().__init__(game, rng)
        self.efforts = efforts

    def choose(self, expected: Array) -> int:
        del expected
        if not self.efforts:
            raise InvalidInputError("the script of this agent has come to its end; give it more efforts")
        return self.efforts.pop(0)
