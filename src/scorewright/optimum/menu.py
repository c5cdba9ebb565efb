r"""The master program: the best menu for a given way of sharing its rows.

A *plan* gives every belief a row of the menu, its home. What a belief is paid, in expectation, is

.. math:: s_i = \langle \sigma_i, S_{\text{home}(i)} \rangle + v_i, \qquad v_i \ge 0,

where *held* beliefs have no excess v, and for every row h that somebody was seen to envy

.. math:: \langle \sigma_i, S_{\text{home}(i)} - S_h \rangle + v_i \ge 0.

Sharing a row restricts the rule. An excess relaxes it, for a belief may be promised more than any row of the menu pays;
a belief of positive weight never is, for paying it less is better. Beliefs that appear in no row of the program are
left out: they take what they like best, and rivals join the program only when that breaks their incentive row.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scorewright import tolerance
from scorewright.optimum.task import Marks, Numbers, Plan, Task
from scorewright.program import Growing, Program, Rows, Vertex, Way
from scorewright.rules.properness import distances
from scorewright.validation import Array

PER_PAIR = 3
"""Held beliefs that join at a time for one pair of rows: those of one home envy a row together."""


@dataclass(frozen=True)
class Priced:
    """The best menu of a plan, and its prices.

    Attributes
    ----------
    menu : (R, W) array
    margin : float
    excess : (M,) array
        What beliefs are paid beyond their home row.
    unpaid : (M,) array of bool
        Beliefs that are promised more than any row pays.
    prices : (n,) array
        Multipliers of the task's rows.
    envy : (p, 2) array
        Pairs (belief, row), and `envious`, (p,), the multiplier of each.
    """

    menu: Array
    margin: float
    excess: Array
    unpaid: Marks
    prices: Array
    envy: Numbers
    envious: Array


def best_menu(task: Task, plan: Plan, way: Way) -> Priced | None:
    """Return the best menu of `plan` with its prices; None when no menu of that plan meets the task's rows."""
    rivals = plan.rivals
    while True:
        master = _Master(task, plan, rivals, way)
        priced = master.solve()
        if priced is None:
            return None
        broken = master.broken(priced)
        if len(broken) == 0:
            return priced
        rivals = np.union1d(rivals, broken)


