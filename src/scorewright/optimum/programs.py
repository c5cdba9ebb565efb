r"""The linear programs of the known game.

Over payments :math:`S` in the polytope of proper rules, with :math:`s_i = \langle \sigma_i, S_i \rangle`:

- LP_k, the cheapest rule that induces effort k:
  minimise :math:`q_k \cdot s` subject to :math:`(q_k - q_i) \cdot s \ge c_k - c_i + \text{margin}` for all i != k;
- the widest margin: maximise m subject to :math:`(q_k - q_i) \cdot s - m \ge c_k - c_i` for all i != k;
- the least bound: with :math:`S = R\,B` and :math:`t = c^+ / B`, where :math:`c^+ = \max_i (c_k - c_i) > 0`,
  maximise t subject to :math:`(q_k - q_i) \cdot r \ge t\,(c_k - c_i)/c^+`, R proper with entries in [0, 1].

Payments are in units of the bound, so that the solver's tolerances are relative to it.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from scorewright import tolerance
from scorewright.game import Game
from scorewright.optimum.certificate import Multipliers
from scorewright.program import Program, Vertex
from scorewright.rules import Polytope, Rule
from scorewright.validation import Array

MODEST = 1e5
"""Payments this many times the differences in cost are seldom needed."""


@dataclass(frozen=True)
class Found:
    """A solved program, back in the game's own units: a rule, and the multipliers that prove it best."""

    rule: Rule
    multipliers: Multipliers


@dataclass(frozen=True)
class Programs:
    """The linear programs of `game`, with rules at least `strength`-strongly proper."""

    game: Game
    strength: float = 0.0

    @property
    def unit(self) -> float:
        """What one means inside the programs: the bound."""
        return self.game.bound or 1.0

    @cached_property
    def polytope(self) -> Polytope:
        """The proper rules, in these units."""
        lowest = self.game.setting.terms.lowest / self.unit
        return Polytope(self.game.beliefs, lowest, self.game.bound / self.unit, self.strength / self.unit)

    def cheapest(self, effort: int, margin: float = 0.0) -> Found | None:
        """LP_k: the cheapest rule under which `effort` beats every rival by `margin`; None if there is none.

        A bound that is only there to be out of the way would coarsen the solver's tolerances, which are relative to
        it. So a far smaller one is tried first; a rule that stays below that is optimal for the larger one too.
        """
        modest = MODEST * (float(np.ptp(self.game.costs)) + margin)
        if 0 < modest < self.game.bound:
            found = Programs(dataclasses.replace(self.game, bound=modest), self.strength).cheapest(effort, margin)
            if found is not None and found.rule.payments.max() < modest * (1 - tolerance.TIE):
                return found
        program = Program(
            self._spread(self.game.information[effort]),
            self.polytope.rows.over(self._incentives(effort), self._gaps(effort) + margin / self.unit),
            self.polytope.lowest.ravel(),
            np.full(self.game.beliefs.size, self.polytope.highest),
        )
        vertex = program.solve()
        return None if vertex is None else self._found(effort, vertex, self.unit)

    def widest(self, effort: int) -> Found:
        """The rule under which `effort` beats its best rival by the most, whatever it costs; needs a rival."""
        reach = 2 + float(np.abs(self._gaps(effort)).max())
        incentives = np.hstack([self._incentives(effort), np.full((len(self.game.costs) - 1, 1), -1.0)])
        program = Program(
            np.append(np.zeros(self.game.beliefs.size), -1.0),
            self.polytope.rows.over(incentives, self._gaps(effort)),
            np.append(self.polytope.lowest.ravel(), -reach),
            np.append(np.full(self.game.beliefs.size, self.polytope.highest), reach),
        )
        return self._found(effort, program.optimum(), self.unit)

    def tightest(self, effort: int) -> tuple[Found, float]:
        """Rule and share t of the least-bound program (the least bound is ``max_i (c_k - c_i) / t``)."""
        game = self.game
        gaps = np.delete(game.costs[effort] - game.costs, effort)
        unit = float(gaps.max())
        rows = self.polytope.rows.over(
            np.hstack([self._incentives(effort), -gaps[:, None] / unit]), np.zeros(len(gaps))
        )
        fine = game.penalty / unit
        fined = np.flatnonzero(game.beliefs.ravel() == 0) if fine else np.zeros(0, dtype=np.intp)
        fines = np.zeros((len(fined), game.beliefs.size + 1))
        fines[np.arange(len(fined)), fined] = 1.0
        fines[:, -1] = fine
        lower = np.zeros(game.beliefs.size + 1)
        lower[fined] = -fine
        program = Program(
            np.append(np.zeros(game.beliefs.size), -1.0),
            rows.over(fines, np.zeros(len(fined))),
            lower,
            np.append(np.ones(game.beliefs.size), 2.0),  # t never exceeds 1; a slack box keeps the rivals' prices
        )
        vertex = program.optimum()
        share = float(vertex.point[-1])
        return self._found(effort, vertex, unit / share if share > 0 else 0.0), share

    # -- the pieces --------------------------------------------------------------------------------------------------

    def _spread(self, weights: Array) -> Array:
        """Coefficients, over all payments, of ``weights . s``: (..., M) to (..., M W)."""
        spread = weights[..., :, None] * self.game.beliefs
        result: Array = spread.reshape(*weights.shape[:-1], self.game.beliefs.size)
        return result

    def _incentives(self, effort: int) -> Array:
        """One row ``q_k - q_i`` per rival, over all payments: (K - 1, M W)."""
        return self._spread(self.game.information[effort] - np.delete(self.game.information, effort, axis=0))

    def _gaps(self, effort: int) -> Array:
        """What the payments must make up for: ``c_k - c_i`` per rival, in these units, (K - 1,)."""
        costs = self.game.costs
        result: Array = np.delete(costs[effort] - costs, effort) / self.unit
        return result

    def _found(self, effort: int, vertex: Vertex, unit: float) -> Found:
        beliefs = self.game.beliefs
        payments = vertex.point[: beliefs.size].reshape(beliefs.shape) * unit
        pairs = len(self.polytope.pairs[0])
        envy = np.zeros((len(beliefs), len(beliefs)))
        envy[self.polytope.pairs] = vertex.multipliers[:pairs]
        rivals = np.insert(vertex.multipliers[pairs : pairs + len(self.game.costs) - 1], effort, 0.0)
        return Found(Rule(payments, beliefs), Multipliers(rivals, envy))


def normalised(multipliers: Multipliers) -> Multipliers:
    """The multipliers scaled so that the rivals' sum to one."""
    total = float(multipliers.rivals.sum())
    return Multipliers(multipliers.rivals / total, multipliers.envy / total)
