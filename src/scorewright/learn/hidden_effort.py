"""Hidden effort (the paper's second footnote): efforts told apart by what they can report.

When different efforts lead to different beliefs, a report gives the effort away. Each oracle rule is played several
times at first, which shows the beliefs that its effort can report; from then on every report names an effort, and the
inner learner is told that. A report never seen before is not guessed at: the same rule is offered again, and so
answered with the same effort, until a report that is known names it for both.

This needs supports that do not overlap. It says so when it sees a belief come from two oracle rules, or one rule
answered with the reports of two efforts; an overlap that shows up too seldom for either goes unnoticed, and mislabels
those rounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from scorewright.errors import AnswerError, SupportsOverlapError
from scorewright.learn.estimates import Estimates
from scorewright.learn.learner import Learner
from scorewright.learn.offer import Offer
from scorewright.learn.osrl_ucb import read_oracle
from scorewright.learn.recommendation import Recommendation
from scorewright.rules import Rule
from scorewright.validation import expect, whole


class HiddenEffort:
    """Any learner, for a principal who does not see the effort.

    Parameters
    ----------
    learner : Learner
        The learner to be told the efforts.
    oracle : sequence of Rule or None
        A rule per effort, to learn what each can report.
    repeats : int
        Plays of each oracle rule at the start.

    Attributes
    ----------
    supports : list of sets
        The beliefs known to come from each effort.
    """

    def __init__(self, learner: Learner, oracle: Sequence[Rule | None], *, repeats: int = 30) -> None:
        self.learner = learner
        rules = read_oracle(learner.setting, oracle)
        self.supports: list[set[int]] = [set() for _ in rules]
        repeats = whole(repeats, "repeats", least=1)
        self._plays = [(effort, rule) for effort, rule in enumerate(rules) if rule is not None for _ in range(repeats)]
        self._number = 1
        self._repeats = repeats
        self._open: Offer | None = None
        self._told: tuple[int, int] | None = None
        self._waiting: list[int] = []
        self._named: dict[Rule, int] = {}

    def ask(self) -> Offer:
        """Return the open offer, or propose the next one."""
        if self._open is None:
            self._open = self._propose()
        return self._open

    def _propose(self) -> Offer:
        if self._plays:
            effort, rule = self._plays[0]
            why = f"the oracle rule of effort {effort}, to learn what that effort can report"
            return Offer(self._number, rule, effort, "explore", None, why)
        inner = self.learner.ask()
        if self._waiting:
            why = f"the same rule again: report {self._waiting[0]} is new, and a known one will name its effort"
            return replace(inner, number=self._number, phase="explore", index=None, why=why)
        return replace(inner, number=self._number)

    def tell(self, offer: Offer, effort: Any = None, report: Any = None) -> None:
        """Say what was reported; `effort` is not looked at.

        Raises
        ------
        SupportsOverlapError
            One belief has come from two efforts: reports do not tell them apart.
        """
        del effort
        expect(offer, Offer, "offer")
        if self._open is None or offer.number != self._open.number:
            if self._told == (offer.number, offer.rule.row(report)):
                return
            raise AnswerError(f"round {offer.number} can't be answered now: ask for the open offer first")
        if offer.rule != self._open.rule:
            raise AnswerError(f"this is not the offer of round {offer.number}: its rule is another one")
        heard = self._open.rule.row(report)
        if self._plays:
            self._learn(self._plays[0][0], heard)
            self._plays.pop(0)
        else:
            self._identify(heard)
        self._told, self._open = (self._number, heard), None
        self._number += 1

    def _learn(self, effort: int, report: int) -> None:
        """Note that `effort` can report this."""
        for other, support in enumerate(self.supports):
            if other != effort and report in support:
                raise SupportsOverlapError(
                    f"efforts {other} and {effort} both report belief {report}: reports do not tell them apart; "
                    f"the effort must be observed"
                )
        self.supports[effort].add(report)

    def _identify(self, report: int) -> None:
        named = [effort for effort, support in enumerate(self.supports) if report in support]
        if not named:
            named = self._by_elimination([*self._waiting, report])
            if not named:
                self._waiting.append(report)
                return
            self._waiting.append(report)
        rule = self.learner.ask().rule
        if self._named.setdefault(rule, named[0]) != named[0]:
            raise SupportsOverlapError(
                f"the same rule was answered with reports of effort {self._named[rule]} and of effort {named[0]}: "
                f"reports do not tell them apart; the effort must be observed"
            )
        for unknown in self._waiting:
            self._learn(named[0], unknown)
        first = self._waiting[0] if self._waiting else report
        self._waiting.clear()
        self.learner.tell(self.learner.ask(), named[0], first)

    def _by_elimination(self, waiting: list[int]) -> list[int]:
        """Whose reports these are that no known effort makes: if one effort has none yet, and they keep coming, its."""
        if len(waiting) < max(self._repeats, 30):
            return []
        empty = [effort for effort, support in enumerate(self.supports) if not support]
        if len(empty) == 1:
            return empty
        raise SupportsOverlapError(
            f"reports {sorted(set(waiting))} came {len(waiting)} times in a row and belong to no effort that is known: "
            f"give an oracle rule for the effort that makes them"
        )

    def estimates(self) -> Estimates:
        """Return the inner learner's estimates."""
        return self.learner.estimates()

    def recommend(self, probability: float = 0.95) -> Recommendation:
        """Return the inner learner's recommendation."""
        return self.learner.recommend(probability)
