r"""The linear programs of the known game.

Over payments :math:`S` in the polytope of proper rules, with :math:`s_i = \langle \sigma_i, S_i \rangle`:

- LP_k, the cheapest rule that induces effort k:
  minimise :math:`q_k \cdot s` subject to :math:`(q_k - q_i) \cdot s \ge c_k - c_i + \text{margin}` for all i != k;
- the widest margin: maximise m subject to :math:`(q_k - q_i) \cdot s - m \ge c_k - c_i` for all i != k.

Payments are in units of the bound, so that the solver's tolerances are relative to it. `levels` solves them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np

from scorewright import tolerance
from scorewright.errors import SolverError
from scorewright.game import Game
from scorewright.optimum import levels, two_states
from scorewright.optimum.certificate import Certificate, Multipliers, advantage, violation
from scorewright.optimum.task import Answer, Plan, Task
from scorewright.program import WAYS
from scorewright.rules import Polytope, Rule
from scorewright.validation import Array

MODEST = 1e5
"""Payments this many times the differences in cost, or the strength, are seldom needed."""


@dataclass(frozen=True)
class Found:
    """A solved program, back in the game's own units: a rule, the multipliers that prove it best, the proof."""

    rule: Rule
    multipliers: Multipliers
    certificate: Certificate


@dataclass(frozen=True)
class Programs:
    """The linear programs of `game`, with rules at least `strength`-strongly proper.

    `near` remembers each effort's last plan: with another margin or bound it is a good place to start from.
    """

    game: Game
    strength: float = 0.0
    near: dict[int, Plan] = field(default_factory=dict)

    @property
    def unit(self) -> float:
        """What one means inside the programs: the bound."""
        return self.game.bound or 1.0

    @cached_property
    def polytope(self) -> Polytope:
        """The proper rules, in these units."""
        lowest = self.game.setting.terms.lowest / self.unit
        return Polytope(self.game.beliefs, lowest, self.game.bound / self.unit, self.strength / self.unit)

    @cached_property
    def levels(self) -> tuple[levels.Level, ...]:
        """Fewer beliefs in place of many, from fine to coarse; none where every belief needs a row of its own."""
        if self.strength:
            return ()
        often = self.game.information.sum(axis=0) + tolerance.PROBABILITY
        return levels.gathered(self.game.beliefs, self.polytope.lowest, often)

    def cheapest(self, effort: int, margin: float = 0.0) -> Found | None:
        """LP_k: the cheapest rule under which `effort` beats every rival by `margin`; None if there is none.

        The certificate is in payment. A bound that is only there to be out of the way would coarsen the solver's
        tolerances, which are relative to it. So a far smaller one is tried first; a rule that stays below that is
        optimal for the larger one too.
        """
        modest = MODEST * (float(np.ptp(self.game.costs)) + margin + self.strength)
        if 0 < modest < self.game.bound:
            smaller = dataclasses.replace(self, game=dataclasses.replace(self.game, bound=modest))
            found = smaller.cheapest(effort, margin)
            if found is not None and found.rule.payments.max() < modest * (1 - tolerance.TIE):
                return found

        def proved(rule: Rule, multipliers: Multipliers) -> Certificate:
            payment = float(self.game.information[effort] @ rule.expected)
            least = multipliers.bound(self.game, effort, paid=True, margin=margin, strength=self.strength)
            broken = violation(self.game, effort, rule, margin=margin, strength=self.strength)
            return Certificate.of(payment, least, broken)

        return self._solve(effort, self._task(effort, margin), proved)

    def widest(self, effort: int) -> Found:
        """The rule under which `effort` beats its best rival by the most, whatever it costs; needs a rival.

        The certificate is in margin, and the prices of the rivals sum to one.
        """

        def proved(rule: Rule, multipliers: Multipliers) -> Certificate:
            value = advantage(self.game, effort, rule)
            most = -multipliers.bound(self.game, effort, paid=False, strength=self.strength)
            broken = violation(self.game, effort, rule, margin=value, strength=self.strength)
            return Certificate.of(value, most, broken)

        found = self._solve(effort, self._task(effort, 0.0).widest(), proved)
        if found is None:
            raise SolverError("HiGHS finds no rule where a constant one will do; please report this game")
        return found

    # -- the pieces --------------------------------------------------------------------------------------------------

    def _task(self, effort: int, margin: float) -> Task:
        game, polytope = self.game, self.polytope
        return Task(
            game.beliefs,
            polytope.lowest,
            polytope.highest,
            game.information[effort],
            game.information[effort] - np.delete(game.information, effort, axis=0),
            self._gaps(effort) + margin / self.unit,
            strength=polytope.strength,
        )

    def _gaps(self, effort: int) -> Array:
        """What the payments must make up for: ``c_k - c_i`` per rival, in these units, (K - 1,)."""
        costs = self.game.costs
        result: Array = np.delete(costs[effort] - costs, effort) / self.unit
        return result

    def _solve(self, effort: int, task: Task, proved: Callable[[Rule, Multipliers], Certificate]) -> Found | None:
        """Solve, one way after another, until the proof closes."""
        for answered in self._answers(effort, task):
            try:
                answer = answered()
            except SolverError as problem:
                refused = problem
                continue
            if answer is not None and answer.plan is not None:
                self.near[effort] = answer.plan
            if answer is None or (task.reach == 0 and answer.margin < 0):
                return None
            found = self._found(effort, task, answer, proved)
            if self._closes(found.certificate):
                return found
            refused = SolverError(
                f"primal and dual values do not agree: {found.certificate} for a game of {len(task.beliefs)} beliefs; "
                f"please report this game"
            )
        raise refused

    def _answers(self, effort: int, task: Task) -> Iterator[Callable[[], Answer | None]]:
        """Ways to an answer, the shortest first."""
        if two_states.fits(task):
            yield from (partial(two_states.solve, task, way) for way in WAYS)
        elif effort in self.near and self.levels:
            yield partial(levels.resume, task, self.near[effort], WAYS[0])
        yield from (partial(levels.solve, task, self.levels, way) for way in WAYS)

    def _found(
        self, effort: int, task: Task, answer: Answer, proved: Callable[[Rule, Multipliers], Certificate]
    ) -> Found:
        rule = Rule(answer.menu[answer.home] * self.unit, self.game.beliefs)
        total = float(answer.prices.sum()) if task.reach else 1.0
        rivals = np.insert(answer.prices, effort, 0.0) / total
        multipliers = Multipliers(rivals, answer.enviers, answer.envied, answer.envy / total)
        return Found(rule, multipliers, proved(rule, multipliers))

    def _closes(self, certificate: Certificate) -> bool:
        size = max(self.unit, abs(certificate.primal))
        return certificate.gap <= tolerance.CERTIFIED * size and certificate.violation <= tolerance.TIE * self.unit
