"""Several ways to pay, side by side: what each buys, and what it leaves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from scorewright.errors import InvalidInputError
from scorewright.plot.canvas import COLOURS, FAINT, INK, canvas, literal

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def comparison(
    profits: Mapping[str, float], payments: Mapping[str, float], *, unit: str = "", title: str = ""
) -> Figure:
    """Draw expected payment and the profit left after it, one bar per way to pay (same keys in both)."""
    names = list(profits)
    if set(names) != set(payments):
        raise InvalidInputError("profits and payments must be about the same ways to pay: give both the same keys")
    figure, (ax,) = canvas(7.0, 0.9 + 0.5 * len(names))
    place = np.arange(len(names))[::-1]
    left, paid = (np.array([values[name] for name in names]) for values in (profits, payments))
    ax.barh(place, left, color=COLOURS[0], height=0.62, label="profit left")
    ax.barh(place, paid, left=np.maximum(left, 0), color=FAINT, height=0.62, alpha=0.6, label="paid to the agent")
    for at, profit in zip(place, left, strict=True):
        ax.text(max(profit, 0) - 0.01 * max(left.max(), 1e-9), at, f"{profit:.2f}", ha="right", va="center",
                color="white" if profit > 0.12 * left.max() else INK, fontsize=9, weight="bold")  # fmt: skip
    ax.set_yticks(place, list(map(literal, names)))
    ax.set_xlabel(f"expected, per decision{f' ({unit})' if unit else ''}")
    ax.legend(frameon=False, fontsize=8.5, loc="upper center", bbox_to_anchor=(0.5, -0.22), ncols=2)
    if title:
        ax.set_title(title, fontsize=11, loc="left", color=INK, pad=12)
    return figure
