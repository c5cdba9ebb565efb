"""OSRL-UCB: the paper's algorithm, to the letter.

Round after round: play each oracle rule once; then estimate (`estimates`), solve Opt-LP for every effort (`opt_lp`),
target the effort with the highest index (the lowest-numbered of equals), and deploy a mixture of its optimistic rule
with its oracle rule. If the agent makes another effort, search the segment towards the oracle rule (`search`). Every
round counts towards time, counts and history. The horizon enters nowhere: the algorithm is anytime.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from typing import Any, Self

import numpy as np

from scorewright.errors import CannotInduceError, InvalidInputError
from scorewright.game import Setting
from scorewright.learn.acquisition import Acquisition, Procedure
from scorewright.learn.estimates import Estimates
from scorewright.learn.linear_search import LinearSearch
from scorewright.learn.offer import Offer
from scorewright.learn.opt_lp import Optimistic, opt_lp
from scorewright.learn.random_sampling import RandomSampling
from scorewright.learn.recording import RecordingLearner
from scorewright.learn.search import Search
from scorewright.learn.strategies import Mixing, Radius, Stop
from scorewright.rules import Polytope, Rule
from scorewright.validation import Array, expect, generator, index, member, read_only, whole


class OsrlUcb(RecordingLearner):
    """OSRL-UCB.

    Parameters
    ----------
    setting : Setting
        What the principal knows.
    oracle : sequence of Rule or None, {effort: Rule}, or an acquisition procedure
        For each effort a rule that induces it, None where none is known; or how to come by them: `RandomSampling` or
        `LinearSearch`, whose rounds come first and count like all others.
    radius, mixing, stop : strategies
        Confidence radius, weight of the oracle rule, stopping width of the search; the paper's by default.
    rng
        For an acquisition procedure that draws; the algorithm itself does not.
    """

    name = "osrl-ucb"

    def __init__(
        self,
        setting: Setting,
        oracle: Sequence[Rule | None] | Mapping[Any, Rule] | Procedure,
        *,
        radius: Radius | None = None,
        mixing: Mixing | None = None,
        stop: Stop | None = None,
        rng: Any = None,
    ) -> None:
        expect(setting, Setting, "setting")
        self._acquisition: Acquisition | None = None
        self.procedure: Procedure | None = None
        if not isinstance(oracle, Sequence | Mapping) and hasattr(oracle, "start"):
            self.procedure = oracle
            self._acquisition = oracle.start(setting, generator(rng))
            rules: list[Rule | None] = [None] * len(setting.terms.efforts or ())
        else:
            rules = read_oracle(setting, oracle)
        super().__init__(setting, len(rules), radius)
        self.mixing, self.stop = mixing or Mixing(), stop or Stop()
        self.given = tuple(rules)
        """The oracle as it was given."""
        self.oracle = rules
        """For each effort the rule known to induce it, or None: such an effort is not targeted."""
        self._queue = [effort for effort, rule in enumerate(rules) if rule is not None]
        self._search: Search | None = None
        self._radii: Array | None = None
        self._weight = 1.0

    # -- offers ------------------------------------------------------------------------------------------------------

    def _propose(self, number: int) -> Offer:
        if self._acquisition is not None:
            proposed = self._acquisition.propose()
            if proposed is not None:
                return Offer(number, proposed[0], self._acquisition.sought(), "oracle", None, proposed[1])
            self._settle(self._acquisition.rules())
        if self._queue:
            effort = self._queue[0]
            rule = self.given[effort]
            if rule is None:
                raise InvalidInputError(f"effort {effort} has no oracle rule")
            return Offer(number, rule, effort, "oracle", None, f"first play of the oracle rule of effort {effort}")
        if self._search is not None:
            search = self._search
            why = (
                f"searching for the rule at which the agent turns to effort {search.target}: "
                f"between {search.low:.6g} and {search.high:.6g} of the way to its oracle rule"
            )
            return Offer(number, self._rule(search.payments), search.target, "search", None, why)
        return self._optimise(number)

    def _settle(self, found: dict[int, Rule]) -> None:
        """Take over the rules that an acquisition ended with."""
        if not found:
            raise CannotInduceError(
                "the acquisition ended without a rule for any effort: OSRL-UCB can't go on; give it more rounds"
            )
        self.oracle = [found.get(effort) for effort in range(len(self.oracle))]
        self._acquisition = None

    def _optimise(self, number: int) -> Offer:
        now = self.estimates()
        answers = [self._optimistic(now, effort) for effort in range(self.efforts)]
        values = np.array([value for value, _ in answers])
        target = int(np.argmax(values))
        oracle = self.oracle[target]
        if oracle is None:
            raise InvalidInputError("no effort has an oracle rule that the agent obeyed: OSRL-UCB can't go on")
        weight = self._weight = self.mixing(self.efforts, number)
        payments = weight * oracle.payments + (1 - weight) * answers[target][1]
        self._radii = now.radius
        why = (
            f"effort {target} promises most: up to {values[target]:.6g}; "
            f"{weight:.1%} of its oracle rule mixed into its optimistic rule"
        )
        return Offer(number, self._rule(payments), target, "optimise", read_only(values), why)

    def _optimistic(self, now: Estimates, effort: int) -> tuple[float, Array]:
        """Index and optimistic payments of one effort; minus infinity if it can't be targeted."""
        oracle = self.oracle[effort]
        if oracle is None or now.counts[effort] == 0:
            return -np.inf, np.zeros(self.setting.terms.beliefs.shape)
        bound, top = self.setting.terms.bound, float(np.abs(self.setting.utility).max())
        gain = float(now.information[effort] @ self.setting.value)
        found: Optimistic | None = opt_lp(self._polytope, now, effort, bound)
        if found is None:
            paid = float(now.information[effort] @ oracle.expected)
            return gain - paid + (bound + top) * float(now.radius[effort]), oracle.payments
        return gain + top * float(now.radius[effort]) - found.payment, found.payments

    def _absorb(self, offer: Offer, effort: int, report: int) -> None:
        super()._absorb(offer, effort, report)
        self.oracle.extend([None] * (self.efforts - len(self.oracle)))
        if self._acquisition is not None:
            self._acquisition.told(effort)
        elif offer.phase == "oracle":
            self._queue.pop(0)
            if effort != offer.target and offer.target is not None:
                # With rules in the wrong order this leaves an effort out whose rule was played: `missing` says so.
                self.oracle[offer.target] = None
                if self.oracle[effort] is None:
                    self.oracle[effort] = offer.rule
        elif offer.phase == "search" and self._search is not None:
            search = self._search.told(effort)
            self._search = None if search.over(self.stop) else search
        elif effort != offer.target and offer.target is not None and self._weight < 1:
            oracle = self.oracle[offer.target]
            if oracle is None or self._radii is None:
                raise InvalidInputError("an optimise round always has an oracle rule")
            search = Search(offer.rule.payments, oracle.payments, offer.target, 0.0, 1.0, effort, self._radii)
            self._search = None if search.over(self.stop) else search

    # -- what is known -----------------------------------------------------------------------------------------------

    @property
    def missing(self) -> tuple[int, ...]:
        """Efforts, named, given or met, without a rule that induces them: they are not targeted."""
        named = max(len(self.given), len(self.setting.terms.efforts or ()))
        seen = self.history.counts.sum(axis=1) > 0
        return tuple(k for k, rule in enumerate(self.oracle) if rule is None and (k < named or seen[k]))

    @cached_property
    def _polytope(self) -> Polytope:
        terms = self.setting.terms
        unit = terms.bound or 1.0
        return Polytope(terms.beliefs, terms.lowest / unit, terms.bound / unit)

    def _rule(self, payments: Array) -> Rule:
        return Rule(payments, self.setting.terms.beliefs)

    # -- keeping -----------------------------------------------------------------------------------------------------

    def _options(self) -> dict[str, Any]:
        if (type(self.radius), type(self.mixing), type(self.stop)) != (Radius, Mixing, Stop):
            raise InvalidInputError("only Radius, Mixing and Stop themselves can be saved, not strategies of your own")
        return {
            "oracle": [None if rule is None else rule.payments.tolist() for rule in self.given]
            if self.procedure is None
            else self.procedure.options(),
            "radius": asdict(self.radius),
            "mixing": asdict(self.mixing),
            "stop": asdict(self.stop),
        }

    @classmethod
    def _rebuild(cls, setting: Setting, options: dict[str, Any]) -> Self:
        beliefs, oracle = setting.terms.beliefs, options["oracle"]
        if isinstance(oracle, dict):
            recipe = dict(oracle)
            name = member(recipe.pop("procedure"), "procedure", tuple(_PROCEDURES))
            given: Any = _PROCEDURES[name](**recipe)
        else:
            given = [None if payments is None else Rule(payments, beliefs) for payments in oracle]
        return cls(
            setting,
            given,
            radius=Radius(**options["radius"]),
            mixing=Mixing(**options["mixing"]),
            stop=Stop(**options["stop"]),
        )

    def _save(self) -> dict[str, Any]:
        return super()._save() | {
            "oracle": [None if rule is None else rule.payments.tolist() for rule in self.oracle],
            "queue": list(self._queue),
            "acquisition": None if self._acquisition is None else self._acquisition.state(),
            "search": None if self._search is None else self._search.state(),
            "weight": self._weight,
            "radii": None if self._radii is None else [None if np.isinf(r) else float(r) for r in self._radii],
        }

    def _load(self, saved: dict[str, Any]) -> None:
        beliefs = self.setting.terms.beliefs
        super()._load(saved)
        self.oracle = [None if payments is None else Rule(payments, beliefs) for payments in saved["oracle"]]
        self._queue = list(saved["queue"])
        if saved["acquisition"] is None:
            self._acquisition = None
        elif self._acquisition is not None:
            self._acquisition.load(saved["acquisition"])
        self._search = None if saved["search"] is None else Search.restore(saved["search"])
        self._weight = saved["weight"]
        radii = saved["radii"]
        self._radii = None if radii is None else np.array([np.inf if r is None else r for r in radii])


