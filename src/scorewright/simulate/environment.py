"""The principal's problem as a Gymnasium environment, ``scorewright/Acquire-v0``.

Every step is a round. The action is a payment table, as shares of the bound; it need not be proper: the agent reports
what pays best, which by the revelation principle is a proper rule answered truthfully. The reward is what the round
leaves: the utility of the best decision on the report, in the state that came, less the payment. The observation is
what the principal saw of the last round. Costs and information stay the agent's.

Importing this module registers it; `import scorewright` does so too where Gymnasium was imported before, and otherwise
``gymnasium.make("scorewright.simulate.environment:scorewright/Acquire-v0")`` imports it on the way.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from scorewright.agents import Agent, Rational, Witness
from scorewright.families import make
from scorewright.game import Game
from scorewright.optimum import solve
from scorewright.rules import Rule, reveal
from scorewright.validation import expect, whole

Observation = NDArray[np.float32]
Action = NDArray[np.float32]

ID = "scorewright/Acquire-v0"


class Acquire(gymnasium.Env[Observation, Action]):
    """Buy information from an agent whose costs are unknown.

    Parameters
    ----------
    game : Game or str
        A game, or the name of a family.
    rounds : int
        Length of an episode.
    agent : Agent
        `agents.Rational()` by default.

    Attributes
    ----------
    action_space : Box, (M * W,)
        Payments row by row, as shares of the bound, from 0 to 1.
    observation_space : Box, (K + M + W,)
        The effort, report and state of the last round, each as an indicator; zeros at the start.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012

    def __init__(self, game: Game | str = "three_efforts", rounds: int = 1000, agent: Agent | None = None) -> None:
        self.game = make(game, rng=0) if isinstance(game, str) else expect(game, Game, "game")
        self.rounds = whole(rounds, "rounds", least=1)
        self.agent = agent or Rational()
        efforts, (beliefs, states) = len(self.game.costs), self.game.beliefs.shape
        self.action_space = spaces.Box(0.0, 1.0, (beliefs * states,), np.float32)
        self.observation_space = spaces.Box(0.0, 1.0, (efforts + beliefs + states,), np.float32)
        self.best = solve(self.game).profit
        self._round = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode: a new agent, the same game."""
        super().reset(seed=seed, options=options)
        self._player = self.agent.start(self.game, self.np_random)
        self._round = 0
        return np.zeros(self.observation_space.shape or (), np.float32), {"optimum": self.best}

    def step(self, action: Action) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Offer a rule; return what was seen, what the round left, and whether it was the last."""
        game = self.game
        shares = np.clip(np.asarray(action, dtype=float), 0.0, 1.0).reshape(game.beliefs.shape)
        rule = reveal(Rule(shares * game.bound, game.beliefs))
        if isinstance(self._player, Witness):
            answer = self._player.answer(rule)
            effort, report, state = answer.effort, answer.report, answer.state
        else:
            effort = self._player.choose(rule.expected)
            report = self._draw(game.information[effort])
            state = self._draw(game.beliefs[report])
        payment = float(rule.payments[report, state])
        reward = float(game.utility[game.setting.decision[report], state]) - payment
        expected = float(game.worth[effort] - game.information[effort] @ rule.expected)
        self._round += 1
        seen = np.zeros(self.observation_space.shape or (), np.float32)
        seen[[effort, len(game.costs) + report, len(game.costs) + len(game.beliefs) + state]] = 1.0
        facts = {"effort": effort, "report": report, "state": state, "payment": payment, "regret": self.best - expected}
        return seen, reward, False, self._round >= self.rounds, facts

    def _draw(self, chances: NDArray[np.float64]) -> int:
        """Draw an index, with rounding that can't lead beyond the last."""
        drawn = int(np.searchsorted(np.cumsum(chances), self.np_random.random(), side="right"))
        return min(drawn, len(chances) - 1)


if ID not in gymnasium.registry:
    gymnasium.register(id=ID, entry_point=f"{__name__}:{Acquire.__name__}")
