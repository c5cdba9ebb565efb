"""OSRL-UCB: the paper's algorithm, to the letter.

Round after round: play each oracle rule once; then estimate (`estimates`), solve Opt-LP for every effort (`opt_lp`),
target the effort with the highest index (the lowest-numbered of equals), and deploy a mixture of its optimistic rule
with its oracle rule. If the agent makes another effort, search the segment from the deployed rule (lambda = 0) to the
oracle rule (lambda = 1): play the midpoint, the target lowers the upper end, any other response raises the lower one,
until the interval is narrower than the smaller of two radii, both frozen in the round that was disobeyed: that of the
target, and that of the last response other than the target. Every round counts towards time, counts and history. The
horizon enters nowhere: the algorithm is anytime.

The rounds themselves are computed in the kernel (osrl_ucb.c).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from typing import Any, Self

from scorewright.errors import CannotInduceError, InvalidInputError
from scorewright.game import Setting
from scorewright.learn.acquisition import Acquisition, Procedure
from scorewright.learn.learner import known
from scorewright.learn.linear_search import LinearSearch
from scorewright.learn.offer import Offer
from scorewright.learn.opt_lp import opt_lp
from scorewright.learn.random_sampling import RandomSampling
from scorewright.learn.recording import RecordingLearner
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
        known(setting)
        self._acquisition: Acquisition | None = None
        self.procedure: Procedure | None = None
        if not isinstance(oracle, Sequence | Mapping) and hasattr(oracle, "start"):
            self.procedure = oracle
            self._acquisition = oracle.start(setting, generator(rng))
            rules: list[Rule | None] = [None] * len(setting.terms.efforts or ())
        else:
            rules = read_oracle(setting, oracle)
        super().__init__(setting, len(rules), radius, mixing, stop)
        self.given = tuple(rules)
        """The oracle as it was given."""
        self.memory.become_osrl(self._hand)
        self._adopt(rules, play=True)

    # -- offers ------------------------------------------------------------------------------------------------------

    def _propose(self, number: int) -> Offer:
        if self._acquisition is not None:
            proposed = self._acquisition.propose()
            if proposed is not None:
                return Offer(number, proposed[0], self._acquisition.sought(), "oracle", None, proposed[1])
            self._settle(self._acquisition.rules())
        found = self.memory.propose(number)
        rule = Rule(found.payments, self.setting.terms.beliefs)
        if found.phase == "oracle":
            why = f"first play of the oracle rule of effort {found.target}"
            return Offer(number, rule, found.target, "oracle", None, why)
        if found.phase == "search":
            why = (
                f"searching for the rule at which the agent turns to effort {found.target}: "
                f"between {found.low:.6g} and {found.high:.6g} of the way to its oracle rule"
            )
            return Offer(number, rule, found.target, "search", None, why)
        why = (
            f"effort {found.target} promises most: up to {found.index[found.target]:.6g}; "
            f"{found.weight:.1%} of its oracle rule mixed into its optimistic rule"
        )
        return Offer(number, rule, found.target, "optimise", read_only(found.index), why)

    def _settle(self, found: dict[int, Rule]) -> None:
        """Take over the rules that an acquisition ended with."""
        if not found:
            raise CannotInduceError(
                "the acquisition ended without a rule for any effort: OSRL-UCB can't go on; give it more rounds"
            )
        self._adopt([found.get(effort) for effort in range(self.efforts)], play=False)
        self._acquisition = None

    def _adopt(self, rules: Sequence[Rule | None], *, play: bool) -> None:
        self.memory.set_oracle([-1 if rule is None else self.memory.rule(rule.payments) for rule in rules], play=play)

    def _absorb(self, offer: Offer, effort: int, report: int) -> None:
        if self._acquisition is not None:
            super()._absorb(offer, effort, report)
            self._acquisition.told(effort)
        else:
            self.memory.absorb(effort, report)

    def _hand(self, effort: int, room: float, information: Array, relaxed: Array) -> tuple[Array, float] | None:
        """Solve by HiGHS what the kernel could not decide safely."""
        return opt_lp(self._polytope, effort, room, information, relaxed, self.setting.terms.bound)

    def alone(self) -> int:
        """Return how many of the next rounds the kernel can play by itself: all of them, once it has its oracle."""
        able = type(self) is OsrlUcb and self._acquisition is None and self._open is None
        return sys.maxsize if able else 0

    # -- what is known -----------------------------------------------------------------------------------------------

    @property
    def oracle(self) -> tuple[Rule | None, ...]:
        """For each effort the rule known to induce it, or None: such an effort is not targeted."""
        beliefs = self.setting.terms.beliefs
        return tuple(None if rule < 0 else Rule(self.memory.payments(rule), beliefs) for rule in self.memory.oracle)

    @property
    def programs(self) -> dict[str, int]:
        """Opt-LPs so far: all, those whose optimum is not the zero rule, infeasible ones, those handed to HiGHS."""
        return {name: self.memory.tally(name) for name in ("programs", "nonzero", "infeasible", "handed")}

    @property
    def missing(self) -> tuple[int, ...]:
        """Efforts, named, given or met, without a rule that induces them: they are not targeted."""
        named = max(len(self.given), len(self.setting.terms.efforts or ()))
        seen = self.memory.counts.sum(axis=1) > 0
        return tuple(k for k, rule in enumerate(self.memory.oracle) if rule < 0 and (k < named or seen[k]))

    @cached_property
    def _polytope(self) -> Polytope:
        terms = self.setting.terms
        unit = terms.bound or 1.0
        return Polytope(terms.beliefs, terms.lowest / unit, terms.bound / unit)

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
        return super()._save() | {"acquisition": None if self._acquisition is None else self._acquisition.state()}

    def _load(self, saved: dict[str, Any]) -> None:
        super()._load(saved)
        if saved.get("acquisition") is None:
            self._acquisition = None
        elif self._acquisition is not None:
            self._acquisition.load(saved["acquisition"])


_PROCEDURES: dict[str, type[RandomSampling] | type[LinearSearch]] = {
    "random-sampling": RandomSampling,
    "linear-search": LinearSearch,
}


def read_oracle(setting: Setting, oracle: Any) -> list[Rule | None]:
    """Read an oracle as one rule or None per effort, checked against the terms."""
    terms = known(setting).terms
    if isinstance(oracle, str | Rule) or not isinstance(oracle, Iterable):
        raise InvalidInputError("oracle must be one rule (or None) per effort, {effort: rule}, or a procedure")
    if isinstance(oracle, Mapping):
        numbers = [whole(k, "effort", least=0) for k in oracle] if terms.efforts is None else []
        count = max(numbers, default=-1) + 1 if terms.efforts is None else len(terms.efforts)
        rules: list[Rule | None] = [None] * count
        for name, rule in oracle.items():
            rules[index(name, "effort", terms.efforts, count)] = rule
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