_PROCEDURES: dict[str, type[RandomSampling] | type[LinearSearch]] = {
    "random-sampling": RandomSampling,
    "linear-search": LinearSearch,
}


def read_oracle(setting: Setting, oracle: Any) -> list[Rule | None]:
    """Read an oracle as one rule or None per effort, checked against the terms."""
    terms = setting.terms
    if isinstance(oracle, str | Rule) or not isinstance(oracle, Iterable):
        raise InvalidInputError("oracle must be one rule (or None) per effort, {effort: rule}, or a procedure")
    if isinstance(oracle, Mapping):
        numbers = [whole(k, "effort", least=0) for k in oracle] if terms.efforts is None else []
        count = max(numbers, default=-1) + 1 if terms.efforts is None else len(terms.efforts)
        rules: list[Rule | None] = [None] * count
        for name, known in oracle.items():
            rules[index(name, "effort", terms.efforts, count)] = known
    else:
        rules = list(oracle)
    if terms.efforts is not None and len(rules) != len(terms.efforts):
        raise InvalidInputError(f"oracle has {len(rules)} rules for {len(terms.efforts)} efforts: one each, or None")
    if not any(rule is not None for rule in rules):
        raise InvalidInputError("oracle has no rule at all; OSRL-UCB needs at least one")
    for effort, rule in enumerate(rules):
        if rule is not None:
            expect(rule, Rule, f"oracle[{effort}]").same_beliefs(terms.beliefs)
            if not rule.is_proper() or not rule.within(terms.bound, terms.penalty):
                raise InvalidInputError(
                    f"oracle[{effort}] must be a proper rule with payments within the bound {terms.bound:g}"
                )
    return rules
