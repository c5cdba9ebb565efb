"""Explore, then commit: learn for a while, then keep to what was learned."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from scorewright.game import Game, Setting
from scorewright.learn.offer import Offer
from scorewright.learn.osrl_ucb import read_oracle
from scorewright.learn.recording import RecordingLearner
from scorewright.optimum import solve
from scorewright.rules import Rule
from scorewright.validation import number as read_number
from scorewright.validation import whole


class ExploreThenCommit(RecordingLearner):
    """Play the oracle rules in turn, solve the game that the rounds suggest, and keep to its optimum.

    The estimated game takes the empirical information and the midpoints of the cost gaps; its rule is mixed with
    `caution` parts of the oracle rule of the effort that it aims for. An effort never seen, or without an oracle rule
    that worked, is left out.

    Parameters
    ----------
    setting : Setting
    oracle : as for OsrlUcb, but rules only
    rounds : int
        Plays of each oracle rule.
    caution : float
        Weight of the oracle rule in the rule committed to.
    """

    name = "explore-then-commit"

    def __init__(
        self, setting: Setting, oracle: Any, *, rounds: int = 30, caution: float = 0.1, rng: Any = None
    ) -> None:
        del rng
        self.given = read_oracle(setting, oracle)
        super().__init__(setting, len(self.given))
        self.rounds = whole(rounds, "rounds", least=1)
        self.caution = read_number(caution, "caution", least=0, most=1)
        self._arms = [k for k, rule in enumerate(self.given) if rule is not None]
        self._committed: tuple[Rule, int] | None = None

    def _propose(self, number: int) -> Offer:
        if number <= self.rounds * len(self._arms):
            effort = self._arms[(number - 1) % len(self._arms)]
            rule = self.given[effort]
            if rule is not None:
                return Offer(
                    number, rule, effort, "explore", None, f"exploring with the oracle rule of effort {effort}"
                )
        if self._committed is None:
            self._committed = self._commit()
        rule, effort = self._committed
        return Offer(number, rule, effort, "exploit", None, f"committed to buying effort {effort}")

    def _commit(self) -> tuple[Rule, int]:
        now = self.estimates()
        seen = [k for k in self._arms if now.counts[k] > 0 and np.isfinite(now.cost_gap[k]).all()]
        seen = seen or [int(np.argmax(now.counts))]
        costs = now.cost_gap[seen, seen[0]]
        terms = self.setting.terms
        game = Game(
            terms.beliefs, now.information[seen], costs - costs.min(), self.setting.utility, terms.bound, terms.penalty
        )
        solution = solve(game)
        effort = seen[solution.effort]
        oracle = self.given[effort]
        return (solution.rule if oracle is None else solution.rule.mix(oracle, self.caution)), effort

    def _options(self) -> dict[str, Any]:
        rules = [None if rule is None else rule.payments.tolist() for rule in self.given]
        return {"oracle": rules, "rounds": self.rounds, "caution": self.caution}

    @classmethod
    def _rebuild(cls, setting: Setting, options: dict[str, Any]) -> Self:
        beliefs = setting.terms.beliefs
        rules = [None if rows is None else Rule(rows, beliefs) for rows in options["oracle"]]
        return cls(setting, rules, rounds=options["rounds"], caution=options["caution"])

    def _save(self) -> dict[str, Any]:
        chosen = self._committed
        return super()._save() | {"committed": None if chosen is None else [chosen[0].payments.tolist(), chosen[1]]}

    def _load(self, saved: dict[str, Any]) -> None:
        super()._load(saved)
        chosen = saved["committed"]
        beliefs = self.setting.terms.beliefs
        self._committed = None if chosen is None else (Rule(chosen[0], beliefs), chosen[1])
