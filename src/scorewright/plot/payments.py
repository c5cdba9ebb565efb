"""A rule as a picture: a convex curve for two states, a surface over the triangle for three, a heat map beyond."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scorewright import tolerance
from scorewright.errors import InvalidInputError
from scorewright.plot.canvas import COLOURS, FAINT, INK, canvas, literal, state_names
from scorewright.rules import Rule
from scorewright.validation import Array, expect, labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def rule(
    rule: Rule,
    *,
    states: Sequence[str] | None = None,
    weights: Array | None = None,
    title: str = "",
) -> Figure:
    """Draw what a rule pays.

    Parameters
    ----------
    rule : Rule
    states : labels, optional
    weights : (M,) array, optional
        How likely each belief is, shown as the size of its mark.
    title : str
    """
    expect(rule, Rule, "rule")
    if weights is not None and np.shape(weights) != (len(rule.beliefs),):
        raise InvalidInputError(f"weights must be one number per belief, {len(rule.beliefs)} in all")
    count = rule.beliefs.shape[1]
    names = state_names(labels(states, "states", count, "states"), count)
    sizes = np.full(len(rule.beliefs), 45.0) if weights is None else 25.0 + 300.0 * np.sqrt(np.asarray(weights) / 4)
    shown: NDArray[np.bool_] = sizes > (0.0 if weights is None else 25.0)
    if count == 2:
        figure, (ax,) = canvas()
        _curve(ax, rule, names, sizes, shown)
    elif count == 3:
        figure, (ax,) = canvas(6.5, 5.2)
        _triangle(ax, rule, names, sizes, shown)
    else:
        figure, (ax,) = canvas(2.5 + 0.9 * count, min(14.0, 1.8 + 0.28 * len(rule.beliefs)))
        _heat_map(ax, rule, names)
    if title:
        ax.set_title(literal(title), fontsize=11, color=INK, loc="left", pad=12)
    return figure


def _curve(ax: Axes, rule: Rule, names: Sequence[str], sizes: Array, shown: NDArray[np.bool_]) -> None:
    """Expected payment against the chance of the second state: the upper envelope of the rows' lines."""
    chance = np.linspace(0, 1, 1001)
    lines = np.outer(1 - chance, rule.payments[:, 0]) + np.outer(chance, rule.payments[:, 1])
    for row in np.unique(rule.payments, axis=0):
        ax.plot([0, 1], row, color=FAINT, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
    ax.plot(chance, lines.max(axis=1), color=COLOURS[0], linewidth=2.2, zorder=2, label="expected payment")
    ax.plot([], [], color=FAINT, linewidth=0.8, linestyle=(0, (4, 3)), label="a row of the rule")
    ax.scatter(rule.beliefs[~shown, 1], rule.expected[~shown], s=22, facecolors="white", edgecolors=INK, zorder=3,
               label="belief of another effort" if (~shown).any() else None)  # fmt: skip
    ax.scatter(rule.beliefs[shown, 1], rule.expected[shown], s=sizes[shown], color=COLOURS[1], edgecolors="white",
               linewidths=0.8, zorder=4, label="belief (larger: likelier)" if (~shown).any() else "belief")  # fmt: skip
    ax.set_xlabel(f"chance of “{names[1]}”")
    ax.set_ylabel("expected payment")
    ax.set_xlim(-0.02, 1.02)
    top = max(float(rule.payments.max()), 1e-9)
    ax.set_ylim(min(-0.04 * top, float(rule.payments.min()) - 0.04 * top), 1.06 * top)
    ax.legend(frameon=False, fontsize=8.5, loc="best")


def _triangle(ax: Axes, rule: Rule, names: Sequence[str], sizes: Array, shown: NDArray[np.bool_]) -> None:
    """Expected payment over the triangle of beliefs."""
    corners = np.array([[0, 0], [1, 0], [0.5, np.sqrt(3) / 2]])
    steps = 80
    grid = np.array([(i, j, steps - i - j) for i in range(steps + 1) for j in range(steps + 1 - i)]) / steps
    height = (grid @ rule.payments.T).max(axis=1)
    place, mark = grid @ corners, rule.beliefs @ corners
    flat = np.ptp(height) < 1e-12
    levels = np.linspace(height.min() - flat, height.max() + flat, 15)
    surface = ax.tricontourf(place[:, 0], place[:, 1], height, levels=levels, cmap="Blues")
    if not flat:
        ax.tricontour(place[:, 0], place[:, 1], height, levels=levels, colors="white", linewidths=0.5)
    ax.plot(*corners[[0, 1, 2, 0]].T, color=INK, linewidth=1)
    ax.scatter(mark[~shown, 0], mark[~shown, 1], s=22, facecolors="white", edgecolors=INK, zorder=3)
    ax.scatter(
        mark[shown, 0], mark[shown, 1], s=sizes[shown], color=COLOURS[1], edgecolors="white", linewidths=0.8, zorder=4
    )
    for corner, name, align, lift in zip(corners, names, ("right", "left", "center"), (0, 0, 0.05), strict=True):
        ax.annotate(
            name, corner + np.array([{"right": -0.03, "left": 0.03, "center": 0.0}[align], lift]), ha=align, fontsize=10
        )
    ax.set_xlim(-0.2, 1.2)
    ax.set_ylim(-0.06, 0.98)
    ax.set_aspect("equal")
    ax.set_axis_off()
    ax.figure.colorbar(surface, ax=ax, shrink=0.8, label="expected payment", format="%.3g")


def _heat_map(ax: Axes, rule: Rule, names: Sequence[str]) -> None:
    """Payments, report by state."""
    image = ax.imshow(rule.payments, aspect="auto", cmap="Blues")
    ax.set_xticks(range(len(names)), names, rotation=30 if max(map(len, names)) > 8 else 0)
    count = len(rule.beliefs)
    ax.set_yticks(range(0, count, max(1, count // 25)))
    ax.set_ylabel("reported belief (its number)")
    if count <= 40:
        middle = (rule.payments.max() + rule.payments.min()) / 2
        dust = tolerance.ROUNDING * max(1.0, float(np.abs(rule.payments).max()))
        for (i, w), amount in np.ndenumerate(np.where(np.abs(rule.payments) > dust, rule.payments, 0.0)):
            ax.text(w, i, f"{amount:.3g}", ha="center", va="center", fontsize=7.5,
                    color="white" if amount > middle else INK)  # fmt: skip
    ax.figure.colorbar(image, ax=ax, shrink=0.8, label="payment")
