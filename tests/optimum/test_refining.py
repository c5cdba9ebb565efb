"""Menus and lifts: any plan to start from leads to the same optimum."""

from __future__ import annotations

import numpy as np
import pytest

import scorewright as sw
from scorewright.optimum.menu import best_menu
from scorewright.optimum.programs import Programs
from scorewright.optimum.refining import refine
from scorewright.optimum.task import Answer, Plan, Task
from scorewright.program import WAYS

NOBODY = np.zeros((0, 2), dtype=np.intp)


def tasks(seed: int = 0):
    """The linear programs of a game with sixty beliefs."""
    game = sw.families.random(rng=seed, efforts=3, states=3, observations=20)
    programs = Programs(game)
    return [programs._task(effort, 0.0) for effort in range(3)]


def value(task: Task, answer: Answer) -> float:
    """What the answer's menu costs."""
    return float(task.cost @ (task.beliefs * answer.menu[answer.home]).sum(axis=1))


@pytest.mark.parametrize("effort", [1, 2])
def test_every_plan_leads_to_the_optimum(effort):
    """One row for all, rows at random, a row each; held or not: the same value, and few rows."""
    task = tasks()[effort]
    count = len(task.beliefs)
    rng = np.random.default_rng(effort)
    values = []
    for home in (np.zeros(count, dtype=np.intp), np.unique(rng.integers(0, 8, count), return_inverse=True)[1]):
        for held in (np.zeros(count, dtype=bool), task.cost > 0, np.ones(count, dtype=bool)):
            start = Plan(home, held, NOBODY, np.arange(2))
            answer = refine(task, start, WAYS[0])
            if answer is None:  # no menu of that plan will do: the widest margin finds one that does
                firm = refine(task.widest(), start, WAYS[0])
                assert firm.margin >= 0
                rows = np.unique(firm.home, return_inverse=True)[1]
                answer = refine(task, Plan(rows, held, NOBODY, np.arange(2)).with_all_held(), WAYS[0])
            values.append(value(task, answer))
    apart = refine(task, Plan.apart(task), WAYS[0])
    values.append(value(task, apart))
    assert values == pytest.approx([values[0]] * len(values), abs=1e-9)


def test_sharing_a_row_restricts_and_splitting_helps():
    """One row for everybody cannot reward anything; the lifts say who should have a row of their own."""
    task = tasks()[2]
    one = Plan(np.zeros(len(task.beliefs), dtype=np.intp), np.ones(len(task.beliefs), dtype=bool), NOBODY, np.arange(2))
    assert best_menu(task, one, WAYS[0]) is None
    wide = task.widest()
    shared, best = best_menu(wide, one, WAYS[0]), refine(wide, one, WAYS[0])
    assert shared.margin < best.margin
    assert 1 < len(best.menu) < len(task.beliefs)
