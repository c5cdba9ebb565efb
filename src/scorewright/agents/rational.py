"""Agents that look at one round at a time: the paper's, and two that err."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scorewright.game import Game, best_response
from scorewright.validation import Array, number


class Response:
    """A player that answers each rule for itself, by its surplus."""

    def __init__(self, game: Game, rng: np.random.Generator) -> None:
        self.game, self.rng, self.costs = game, rng, game.costs

    def surplus(self, expected: Array) -> Array:
        """Expected payment less cost, (K,)."""
        result: Array = self.game.paid(expected) - self.costs
        return result

    def choose(self, expected: Array) -> int:
        """Make the best response, ties in the principal's favour."""
        return best_response(self.game.paid(expected), self.costs, self.game.worth, self.game.bound)


@dataclass(frozen=True)
class Rational:
    """The paper's agent: it makes the effort with the largest surplus."""

    def start(self, game: Game, rng: np.random.Generator) -> Response:
        """Return a player for one run."""
        return Response(game, rng)


@dataclass(frozen=True)
class Noisy:
    """With probability `error` an effort drawn uniformly from all, otherwise the best response."""

    error: float = 0.05

    def __post_init__(self) -> None:
        number(self.error, "error", least=0, most=1)

    def start(self, game: Game, rng: np.random.Generator) -> Response:
        """Return a player for one run."""
        return _Noisy(game, rng, self.error)


class _Noisy(Response):
    def __init__(self, game: Game, rng: np.random.Generator, error: float) -> None:
        super().__init__(game, rng)
        self.error = error

    def choose(self, expected: Array) -> int:
        slips, slip = self.rng.random() < self.error, int(self.rng.integers(len(self.costs)))
        return slip if slips else super().choose(expected)


@dataclass(frozen=True)
class Quantal:
    """Logit response: effort k with probability proportional to ``exp(surplus_k / temperature)``."""

    temperature: float = 0.01

    def __post_init__(self) -> None:
        number(self.temperature, "temperature", above=0)

    def start(self, game: Game, rng: np.random.Generator) -> Response:
        """Return a player for one run."""
        return _Quantal(game, rng, self.temperature)


class _Quantal(Response):
    def __init__(self, game: Game, rng: np.random.Generator, temperature: float) -> None:
        super().__init__(game, rng)
        self.temperature = temperature

    def choose(self, expected: Array) -> int:
        surplus = self.surplus(expected)
        weights = np.exp((surplus - surplus.max()) / self.temperature)
        return int(np.searchsorted(np.cumsum(weights), self.rng.random() * weights.sum(), side="right"))
