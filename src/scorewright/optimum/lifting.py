r"""Lifting: what the prices of a shared row prove about the beliefs that share it.

The master program prices a row of the menu as a whole. Let the belief i that is paid by it carry the weight
:math:`e_i = w_i - \sum_h y_{ih}`, its weight less what it envies elsewhere, and let beliefs that envy the row from
outside carry their multipliers. Nobody would gain by rows of their own if no small move of them,

.. math:: \min \sum_i e_i\,ds_i \quad\text{subject to}\quad ds_i \ge \langle \sigma_i, dS_j \rangle,\qquad
          |dS_{jw}| \le 1,\ \text{inwards at the bounds},

goes below zero; its multipliers then are prices of envy among those beliefs, and with them a proof for the full linear
program. If it does, the beliefs that it moves apart should not share a row. Only beliefs of negative weight need a move
of their own, :math:`ds_j = \langle \sigma_j, dS_j \rangle`; the others follow.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scorewright import tolerance
from scorewright.errors import SolverError
from scorewright.optimum.task import Numbers, Task
from scorewright.program import Growing, Program, Rows, Way
from scorewright.validation import Array

NEAREST = 2
"""Moves that a belief watches from the start: those of this many times W nearest beliefs."""


@dataclass(frozen=True)
class Lift:
    """What became of one shared row.

    Attributes
    ----------
    gain : float
        What separate rows would gain, at most 0; at 0 the proof is complete.
    movers : (n,) array
        The beliefs of negative weight, and `moves` (n, W) how they would move.
    enviers, envied, envy : (p,) arrays
        Beliefs i and j and the price of envy between them.
    """

    gain: float
    movers: Numbers
    moves: Array
    enviers: Numbers
    envied: Numbers
    envy: Array


def lift(
    task: Task, row: Array, movers: Numbers, weights: Array, followers: Numbers, following: Array, way: Way
) -> Lift:
    """Lift the prices of `row` (W,) to the beliefs that share or envy it.

    `movers` carry the negative `weights`, `followers` the positive weights `following`.
    """
    return _Lifting(task, row, movers, weights, followers, following, way).solve()


def lone(mover: Numbers, followers: Numbers, following: Array, states: int) -> Lift:
    """The lift of a row with a single mover: whatever follows, follows it, and the master program has balanced that."""
    return Lift(0.0, mover, np.zeros((1, states)), followers, np.repeat(mover, len(followers)), following)


class _Lifting:
    def __init__(
        self, task: Task, row: Array, movers: Numbers, weights: Array, followers: Numbers, following: Array, way: Way
    ) -> None:
        self.movers, self.everyone = movers, np.concatenate([movers, followers])
        self.own, self.beliefs = task.beliefs[movers], task.beliefs[self.everyone]
        self.scale = float(max(-weights.min(), following.max(initial=0.0))) or 1.0
        lower = np.where(row <= task.lowest[self.everyone] + tolerance.TIE, 0.0, -1.0)
        upper = np.where(row >= task.highest - tolerance.TIE, 0.0, 1.0)
        count, states = self.own.shape
        self.moving = count * states
        rest = self.beliefs[count:]
        program = Program(
            np.concatenate([(weights[:, None] * self.own).ravel(), following]) / self.scale,
            Rows.dense(np.zeros((0, self.moving + len(rest))), np.zeros(0)),
            np.concatenate([lower[:count].ravel(), (rest * lower[count:]).sum(axis=1)]),
            np.concatenate([np.tile(upper, count), rest @ upper]),
        )
        self.cost = program.cost
        self.program = Growing(program, Way(1.0, way.options))
        self.pairs: list[Numbers] = []
        self.watched = np.zeros((len(self.everyone), count), dtype=bool)

    def solve(self) -> Lift:
        self._watch(self._neighbours())
        while True:
            vertex = self.program.solve()
            if vertex is None:
                raise SolverError("HiGHS calls a program infeasible that zero solves; please report this game")
            gain = float(self.cost @ vertex.point)
            moves = vertex.point[: self.moving].reshape(self.own.shape)
            joining = self._envious(moves, vertex.point[self.moving :]) if gain < -tolerance.ENVY else None
            if joining is None or len(joining) == 0:
                break
            self._watch(joining)
        pairs, there = np.concatenate(self.pairs), vertex.multipliers > 0
        envy = vertex.multipliers[there] * self.scale
        enviers, envied = self.everyone[pairs[there, 0]], self.movers[pairs[there, 1]]
        return Lift(gain * self.scale, self.movers, moves, enviers, envied, envy)

    def _neighbours(self) -> Numbers:
        """Everyone with the movers nearest to it."""
        count, states = self.own.shape
        near = min(NEAREST * states, count - 1)
        apart = np.square(self.own).sum(axis=1) - 2 * self.beliefs @ self.own.T
        apart[np.arange(count), np.arange(count)] = np.inf
        nearest = np.argpartition(apart, near - 1, axis=1)[:, :near]
        return np.stack([np.repeat(np.arange(len(self.beliefs)), near), nearest.ravel()], axis=1)

    def _envious(self, moves: Array, following: Array) -> Numbers:
        """Pairs to watch next: each belief with the move that it envies most, each move with who envies it most."""
        count = len(moves)
        envy = self.beliefs @ moves.T
        gained = np.concatenate([np.diagonal(envy), following])
        envy -= gained[:, None]
        everyone, movers = np.arange(len(envy)), np.arange(count)
        by_belief, by_move = envy.argmax(axis=1), envy.argmax(axis=0)
        pairs = np.concatenate(
            [
                np.stack([everyone, by_belief], axis=1)[envy[everyone, by_belief] > tolerance.TIE],
                np.stack([by_move, movers], axis=1)[envy[by_move, movers] > tolerance.TIE],
            ]
        )
        pairs = pairs[~self.watched[pairs[:, 0], pairs[:, 1]]]  # what the solver leaves of a row that it has, stays
        return np.unique(pairs, axis=0)

    def _watch(self, pairs: Numbers) -> None:
        """Movers gain ``<own, dS_own>``, followers their own variable: neither less than by another's move."""
        count, states = self.own.shape
        who, move = pairs[:, 0], pairs[:, 1]
        mover, every = who < count, np.arange(states)
        own = np.where(mover[:, None], who[:, None] * states + every, self.moving + who[:, None] - count)
        mine = np.where(mover[:, None], self.beliefs[who], 0.0)
        mine[~mover, 0] = 1.0
        columns = np.concatenate([own, move[:, None] * states + every], axis=1)
        entries = np.concatenate([mine, -self.beliefs[who]], axis=1)
        self.program.add_rows(Rows.sparse(columns, entries, np.zeros(len(pairs))))
        self.pairs.append(pairs)
        self.watched[who, move] = True
