"""What most learners share: a memory of all rounds, estimates from it, and a recommendation."""

from __future__ import annotations

from typing import Any

import numpy as np

from scorewright.errors import DocumentError
from scorewright.game import Setting
from scorewright.kernel import Board, Ledger, Memory
from scorewright.learn.estimates import Estimates, estimate
from scorewright.learn.learner import Learner
from scorewright.learn.offer import Offer
from scorewright.learn.recommendation import Recommendation, recommend
from scorewright.learn.strategies import Mixing, Radius, Stop
from scorewright.validation import Array


class RecordingLearner(Learner):
    """A learner that remembers: of every rule what matters, of the last thousand rounds the answer.

    Parameters
    ----------
    setting : Setting
    efforts : int
        How many efforts are known beforehand; more may be discovered where the setting does not name them.
    radius, mixing, stop : strategies, optional
        The radius is that of the estimates; the others are for OSRL-UCB.
    """

    def __init__(
        self,
        setting: Setting,
        efforts: int = 0,
        radius: Radius | None = None,
        mixing: Mixing | None = None,
        stop: Stop | None = None,
    ) -> None:
        super().__init__(setting)
        self.radius, self.mixing, self.stop = radius or Radius(), mixing or Mixing(), stop or Stop()
        terms = setting.terms
        self.memory = Memory(
            max(efforts, len(terms.efforts or ())),
            terms.beliefs,
            terms.lowest,
            terms.bound,
            setting.value,
            float(np.abs(setting.utility).max()),
        )
        self.memory.strategies(self.radius.scale, self.mixing.exponent, self.mixing.factor, self.stop.scale)
        self.memory.own_strategies(
            None if type(self.radius) is Radius else self.radius,
            None if type(self.mixing) is Mixing else self.mixing,
            None if type(self.stop) is Stop else self.stop,
        )

    @property
    def _number(self) -> int:
        """The round that is open, or next: the memory counts, whatever may have interrupted it."""
        return self.memory.tally("rounds") + 1

    @_number.setter
    def _number(self, number: int) -> None:
        pass

    @property
    def efforts(self) -> int:
        """K: how many efforts are known."""
        return self.memory.tally("efforts")

    def estimates(self) -> Estimates:
        """Return the estimates at the start of the round that is open, or next."""
        return estimate(self.memory, self._number)

    def recommend(self, probability: float = 0.95) -> Recommendation:
        """Return the rule already seen to work whose profit is surely the highest."""
        return recommend(self.memory, self.setting, probability)

    # -- many rounds at once -----------------------------------------------------------------------------------------

    def ready(self, efforts: int) -> bool:
        """Whether the kernel may play against an agent with this many efforts: it has to know of all of them."""
        return self.efforts >= efforts

    def alone(self) -> int:
        """Return how many of the next rounds the kernel can play without being asked each time."""
        return 0

    def play(self, board: Board, ledger: Ledger, draws: Array) -> None:
        """Play a round per row of `draws`, at most `alone()` of them, against the rational agent."""
        self.memory.play(board, ledger, draws, self._number)

    # -- for subclasses ----------------------------------------------------------------------------------------------

    def _recall(self, number: int) -> tuple[int, int] | None:
        return self.memory.recall(number)

    def _absorb(self, offer: Offer, effort: int, report: int) -> None:
        self.memory.tell(offer.rule.payments, effort, report)

    def _save(self) -> dict[str, Any]:
        return {"memory": self.memory.save()}

    def _load(self, saved: dict[str, Any]) -> None:
        if "memory" not in saved:
            raise DocumentError(
                "this state has no memory of its rounds: it was not saved by this version of scorewright"
            )
        self.memory.load(saved["memory"])
