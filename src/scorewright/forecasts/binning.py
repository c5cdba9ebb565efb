r"""Binning: a few beliefs in place of as many as there are items.

All tiers report from one support, the menu of reports. Pooled over the tiers, recalibrated forecasts are cut into
cells, and the belief of a cell is its mean. Knowing the cell instead of the forecast, the principal loses
:math:`E[u(p)] - E[u(\bar p)]`, and the agent's incentives, which are made of differences in accuracy, lose the spread
within the cell, :math:`\tfrac12 E\lVert p - \bar p \rVert^2` (a Brier score). The cells are chosen to lose least of

.. math:: \frac{\text{value lost}}{\text{largest stake, } \max u - \min u} + \text{spread lost}.

With two states cells are intervals, and dynamic programming over 512 grid points finds the best; beyond, the cell and
the cut (by a state's probability, or by the difference of two decisions) that save most are taken one after another.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scorewright.forecasts.table import Indices
from scorewright.validation import Array

MOST = 64
"""Beliefs, at most, where a tolerance is given instead of a count."""

GRID = 512
ENOUGH = 20_000
"""Forecasts of three states and more, beyond which some stand for all."""

DIRECTIONS = 40
"""Cuts by the difference of two decisions, at most this many pairs."""


@dataclass(frozen=True)
class Support:
    """A menu of beliefs, and what it loses: `beliefs` (M, W), `loss` as defined above."""

    beliefs: Array
    loss: float


@dataclass(frozen=True)
class _Points:
    """Weighted beliefs, in an order in which cells are runs."""

    beliefs: Array
    weights: Array
    utility: Array

    def sums(self, order: Indices) -> tuple[Array, Array, Array, Array]:
        """Running sums, from nothing to all: weight, weighted beliefs, their squares, their value."""
        p, w = self.beliefs[order], self.weights[order]
        parts = (w[:, None], w[:, None] * p, (w * np.square(p).sum(axis=1))[:, None],
                 (w * (p @ self.utility.T).max(axis=1))[:, None])  # fmt: skip
        total, mean, square, value = (np.concatenate([np.zeros((1, s.shape[1])), np.cumsum(s, axis=0)]) for s in parts)
        return total[:, 0], mean, square[:, 0], value[:, 0]

    def lost(self, total: Array, mean: Array, square: Array, value: Array) -> Array:
        """What cells with these sums lose, whatever their shape."""
        stake = float(np.ptp(self.utility)) or 1.0
        kept = np.square(mean).sum(axis=-1) / np.where(total > 0, total, 1.0)
        loss = (value - (mean @ self.utility.T).max(axis=-1)) / stake + (square - kept) / 2
        result: Array = np.maximum(loss, 0.0)
        return result


def support(beliefs: Array, weights: Array, utility: Array, count: int | None, tolerance: float | None) -> Support:
    """Return up to `count` beliefs, or as few as lose no more than `tolerance`, for beliefs (n, W) with `weights`."""
    if beliefs.shape[1] > 2 and len(beliefs) > ENOUGH:  # evenly thinned: cells need no more to be found
        chosen = np.linspace(0, len(beliefs) - 1, ENOUGH).astype(np.intp)
        beliefs, weights = beliefs[chosen], weights[chosen]
    points = _Points(beliefs, weights / weights.sum(), utility)
    most = MOST if count is None else count
    enough = -1.0 if tolerance is None else tolerance
    return _intervals(points, most, enough) if beliefs.shape[1] == 2 else _cut(points, most, enough)


def _intervals(points: _Points, most: int, enough: float) -> Support:
    """The best runs of a sorted grid, by dynamic programming."""
    place = np.rint(points.beliefs[:, 1] * (GRID - 1)).astype(np.intp)
    there, cell = np.unique(place, return_inverse=True)
    weights: Array = np.bincount(cell.ravel(), points.weights).astype(np.float64)
    high = np.bincount(cell.ravel(), points.weights * points.beliefs[:, 1]) / weights
    grid = _Points(np.column_stack([1 - high, high]), weights, points.utility)
    total, mean, square, value = grid.sums(np.arange(len(there)))
    size = len(there)
    start, end = np.triu_indices(size + 1, 1)
    cost = np.full((size + 1, size + 1), np.inf)
    cost[start, end] = grid.lost(
        total[end] - total[start], mean[end] - mean[start], square[end] - square[start], value[end] - value[start]
    )
    best = cost[0].copy()
    back: list[Indices] = []
    while len(back) + 1 < min(most, size) and best[size] > enough:
        through = best[:, None] + cost
        back.append(through.argmin(axis=0))
        best = through[back[-1], np.arange(size + 1)]
    cuts = [size]
    for steps in reversed(back):
        cuts.append(int(steps[cuts[-1]]))
    edges = np.array([0, *reversed(cuts)])
    means = (mean[edges[1:]] - mean[edges[:-1]]) / (total[edges[1:]] - total[edges[:-1]])[:, None]
    return Support(means, float(best[size]))


def _cut(points: _Points, most: int, enough: float) -> Support:
    """The best cell cut by the best plane, again and again."""
    cells = [_best_cut(points, np.arange(len(points.beliefs)))]
    while len(cells) < most and sum(cell[0] for cell in cells) > enough:
        chosen = max(range(len(cells)), key=lambda n: cells[n][0] - cells[n][1])
        loss, left, one, other = cells[chosen]
        if loss - left <= 0:
            break
        cells[chosen : chosen + 1] = [_best_cut(points, one), _best_cut(points, other)]
    members = [np.concatenate([one, other]) for _, _, one, other in cells]
    means = np.array([np.average(points.beliefs[m], axis=0, weights=points.weights[m]) for m in members])
    return Support(means / means.sum(axis=1, keepdims=True), float(sum(cell[0] for cell in cells)))


def _best_cut(points: _Points, members: Indices) -> tuple[float, float, Indices, Indices]:
    """What a cell loses, what it would lose when cut in two at best, and the two parts."""
    utility = points.utility
    a, b = np.triu_indices(len(utility), 1)
    normals = np.concatenate([np.eye(utility.shape[1]), (utility[a] - utility[b])[:DIRECTIONS]])
    whole = float("nan")
    best, parts = np.inf, (members, members[:0])
    for normal in normals:
        along = points.beliefs[members] @ normal
        order = members[np.argsort(along, kind="stable")]
        sums = points.sums(order)
        losses = points.lost(*sums) + points.lost(*(part[-1] - part for part in sums))
        whole = float(losses[-1])
        step = np.diff(np.sort(along)) > 0  # equals stay together
        inner = np.where(step, losses[1:-1], np.inf)
        if len(inner) and inner.min() < best:
            at = int(inner.argmin()) + 1
            best, parts = float(inner[at - 1]), (order[:at], order[at:])
    return whole, min(best, whole), *parts
