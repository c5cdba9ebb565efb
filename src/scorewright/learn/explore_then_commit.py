"""Explore, then commit: learn for a while, then keep to what was learned."""

from __future__ import annotations

import sys
from typing import Any, Self

import numpy as np

from scorewright.errors import CannotInduceError
from scorewright.game import Setting
from scorewright.kernel import Phase
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
        self._arms = [(k, rule) for k, rule in enumerate(self.given) if rule is not None]
        self._committed: tuple[Rule, int] | None = None
        self._play_rules(self._arms, "explore")

    def _play_rules(self, arms: list[tuple[int, Rule]], phase: Phase) -> None:
        numbers = [self.memory.rule(rule.payments) for _, rule in arms]
        self.memory.set_arms(numbers, [effort for effort, _ in arms], 0.0, in_turn=True, phase=phase)

    def _propose(self, number: int) -> Offer:
        if self._exploring() <= 0 and self._committed is None:
            self._commit()
        found = self.memory.propose(number)
        if self._committed is None:
            why = f"exploring with the oracle rule of effort {found.target}"
        else:
            why = f"committed to buying effort {found.target}"
        return Offer(number, Rule(found.payments, self.setting.terms.beliefs), found.target, found.phase, None, why)

    def _absorb(self, offer: Offer, effort: int, report: int) -> None:
        del offer
        self.memory.absorb(effort, report)

    def _exploring(self) -> int:
        """Rounds of exploration to come."""
        return self.rounds * len(self._arms) - self._number + 1

    def alone(self) -> int:
        """Return how many of the next rounds the kernel can play by itself: until it is time to commit, then all."""
        if type(self) is not ExploreThenCommit or self._open is not None:
            return 0
        return max(0, self._exploring()) if self._committed is None else sys.maxsize

    def _commit(self) -> None:
        """Choose the most profitable rule that is no less generous, at the estimates, than rules seen to work."""
        terms = self.setting.terms
        information, _, _, _, gaps = self.memory.estimates(self._number)
        counts = self.memory.counts.sum(axis=1)
        unit = terms.bound or 1.0
        polytope = Polytope(terms.beliefs, terms.lowest / unit, terms.bound / unit)
        best: tuple[float, Rule, int] | None = None
        for effort, oracle in self._arms:
            if counts[effort] == 0:
                continue
            wanted = np.where(np.isfinite(gaps[effort]) & (counts > 0), gaps[effort], -np.inf)
            wanted[effort] = -np.inf
            found = opt_lp(polytope, effort, 0.0, information, wanted, terms.bound)
            rule = oracle if found is None else Rule(found[0], terms.beliefs).mix(oracle, self.caution)
            profit = float(information[effort] @ (self.setting.value - rule.expected))
            if best is None or profit > best[0]:
                best = profit, rule, effort
        if best is None:
            raise CannotInduceError("no oracle rule was answered with its effort: there is nothing to commit to")
        self._keep_to(best[1], best[2])

    def _keep_to(self, rule: Rule, effort: int) -> None:
        self._committed = rule, effort
        self._play_rules([(effort, rule)], "exploit")

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
        if chosen is not None:
            self._committed = Rule(chosen[0], self.setting.terms.beliefs), chosen[1]
