"""Cell: one run of a study, a learner on a game against an agent for so many rounds, once."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from scorewright.simulate import Run, simulate
from scorewright.study.entries import AgentEntry, GameEntry, LearnerEntry, look_in
from scorewright.study.task import Outcome, seeds


@dataclass(frozen=True)
class Cell:
    """One run.

    The game is drawn by its entry and the repeat; reports and states come from seeds of game, agent, rounds and repeat.
    None of them depends on the learner, so that learners meet the same games and the same luck, and are compared in
    pairs. The learner's own randomness has seeds of its own.
    """

    seed: int
    game: GameEntry
    learner: LearnerEntry
    agent: AgentEntry
    rounds: int
    repeat: int
    folder: str

    @property
    def label(self) -> str:
        """Game, learner, agent, rounds and repeat."""
        return f"{self.game.label} {self.learner.label} {self.agent.label} {self.rounds} r{self.repeat}"

    @property
    def kind(self) -> str:
        """Learner and game: their rounds cost about the same."""
        return f"{self.learner.label} {self.game.label}"

    @property
    def size(self) -> float:
        """Rounds."""
        return float(self.rounds)

    def spec(self) -> dict[str, Any]:
        """Return everything that determines the run."""
        named = {
            "game": {"label": self.game.label, **self.game.identity()},
            "learner": {"label": self.learner.label, **self.learner.identity()},
            "agent": {"label": self.agent.label, **self.agent.identity()},
        }
        return {"seed": self.seed, **named, "rounds": self.rounds, "repeat": self.repeat}

    def perform(self) -> Outcome:
        """Play it."""
        look_in(Path(self.folder))
        game = self.game.make(seeds(self.seed, "game", self.game.identity(), self.repeat))
        meeting = [self.game.identity(), self.agent.identity(), self.rounds, self.repeat]
        own = np.random.default_rng(seeds(self.seed, "learner", self.learner.identity(), *meeting))
        learner = self.learner.make(game, self.rounds, own)
        luck = np.random.default_rng(seeds(self.seed, "luck", *meeting))
        run = simulate(game, learner, self.rounds, rng=luck, agent=self.agent.make(), record="thin")
        named = {"game": self.game.label, "learner": self.learner.label, "agent": self.agent.label}
        facts = {**named, "rounds": self.rounds, "repeat": self.repeat, **_facts(run)}
        columns = ("round", "regret", "realised_regret", "effort", "target", "payment", "utility")
        return Outcome(facts, {column: getattr(run, column) for column in columns})


def _facts(run: Run) -> dict[str, Any]:
    game = run.game
    half = float(np.interp(run.rounds / 2, [0, *run.round], [0.0, *run.regret]))
    return {
        "efforts": len(game.costs),
        "beliefs": game.beliefs.shape[0],
        "states": game.beliefs.shape[1],
        "bound": game.bound,
        "optimum": run.optimum,
        "stake": float(np.ptp(game.worth)),
        "regret": float(run.regret[-1]),
        "regret_per_round_second_half": (float(run.regret[-1]) - half) / (run.rounds / 2),
        "realised_regret": float(run.realised_regret[-1]),
        "paid": run.paid,
        "earned": run.earned,
        "obeyed": run.obeyed,
        "phases": dict(sorted(run.phases.items())),
    }
