"""Unknown utility (the paper's first footnote): u(a, state) learned from what decisions turned out to be worth.

Once a round is over the principal knows her decision, the state and the utility. Until every decision has been seen
in every state `times` times (or the budget is spent) she explores: the starting rules are offered in turn, and `decide`
takes the decision seen least often in the states that the report holds likely. Then the averages become the utility of
a setting, and a learner made for it takes over. States that never came leave the decision's average in their place.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from scorewright.errors import AnswerError, InvalidInputError, NothingLearnedError
from scorewright.game import Setting, Terms
from scorewright.learn.estimates import Estimates
from scorewright.learn.learner import MOST_EFFORTS, Learner
from scorewright.learn.offer import Offer
from scorewright.learn.recommendation import Recommendation
from scorewright.rules import Rule
from scorewright.validation import Array, expect, index, number, whole


class UnknownUtility:
    """Any learner, for a principal who does not know her utility beforehand.

    Parameters
    ----------
    terms : Terms
    decisions : int
        How many decisions she has.
    make : callable
        Makes the learner, given the `Setting` with the utility learned.
    start : sequence of Rule
        Rules to offer in turn while exploring, such as oracle rules.
    times : int
        Observations wanted of every decision in every state (1 when utilities carry no noise).
    rounds : int
        Most rounds to explore for.
    """

    def __init__(
        self,
        terms: Terms,
        decisions: int,
        make: Callable[[Setting], Learner],
        start: Sequence[Rule],
        *,
        times: int = 1,
        rounds: int = 500,
    ) -> None:
        self.terms, self._make = expect(terms, Terms, "terms"), make
        self.times, self.rounds = whole(times, "times", least=1), whole(rounds, "rounds", least=1)
        self._start = [expect(rule, Rule, "start") for rule in start]
        if not self._start:
            raise InvalidInputError("start must hold at least one rule to explore with")
        shape = whole(decisions, "decisions", least=1), terms.beliefs.shape[1]
        self.counts, self._sums = np.zeros(shape, dtype=np.int64), np.zeros(shape)
        self.learner: Learner | None = None
        self._number, self._open = 1, None

    _open: Offer | None

    @property
    def utility(self) -> Array:
        """What is known of the utility, (A, W)."""
        seen = self.counts > 0
        average = self._sums.sum(axis=1) / np.maximum(self.counts.sum(axis=1), 1)
        result: Array = np.where(seen, self._sums / np.maximum(self.counts, 1), average[:, None])
        return result

    def ask(self) -> Offer:
        """Return the open offer, or propose the next one."""
        if self._open is None:
            if self.learner is None and (self.counts.min() >= self.times or self._number > self.rounds):
                self.learner = self._make(Setting(self.terms, self.utility))
            if self.learner is not None:
                self._open = replace(self.learner.ask(), number=self._number)
            else:
                rule = self._start[(self._number - 1) % len(self._start)]
                left = int((self.counts < self.times).sum())
                why = f"learning the utility: {left} of {self.counts.size} decisions by state not seen yet"
                self._open = Offer(self._number, rule, None, "explore", None, why)
        return self._open

    def decide(self, report: Any) -> int:
        """Return the decision to take on a report: the best one known, or while exploring the one least seen."""
        belief = self.terms.beliefs[self._start[0].row(report)]
        if self.learner is not None:
            return int(np.argmax(self.utility @ belief))
        missing = np.maximum(self.times - self.counts, 0) @ belief
        return int(np.argmax(missing))

    def tell(self, offer: Offer, effort: Any, report: Any) -> None:
        """Say how the agent answered."""
        expect(offer, Offer, "offer")
        if self._open is None or offer.number != self._open.number:
            raise AnswerError(f"round {offer.number} can't be answered now: ask for the open offer first")
        if offer.rule != self._open.rule:
            raise AnswerError(f"this is not the offer of round {offer.number}: its rule is another one")
        known = self.terms.efforts
        index(effort, "effort", known, len(known) if known else MOST_EFFORTS)
        if self.learner is not None:
            self.learner.tell(self.learner.ask(), effort, report)
        else:
            self._open.rule.row(report)
        self._open = None
        self._number += 1

    def settle(self, decision: int, state: Any, utility: float) -> None:
        """Say what a decision was worth in the state that came."""
        row = whole(decision, "decision", least=0, most=len(self.counts) - 1)
        column = self.terms.state(state)
        self._sums[row, column] += number(utility, "utility")
        self.counts[row, column] += 1

    def estimates(self) -> Estimates:
        """Return the learner's estimates, once there is one."""
        return self._ready().estimates()

    def recommend(self, probability: float = 0.95) -> Recommendation:
        """Return the learner's recommendation, once there is one.

        Its interval takes the utility as it was learned for the true one. Where utilities carry noise, the error of the
        averages comes on top and is not in it.
        """
        return self._ready().recommend(probability)

    def _ready(self) -> Learner:
        if self.learner is None:
            raise NothingLearnedError("the utility is still being learned: settle more rounds first")
        return self.learner
