"""A corner: games that agree with every answer, and in which the reports are all but impossible."""

from __future__ import annotations

import numpy as np


def pinned() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Answers a millionth apart that leave no room in the beliefs seen: expected, answers, counts, truth, a far game.

    The second game gives beliefs that were never seen some chance, and so agrees with every answer although the many
    reports of the first effort are all but impossible in it.
    """
    truth, far = np.zeros((2, 8)), np.zeros((2, 8))
    truth[0, :2], truth[1, 2:4] = (0.5, 0.5), (0.3, 0.7)
    far[0, :2] = 0.65, 0.35
    far[1] = 0.05, 0.05, 0.2, 0.5, 0.05, 0.05, 0.05, 0.05
    change, rng = (far - truth)[1] - (far - truth)[0], np.random.default_rng(5)
    rules = []
    for _ in range(6):
        rule = rng.uniform(0, 1, 8)
        rule -= change * (change @ rule) / (change @ change)  # either game pays the two efforts equally far apart
        rules.append(0.1 * rule / ((truth[1] - truth[0]) @ rule))
    expected = np.array([factor * rule for rule in rules for factor in (1 - 1e-6, 1 + 1e-6)])
    return expected, np.array([0, 1] * 6, dtype=np.intp), np.array([[4000], [20]]) * truth, truth, far


def unlikely(counts: np.ndarray, information: np.ndarray) -> float:
    """By how much the reports are less likely than in the likeliest game of all, as a logarithm."""
    seen = counts > 0
    return float(counts[seen] @ np.log((counts / counts.sum(axis=1, keepdims=True))[seen] / information[seen]))
