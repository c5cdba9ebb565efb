"""Coarse to fine: a game with fewer beliefs says where to look in one with more.

Beliefs are gathered into an eighth of their number, those again, and so on down to a few that are solved plainly, with
a row for every belief. Going back up, the menu found at one level, and the sign of the beliefs' weights at its prices,
are the plan from which the next level starts. Only the last level's answer counts, and only it is certified.
"""

from __future__ import annotations

import dataclasses
import heapq
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scorewright import tolerance
from scorewright.errors import SolverError
from scorewright.optimum.refining import refine
from scorewright.optimum.task import FEW, Answer, Numbers, Plan, Task
from scorewright.program import Way
from scorewright.rules.properness import best_rows
from scorewright.validation import Array

FACTOR = 8
"""One belief of a coarser level stands for about so many of the finer one."""


@dataclass(frozen=True)
class Level:
    """Beliefs gathered into fewer: `cluster` (M,) says into which; `beliefs` and `lowest` (C, W) are those."""

    cluster: Numbers
    beliefs: Array
    lowest: Array

    def coarse(self, task: Task) -> Task:
        """The task over the fewer beliefs."""
        size = len(self.beliefs)
        return dataclasses.replace(
            task,
            beliefs=self.beliefs,
            lowest=self.lowest,
            cost=np.bincount(self.cluster, task.cost, minlength=size).astype(np.float64),
            rows=np.array([np.bincount(self.cluster, row, minlength=size) for row in task.rows]).reshape(-1, size),
        )


def gathered(beliefs: Array, lowest: Array, weights: Array) -> tuple[Level, ...]:
    """Levels from fine to coarse; `weights` (M,) say how much each belief counts in the one that stands for it."""
    levels = []
    while len(beliefs) > FEW:
        cluster = _clusters(beliefs, max(FEW, len(beliefs) // FACTOR))
        size = int(cluster.max()) + 1
        total = np.bincount(cluster, weights, minlength=size).astype(np.float64)
        beliefs = np.array([np.bincount(cluster, weights * column) / total for column in beliefs.T]).T
        merged = np.full(beliefs.shape, -np.inf)
        np.maximum.at(merged, cluster, lowest)
        lowest, weights = merged, total
        levels.append(Level(cluster, beliefs, lowest))
        if size == len(cluster):
            break
    return tuple(levels)


def _clusters(beliefs: Array, count: int) -> Numbers:
    """Up to `count` clusters: the one that varies most is cut at the mean of the state in which it does."""

    def entry(members: Numbers) -> tuple[float, int, Numbers]:
        return -float(beliefs[members].var(axis=0).sum()) * len(members), int(members[0]), members

    heap = [entry(np.arange(len(beliefs)))]
    while len(heap) < count and heap[0][0] < 0:
        members = heapq.heappop(heap)[2]
        part = beliefs[members]
        state = part.var(axis=0).argmax()
        low = part[:, state] < part[:, state].mean()
        if low.all() or not low.any():  # they vary by rounding alone
            heapq.heappush(heap, (0.0, int(members[0]), members))
            continue
        heapq.heappush(heap, entry(members[low]))
        heapq.heappush(heap, entry(members[~low]))
    cluster = np.empty(len(beliefs), dtype=np.intp)
    for number, (_, _, members) in enumerate(heap):
        cluster[members] = number
    return cluster


def solve(task: Task, levels: Sequence[Level], way: Way) -> Answer | None:
    """Return the optimum of `task`; when its rows can't be met, the widest margin (below 0) by which they can, or None.

    None is for the knife's edge, where they can be met and the solver finds nothing that does.
    """
    tasks = [task]
    for level in levels:
        tasks.append(level.coarse(tasks[-1]))
    plan = Plan.apart(tasks[-1])
    for finer, coarse in zip(tasks[-2::-1], tasks[:0:-1], strict=True):
        answer = refine(coarse, plan, way)
        if answer is None:
            coarse, finer = coarse.widest(), finer.widest()
            answer = _must(refine(coarse, plan, way))
        menu = np.unique(answer.menu[np.unique(answer.home)].round(7), axis=0)
        plan = _planned(finer, best_rows(menu, finer.beliefs), answer)
    return resume(task, plan, way)


def resume(task: Task, plan: Plan, way: Way) -> Answer | None:
    """Return what `solve` does, starting from `plan`."""
    answer = refine(task, plan, way)
    if answer is not None or task.reach > 0:
        return answer
    widest = task.widest()
    firm = _must(refine(widest, plan, way))
    if firm.margin < 0:
        return firm
    plan = _planned(widest, firm.home, firm)
    # With everybody held, a menu that meets the rows goes on meeting them however its rows are split.
    return refine(task, plan, way) or refine(task, plan.with_all_held(), way)


def _must(answer: Answer | None) -> Answer:
    if answer is None:
        raise SolverError("HiGHS calls a program infeasible that has a feasible point; please report this game")
    return answer


def _planned(task: Task, home: Numbers, answer: Answer) -> Plan:
    """The plan with these homes that holds the beliefs whose weight is negative at the answer's prices."""
    held = (task.weights(answer.prices) < -tolerance.WEIGHTLESS) | (not task.loose)
    rows = np.unique(home, return_inverse=True)[1].ravel()
    return Plan(rows, held, np.zeros((0, 2), dtype=np.intp), np.flatnonzero(answer.prices > 0))
