"""Coarse to fine: levels keep what each effort's beliefs add up to."""

from __future__ import annotations

import numpy as np
import pytest

from scorewright.optimum.levels import gathered
from scorewright.optimum.task import FEW, Task


@pytest.mark.parametrize("count", [5, FEW + 1, 300])
def test_levels_shrink_and_add_up(count):
    """Down to a few beliefs that are distributions; costs and rows keep their sums, lowest the tightest limit."""
    rng = np.random.default_rng(count)
    beliefs = rng.dirichlet(np.ones(4), size=count)
    lowest = -rng.integers(0, 2, size=beliefs.shape).astype(float)
    task = Task(beliefs, lowest, 1.0, rng.random(count), rng.normal(size=(3, count)), np.zeros(3))
    levels = gathered(beliefs, lowest, rng.random(count) + 0.1)
    assert (len(levels) == 0) == (count <= FEW)
    for level in levels:
        coarse = level.coarse(task)
        assert len(coarse.beliefs) < len(task.beliefs)
        assert coarse.beliefs.sum(axis=1) == pytest.approx(1)
        assert coarse.cost.sum() == pytest.approx(task.cost.sum())
        assert coarse.rows.sum(axis=1) == pytest.approx(task.rows.sum(axis=1))
        assert (coarse.lowest[level.cluster] >= task.lowest).all()
        task = coarse
    assert len(task.beliefs) <= max(FEW, count // 8)


def test_equal_beliefs_are_not_cut():
    """Beliefs that coincide stay together, and nothing goes on for ever."""
    levels = gathered(np.full((50, 2), 0.5), np.zeros((50, 2)), np.ones(50))
    assert len(levels[0].beliefs) == 1
