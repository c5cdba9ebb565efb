r"""Robust design: the best rule against every plausible information structure at once.

An estimated information :math:`q` is one of many that the data allow. Against scenarios :math:`q^1, \dots, q^R` (the
estimate itself is always among them) and for effort k, over proper payments S with expected payments s,

.. math:: \text{maximise } t \quad\text{subject to}\quad
   t \le q^r_k \cdot (u - s), \qquad (q^r_k - q^r_i) \cdot s \ge c_k - c_i + \text{margin}
   \qquad\text{for all } i \ne k,\ r :

the profit t is earned, and the effort induced, in every scenario. Scenarios whose rows the present answer breaks are
added until none does. The certificate does not take the solver's word: the rule is held against every row of every
scenario, and the multipliers bound, by weak duality, what any rule could earn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorewright import tolerance
from scorewright.errors import CannotInduceError, SolverError
from scorewright.game import Game
from scorewright.optimum.certificate import Certificate
from scorewright.optimum.programs import Programs
from scorewright.optimum.solution import Solution
from scorewright.optimum.uncertainty import Doubtful, RobustlyInduced, RobustSolution, as_uncertainty
from scorewright.program import WAYS, Growing, Program, Rows, Vertex, Way
from scorewright.rules import Rule
from scorewright.rules.properness import distances
from scorewright.validation import Array

AT_ONCE = 4
"""Scenarios per constraint that join the program in one step: the most broken."""


def robust(
    game: Game,
    uncertainty: Any,
    plain: Solution,
    *,
    margin: float,
    strength: float,
    progress: Callable[[int, int], None] | None = None,
) -> RobustSolution:
    """Return the best rule against every scenario: what `solve` does when it is given an `uncertainty`."""
    known = as_uncertainty(uncertainty, game)
    worlds = np.concatenate([game.information[None], known.information])
    induced: list[RobustlyInduced | None] = []
    reasons: list[Doubtful | None] = []
    for effort in range(len(game.costs)):
        program = _Scenarios(game, worlds, effort, margin, strength)
        found = program.cheapest()
        induced.append(found)
        reasons.append(None if found is not None else program.reason(len(known)))
        if progress is not None:
            progress(effort + 1, len(game.costs))
    most = max((found.profit for found in induced if found is not None), default=None)
    if most is None:
        widest = max((reason for reason in reasons if reason is not None), key=lambda reason: reason.margin)
        raise CannotInduceError(
            f"no effort can be induced with margin {margin:g} in all of {len(known)} plausible games: the widest "
            f"margin is {widest.margin:.6g}, for {game.name(widest.effort)!r}; ask for less, or for fewer games"
        )
    near = most - tolerance.ROUNDING * max(1.0, abs(most))
    best = next(k for k, found in enumerate(induced) if found is not None and found.profit >= near)
    return RobustSolution(game, known, best, tuple(induced), tuple(reasons), plain)


class _Scenarios:
    """The programs for one effort. Payments are in units of the bound, profits in units of the stakes."""

    def __init__(self, game: Game, worlds: Array, effort: int, margin: float, strength: float) -> None:
        self.game, self.worlds, self.effort, self.margin, self.strength = game, worlds, effort, margin, strength
        self.programs = Programs(game, strength)
        unit = self.unit = self.programs.unit
        others = np.delete(np.arange(len(game.costs)), effort)
        ahead = worlds[:, [effort]] - worlds[:, others]  # (R, K - 1, M): incentives
        self.incentives = ahead.reshape(-1, worlds.shape[2])
        gaps = (game.costs[effort] - game.costs[others] + margin) / unit
        self.gaps = np.tile(gaps, len(worlds))
        self.own = worlds[:, effort]  # (R, M): profits
        self.worths = self.own @ game.value / unit

    def cheapest(self) -> RobustlyInduced | None:
        """The best rule, or None where no rule meets every row."""
        game, size = self.game, self.game.beliefs.size
        # Minimise z, the worst over scenarios of payment less worth: z + q.u - q.s >= 0.
        limit = float(np.abs(self.worths).max()) + 2 + game.penalty / self.unit
        cost = np.append(np.zeros(size), 1.0)
        losses = np.column_stack([-self._over_payments(self.own), np.ones(len(self.own))])
        needs = np.column_stack([self._over_payments(self.incentives), np.zeros(len(self.incentives))])
        rows = np.concatenate([losses, needs])
        answer = self._solve(cost, rows, np.concatenate([-self.worths, self.gaps]), limit)
        if answer is None:
            return None
        rule, bound = answer
        profits = self.own @ (game.value - rule.expected)
        short = self.gaps * self.unit - self.incentives @ rule.expected
        broken = max(0.0, float(short.max(initial=0.0)), self._envy(rule), rule.excess(game.bound, game.penalty))
        return RobustlyInduced(
            self.effort,
            float(profits.min()),
            float(profits[0]),
            float(self.own[0] @ rule.expected),
            rule,
            Certificate.of(float(profits.min()), -bound * self.unit, broken),
        )

    def reason(self, scenarios: int) -> Doubtful:
        """The widest margin by which the effort beats every rival in every scenario, and its proof."""
        game, size = self.game, self.game.beliefs.size
        limit = 2 + float(np.abs(self.gaps).max(initial=0.0)) + game.penalty / self.unit
        cost = np.append(np.zeros(size), -1.0)
        matrix = np.column_stack([self._over_payments(self.incentives), -np.ones(len(self.incentives))])
        answer = self._solve(cost, matrix, self.gaps - self.margin / self.unit, limit)
        if answer is None:
            raise SolverError("HiGHS finds no rule where a constant one will do; please report this game")
        rule, bound = answer
        ahead = self.incentives @ rule.expected - self.gaps * self.unit + self.margin
        worst = int(ahead.argmin())
        world, rival = divmod(worst, len(game.costs) - 1)
        rival += rival >= self.effort
        widest = float(ahead.min())
        where = "the game as estimated" if world == 0 else f"plausible game {world} of {scenarios}"
        if widest < 0:
            words = (
                f"under every rule with payments up to {game.bound:g} the agent gains at least {-widest:.6g} by "
                f"switching in one plausible game or another (under the firmest rule: to {game.name(rival)!r}, in "
                f"{where})"
            )
        else:
            words = (
                f"no rule with payments up to {game.bound:g} makes it beat every rival by more than {widest:.6g} in "
                f"all plausible games, less than the margin of {self.margin:g}"
            )
        certificate = Certificate.of(widest, -bound * self.unit, max(0.0, self._envy(rule)))
        return Doubtful(self.effort, widest, certificate, words)

    # -- the pieces --------------------------------------------------------------------------------------------------

    def _over_payments(self, rows: Array) -> Array:
        """Rows over expected payments (n, M) as rows over payments (n, M W)."""
        return (rows[:, :, None] * self.game.beliefs).reshape(len(rows), -1)

    def _envy(self, rule: Rule) -> float:
        if not self.strength:
            return -rule.slack
        return float((self.strength / 2 * distances(self.game.beliefs) ** 2 - rule.slacks).max())

    def _solve(self, cost: Array, rows: Array, least: Array, limit: float) -> tuple[Rule, float] | None:
        """Minimise `cost` over proper payments and one more variable, within `limit` of zero, that meet the `rows`.

        Return the rule and the proven bound on the value, in units; None where the rows can't be met.
        """
        for way in WAYS:
            try:
                answer = self._cut(cost, rows, least, limit, way)
            except SolverError as problem:
                refused = problem
                continue
            if answer is None:
                return None
            vertex, program = answer
            value, bound = float(cost @ vertex.point), program.bound(vertex.multipliers)
            if abs(value - bound) <= tolerance.CERTIFIED * max(1.0, abs(value)):
                payments = vertex.point[:-1].reshape(self.game.beliefs.shape) * self.unit
                return Rule(payments, self.game.beliefs), bound
            refused = SolverError("primal and dual values of a robust program do not agree; please report this game")
        raise refused

    def _cut(self, cost: Array, rows: Array, least: Array, limit: float, way: Way) -> tuple[Vertex, Program] | None:
        """Solve with few of the rows, add those that the answer breaks, and so on; return the program that sufficed."""
        polytope = self.programs.polytope
        lower = np.append(polytope.lowest.ravel(), -limit)
        upper = np.append(np.full(self.game.beliefs.size, polytope.highest), limit)
        kinds = self._kinds(len(rows))
        used = np.unique(kinds, return_index=True)[1]  # the estimate's own rows come first
        growing = Growing(Program(cost, polytope.rows.over(rows[used], least[used]), lower, upper), way)
        while True:
            vertex = growing.solve()
            if vertex is None:
                return None
            short = least - rows @ vertex.point
            short[used] = -np.inf
            joining = [
                row
                for kind in range(int(kinds.max(initial=0)) + 1)
                for row in np.argsort(np.where(kinds == kind, -short, np.inf), kind="stable")[:AT_ONCE]
                if kinds[row] == kind and short[row] > tolerance.FEASIBLE
            ]
            if not joining:
                return vertex, Program(cost, polytope.rows.over(rows[used], least[used]), lower, upper)
            used = np.concatenate([used, joining])
            growing.add_rows(Rows.dense(rows[joining], least[joining]))

    def _kinds(self, count: int) -> NDArray[np.intp]:
        """Which constraint each row is a scenario of: 0 the profit, if that is among them, then the rivals."""
        rivals = np.tile(np.arange(1, len(self.game.costs)), len(self.worlds))
        return np.concatenate([np.zeros(count - len(rivals), dtype=np.intp), rivals])
