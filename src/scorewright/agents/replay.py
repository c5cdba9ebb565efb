"""Replay: an agent that judges real items, so that whatever is wrong with its forecasts is really wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorewright.agents.agent import Answer
from scorewright.errors import MismatchError
from scorewright.forecasts import Forecasts, read
from scorewright.game import Game, best_response
from scorewright.rules import Rule
from scorewright.validation import Array


@dataclass(frozen=True)
class Replay:
    """Draws an item from a forecast table each round, and reports what the table says about it.

    Report and outcome come together, as they did. A forecast counts as the row of the rule that pays best by it, as
    `Rule.pay` has it. The agent makes the effort whose forecasts would earn it most over all items, by what really came
    of them, less its cost: it has learned that from experience, however wrong the forecasts are. Ties break in the
    principal's favour, as for every agent. Regret in a `Run` is still reckoned by the game.

    Parameters
    ----------
    table : Forecasts, or whatever `forecasts.read` takes
        By default the one that comes with the package. Its tiers and states must be the game's efforts and states, by
        label. Recalibrated forecasts are a table too: ``Assessment.recalibrated``.

    Examples
    --------
    >>> import scorewright as sw
    >>> Replay(sw.forecasts.example("heart_tests"))
    Replay(table=Forecasts(items=303, ...))
    """

    table: Any = "heart_tests"

    def __post_init__(self) -> None:
        object.__setattr__(self, "table", read(self.table))

    def start(self, game: Game, rng: np.random.Generator) -> _Replay:
        """Return a player for one run."""
        return _Replay(game, rng, self.table)


class _Replay:
    def __init__(self, game: Game, rng: np.random.Generator, table: Forecasts) -> None:
        for what, has, needs in (("tier", table.tiers, game.efforts), ("state", table.states, game.states)):
            if needs is None or not set(needs) <= set(has):
                raise MismatchError(
                    f"the game's {what}s are {'unnamed' if needs is None else needs}; to replay this table they must "
                    f"be among {has}"
                )
        tiers = [table.tiers.index(effort) for effort in game.efforts or ()]
        states = [table.states.index(state) for state in game.states or ()]
        judged = table.judged[tiers] & np.isin(table.outcome, states)
        place = np.full(len(table.states), -1)
        place[states] = np.arange(len(states))
        self.costs, self.game, self.rng = game.costs, game, rng
        self.items = [np.flatnonzero(row) for row in judged]
        self.came = [place[table.outcome[items]] for items in self.items]
        self.said = [table.forecasts[k][items][:, states] for k, items in zip(tiers, self.items, strict=True)]
        self._rule: Rule | None = None
        self._rows: list[NDArray[np.intp]] = []
        self._effort = 0

    def answer(self, rule: Rule) -> Answer:
        """Make the effort that pays best over all items; report on one of them."""
        if rule is not self._rule:
            self._rule, self._rows = rule, [rule.rows(said) for said in self.said]
            paid = self._paid(rule)
            self._effort = best_response(paid, self.costs, self.game.worth, self.game.bound)
        drawn = int(self.rng.integers(len(self.items[self._effort])))
        return Answer(self._effort, int(self._rows[self._effort][drawn]), int(self.came[self._effort][drawn]))

    def _paid(self, rule: Rule) -> Array:
        """What each effort really earns on average, (K,)."""
        parts = zip(self._rows, self.came, strict=True)
        return np.array([rule.payments[rows, came].mean() for rows, came in parts])
