"""Where oracle rules come from: given, computed from a known game, or acquired by playing."""

from __future__ import annotations

from scorewright.game import Game
from scorewright.learn.linear_search import LinearSearch
from scorewright.learn.random_sampling import RandomSampling
from scorewright.optimum import margin
from scorewright.rules import Rule
from scorewright.validation import expect


def best_margin(game: Game) -> tuple[Rule | None, ...]:
    """Return for each effort the rule that induces it by the widest margin, None where nothing does; for simulations.

    Examples
    --------
    >>> import scorewright as sw
    >>> game = sw.families.make("three_efforts")
    >>> [game.respond(rule) for rule in best_margin(game)]
    [0, 1, 2]
    """
    found = [margin(game, effort) for effort in range(len(expect(game, Game, "game").costs))]
    return tuple(widest.rule if widest.value > 0 else None for widest in found)


__all__ = ["LinearSearch", "RandomSampling", "best_margin"]