class _Master:
    def __init__(self, task: Task, plan: Plan, rivals: Numbers, way: Way) -> None:
        self.task, self.plan, self.rivals = task, plan, rivals
        count, states = task.beliefs.shape
        self.size = int(plan.home.max()) + 1
        self.rows = task.rows[rivals]
        self.busy = plan.held | (task.cost != 0) | (self.rows != 0).any(axis=0)
        self.required = task.strength / 2 * distances(task.beliefs) ** 2 if task.strength else None
        self.column = np.full(count, -1)  # where a belief's excess is, if it has one
        self.width = self.size * states + (task.reach > 0)
        self.envy: list[Numbers] = []
        self.watched = np.zeros((count, self.size), dtype=bool)
        self.program = Growing(self._program(), way)
        self._watch(plan.envy)

    def solve(self) -> Priced | None:
        """Solve, let whoever envies a row join, and again until nobody does."""
        while True:
            vertex = self.program.solve()
            if vertex is None:
                return None
            menu, excess = self._read(vertex)
            paid = self._paid(menu, excess)
            row, envy = self._envied(menu, paid)
            joining = self._joining(row, envy)
            if len(joining) == 0:
                return self._priced(vertex, menu, excess, envy)
            self._watch(joining)

    def broken(self, priced: Priced) -> Numbers:
        """Rows of the task that were left out and do not hold: (r,)."""
        task, chosen = self.task, priced.menu[self.plan.home]
        paid = (task.beliefs * chosen).sum(axis=1) + priced.excess
        paid = np.where(self.busy, paid, (task.beliefs @ priced.menu.T).max(axis=1))
        short = task.rows @ paid - priced.margin < task.least - tolerance.ENVY
        short[self.rivals] = False
        return np.flatnonzero(short)

    # -- the program -------------------------------------------------------------------------------------------------

    def _program(self) -> Program:
        task, states = self.task, self.task.beliefs.shape[1]
        lowest = np.full((self.size, states), -np.inf)
        np.maximum.at(lowest, self.plan.home, task.lowest)
        cost, lower = self._gathered(task.cost[None, :])[0], lowest.ravel()
        upper, rows = np.full(len(lower), task.highest), self._gathered(self.rows)
        if task.reach > 0:
            cost, lower, upper = np.append(cost, -1.0), np.append(lower, -task.reach), np.append(upper, task.reach)
            rows = np.hstack([rows, np.full((len(rows), 1), -1.0)])
        every = np.broadcast_to(np.arange(self.width), rows.shape)
        return Program(cost, Rows.sparse(every, rows, task.least[self.rivals]), lower, upper)

    def _gathered(self, weights: Array) -> Array:
        """Weights on expected payments (n, M) as weights on the menu, (n, R W)."""
        beliefs = self.task.beliefs
        states = beliefs.shape[1]
        cells = self.plan.home[:, None] * states + np.arange(states)
        size = self.size * states
        return np.array(
            [np.bincount(cells.ravel(), (one[:, None] * beliefs).ravel(), minlength=size) for one in weights]
        ).reshape(len(weights), size)

    def _watch(self, pairs: Numbers) -> None:
        """Let nobody of `pairs` (belief, row) envy that row; beliefs that are not held get their excess."""
        belief, row = pairs[:, 0], pairs[:, 1]
        self._give_excess(np.unique(belief[~self.plan.held[belief] & (self.column[belief] < 0)]))
        task, states = self.task, np.arange(self.task.beliefs.shape[1])
        has = self.column[belief] >= 0
        columns = np.concatenate(
            [
                self.plan.home[belief][:, None] * len(states) + states,
                row[:, None] * len(states) + states,
                np.where(has, self.column[belief], 0)[:, None],
            ],
            axis=1,
        )
        entries = np.concatenate([task.beliefs[belief], -task.beliefs[belief], has[:, None].astype(float)], axis=1)
        least = np.zeros(len(pairs)) if self.required is None else self.required[belief, row]
        self.program.add_rows(Rows.sparse(columns, entries, least))
        self.envy.append(pairs)
        self.watched[belief, row] = True

    def _give_excess(self, beliefs: Numbers) -> None:
        task, new = self.task, len(beliefs)
        self.column[beliefs] = self.width + np.arange(new)
        self.width += new
        entries = self.rows[:, beliefs].T
        places = np.broadcast_to(np.arange(len(self.rows)), entries.shape)
        room = np.full(new, task.highest)
        self.program.add_columns(task.cost[beliefs], room, Rows.sparse(places, entries, np.zeros(new)))

    # -- its answers -------------------------------------------------------------------------------------------------

    def _read(self, vertex: Vertex) -> tuple[Array, Array]:
        """The menu (R, W) and the excesses (M,)."""
        states = self.task.beliefs.shape[1]
        menu = vertex.point[: self.size * states].reshape(self.size, states)
        return menu, np.where(self.column >= 0, vertex.point[self.column], 0.0)

    def _paid(self, menu: Array, excess: Array) -> Array:
        result: Array = (self.task.beliefs * menu[self.plan.home]).sum(axis=1) + excess
        return result

    def _envied(self, menu: Array, paid: Array) -> tuple[Numbers, Array]:
        """The row other than its home that each belief would rather have, and by how much, (M,)."""
        every = np.arange(len(paid))
        gains = self.task.beliefs @ menu.T
        if self.required is not None:
            gains += self.required
        gains[every, self.plan.home] = -np.inf
        row = gains.argmax(axis=1)
        return row, gains[every, row] - paid

    def _joining(self, row: Numbers, envy: Array) -> Numbers:
        """Pairs (belief, row) to watch next: every envious belief that is not held, the worst few of those that are."""
        unwatched = ~self.watched[np.arange(len(row)), row]  # what the solver leaves of a row that it has, stays
        envious = np.flatnonzero(self.busy & unwatched & (envy > tolerance.ENVY))
        held = envious[self.plan.held[envious]]
        pair = self.plan.home[held] * self.size + row[held]
        order = np.lexsort((-envy[held], pair))
        held, pair = held[order], pair[order]
        place = np.arange(len(pair)) - np.searchsorted(pair, pair)
        joining = np.concatenate([envious[~self.plan.held[envious]], held[place < PER_PAIR]])
        return np.stack([joining, row[joining]], axis=1)

    def _priced(self, vertex: Vertex, menu: Array, excess: Array, envy: Array) -> Priced:
        task, count = self.task, len(self.rivals)
        prices = np.zeros(len(task.least))
        prices[self.rivals] = vertex.multipliers[:count]
        margin = float(vertex.point[menu.size]) if task.reach > 0 else 0.0
        # Envy below zero is what a belief is paid beyond the best other row.
        unpaid = (excess > tolerance.ENVY) & (envy < -tolerance.ENVY)
        pairs = np.concatenate(self.envy)
        return Priced(menu, margin, excess, unpaid, prices, pairs, vertex.multipliers[count:])
