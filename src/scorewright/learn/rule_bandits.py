r"""Bandits over a handful of fixed rules: what a practitioner would try first.

Each rule is an arm. Its reward in a round is :math:`u(\sigma) - s(\sigma)` at the belief reported (the profit expected
once the report is known), and UCB1 chooses: mean + span * sqrt(2 log t / n), the lowest-numbered of equals, each arm
once at the start.
"""

from __future__ import annotations

import sys
from typing import Any, Self

import numpy as np

from scorewright.game import Setting
from scorewright.learn.learner import known
from scorewright.learn.offer import Offer
from scorewright.learn.osrl_ucb import read_oracle
from scorewright.learn.recording import RecordingLearner
from scorewright.rules import Rule, quadratic
from scorewright.validation import whole

MOST_SCALES = 10_000
"""Each is tried at least once, so more are a slip of the pen."""


class RuleBandit(RecordingLearner):
    """UCB1 over `rules`, each with the effort that it is meant to buy (or None)."""

    def __init__(self, setting: Setting, rules: list[tuple[Rule, int | None, str]]) -> None:
        super().__init__(setting)
        self.rules = rules
        span = float(np.ptp(np.concatenate([setting.value - rule.expected for rule, _, _ in rules])))
        numbers = [self.memory.rule(rule.payments) for rule, _, _ in rules]
        aims = [-1 if aim is None else aim for _, aim, _ in rules]
        self.memory.set_arms(numbers, aims, span, in_turn=False, phase="explore")

    def _propose(self, number: int) -> Offer:
        self.memory.propose(number)
        arm, plays, gains = self.memory.arms(len(self.rules))
        rule, target, name = self.rules[arm]
        seen = f"{gains[arm] / plays[arm]:.6g} a round so far" if plays[arm] else "not tried yet"
        return Offer(number, rule, target, "explore", None, f"{name}: {seen}")

    def _absorb(self, offer: Offer, effort: int, report: int) -> None:
        del offer
        self.memory.absorb(effort, report)

    def alone(self) -> int:
        """Return how many of the next rounds the kernel can play by itself: all of them."""
        return sys.maxsize if type(self) in (OracleBandit, ScaledQuadratic) and self._open is None else 0


class OracleBandit(RuleBandit):
    """UCB1 over the oracle rules: never pays for a search, never improves on an oracle rule."""

    name = "oracle-bandit"

    def __init__(self, setting: Setting, oracle: Any, *, rng: Any = None) -> None:
        del rng
        self.given = read_oracle(setting, oracle)
        known: list[tuple[Rule, int | None, str]] = [
            (rule, k, f"oracle rule of effort {k}") for k, rule in enumerate(self.given) if rule is not None
        ]
        super().__init__(setting, known)

    def _options(self) -> dict[str, Any]:
        return {"oracle": [None if rule is None else rule.payments.tolist() for rule in self.given]}

    @classmethod
    def _rebuild(cls, setting: Setting, options: dict[str, Any]) -> Self:
        beliefs = setting.terms.beliefs
        return cls(setting, [None if rows is None else Rule(rows, beliefs) for rows in options["oracle"]])


class ScaledQuadratic(RuleBandit):
    """UCB1 over the scale of the quadratic (Brier) rule: `scales` evenly spaced from nothing to the bound."""

    name = "scaled-quadratic"

    def __init__(self, setting: Setting, *, scales: int = 11, rng: Any = None) -> None:
        del rng
        self.scales = whole(scales, "scales", least=2, most=MOST_SCALES)
        terms = known(setting).terms
        full = quadratic(terms.beliefs, terms.bound)
        steps = np.linspace(0, 1, self.scales)
        super().__init__(setting, [(full.scaled(x), None, f"{x:.0%} of the quadratic rule") for x in steps])

    def _options(self) -> dict[str, Any]:
        return {"scales": self.scales}

    @classmethod
    def _rebuild(cls, setting: Setting, options: dict[str, Any]) -> Self:
        return cls(setting, **options)
