"""Learners that do not learn: one rule for ever, chosen by the user or by somebody who knows the game."""

from __future__ import annotations

import sys
from typing import Any, Self

from scorewright.errors import InvalidInputError
from scorewright.game import Game, Setting
from scorewright.learn.learner import MOST_EFFORTS
from scorewright.learn.offer import Offer
from scorewright.learn.recording import RecordingLearner
from scorewright.optimum import solve
from scorewright.rules import Rule
from scorewright.validation import expect, index


class FixedRule(RecordingLearner):
    """Offers the same rule every round.

    Parameters
    ----------
    setting : Setting
    rule : Rule
        Proper and payable.
    target : int or str, optional
        The effort that it is meant to buy.
    """

    name = "fixed-rule"
    why = "the rule that was chosen beforehand"

    def __init__(self, setting: Setting, rule: Rule, *, target: Any = None, rng: Any = None) -> None:
        del rng
        super().__init__(setting)
        terms = self.setting.terms
        expect(rule, Rule, "rule").same_beliefs(terms.beliefs)
        if not rule.is_proper() or not rule.within(terms.bound, terms.penalty):
            raise InvalidInputError(f"rule must be proper, with payments within the bound {terms.bound:g}")
        known = terms.efforts
        self.rule = rule
        self.target = None if target is None else index(target, "target", known, len(known) if known else MOST_EFFORTS)

        aim = -1 if self.target is None else self.target
        self.memory.set_arms([self.memory.rule(rule.payments)], [aim], 0.0, in_turn=True, phase="exploit")

    def _propose(self, number: int) -> Offer:
        self.memory.propose(number)
        return Offer(number, self.rule, self.target, "exploit", None, self.why)

    def _absorb(self, offer: Offer, effort: int, report: int) -> None:
        del offer
        self.memory.absorb(effort, report)

    def alone(self) -> int:
        """Return how many of the next rounds the kernel can play by itself: all of them."""
        return sys.maxsize if type(self) in (FixedRule, Clairvoyant) and self._open is None else 0

    def _options(self) -> dict[str, Any]:
        return {"payments": self.rule.payments.tolist(), "target": self.target}

    @classmethod
    def _rebuild(cls, setting: Setting, options: dict[str, Any]) -> Self:
        learner = cls.__new__(cls)
        FixedRule.__init__(learner, setting, Rule(options["payments"], setting.terms.beliefs), target=options["target"])
        return learner


class Clairvoyant(FixedRule):
    """Knows the game and plays its optimum: the upper limit for every learner."""

    name = "clairvoyant"
    why = "the optimum of the game, which this learner was told"

    def __init__(self, setting: Setting, game: Game, *, rng: Any = None) -> None:
        solution = solve(expect(game, Game, "game"))
        super().__init__(setting, solution.rule, target=solution.effort, rng=rng)
