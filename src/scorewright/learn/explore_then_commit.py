"""Explore, then commit: learn for a while, then keep to what was learned."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Self

import numpy as np

from scorewright.errors import CannotInduceError
from scorewright.game import Setting
from scorewright.learn.estimates import least_gaps
from scorewright.learn.offer import Offer
from scorewright.learn.opt_lp import opt_lp
from scorewright.learn.osrl_ucb import read_oracle
from scorewright.learn.recording import RecordingLearner
from scorewright.rules import Polytope, Rule
from scorewright.validation import number as read_number
from scorewright.validation import whole


class ExploreThenCommit(RecordingLearner):
    """Play the oracle rules in turn, find the cheapest rule that should still work, and keep to it.

    For each effort, LP_k at the empirical information, with the cost gaps that the rules answered with it are known to
    make up for; `caution` parts of its oracle rule are mixed in against the error of the estimates.

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
        """The most profitable rule that is no less generous, at the estimates, than rules that were seen to work."""
        terms, now = self.setting.terms, self.estimates()
        gaps = least_gaps(self.history, now.information)
        sure = replace(now, radius=np.zeros(self.efforts), cost_gap=gaps, cost_radius=np.zeros_like(gaps))
        unit = terms.bound or 1.0
        polytope = Polytope(terms.beliefs, terms.lowest / unit, terms.bound / unit)
        best: tuple[float, Rule, int] | None = None
        for effort in self._arms:
            oracle = self.given[effort]
            if oracle is None or now.counts[effort] == 0:
                continue
            found = opt_lp(polytope, sure, effort, terms.bound)
            rule = oracle if found is None else Rule(found.payments, terms.beliefs).mix(oracle, self.caution)
            profit = float(now.information[effort] @ (self.setting.value - rule.expected))
            if best is None or profit > best[0]:
                best = profit, rule, effort
        if best is None:
            raise CannotInduceError("no oracle rule was answered with its effort: there is nothing to commit to")
        return best[1], best[2]

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
