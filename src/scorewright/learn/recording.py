"""What most learners share: a record of all rounds, estimates from it, and a recommendation."""

from __future__ import annotations

from typing import Any

from scorewright.game import Setting
from scorewright.learn.estimates import Estimates, estimate
from scorewright.learn.history import History
from scorewright.learn.learner import Learner
from scorewright.learn.offer import Offer
from scorewright.learn.recommendation import Recommendation, recommend
from scorewright.learn.strategies import Radius


class RecordingLearner(Learner):
    """A learner that keeps every round.

    Parameters
    ----------
    setting : Setting
    efforts : int
        How many efforts are known beforehand; more may be discovered where the setting does not name them.
    radius : Radius, optional
        Of the estimates.
    """

    def __init__(self, setting: Setting, efforts: int = 0, radius: Radius | None = None) -> None:
        super().__init__(setting)
        self.radius = radius or Radius()
        self.history = History(max(efforts, len(setting.terms.efforts or ())), setting.terms.beliefs)

    @property
    def efforts(self) -> int:
        """K: how many efforts are known."""
        return len(self.history.counts)

    def estimates(self) -> Estimates:
        """Return the estimates at the start of the round that is open, or next."""
        return estimate(self.history, self.setting.terms.bound, self.radius, self._number)

    def recommend(self, probability: float = 0.95) -> Recommendation:
        """Return the rule already seen to work whose profit is surely the highest."""
        return recommend(self.history, self.setting, probability)

    def _recall(self, number: int) -> tuple[int, int] | None:
        if not 1 <= number <= len(self.history):
            return None
        return int(self.history.efforts[number - 1]), int(self.history.reports[number - 1])

    def _absorb(self, offer: Offer, effort: int, report: int) -> None:
        self.history.grow(effort + 1)
        self.history.add(offer.rule.payments, offer.rule.expected, effort, report)

    def _save(self) -> dict[str, Any]:
        return {"history": self.history.state()}

    def _load(self, saved: dict[str, Any]) -> None:
        self.history.restore(saved["history"], self.setting.terms.beliefs)
