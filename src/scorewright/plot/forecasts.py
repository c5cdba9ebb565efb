"""Forecast tables as pictures: whether forecasts mean what they say, and what it takes to induce them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scorewright.errors import InvalidInputError
from scorewright.forecasts import Assessment
from scorewright.forecasts.scores import reliability as binned
from scorewright.plot.canvas import COLOURS, FAINT, INK, canvas, literal
from scorewright.validation import expect

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ERRORS = 1.96
"""Standard errors either way, for 95%."""


def reliability(assessment: Assessment, *, bins: int = 8, title: str = "") -> Figure:
    """Draw how often things came true against how likely they were said to be, tier by tier, before and after.

    With two states it is the second one's probability; beyond, the probabilities of all states together. Bars are 95%
    intervals of the frequencies after recalibration.
    """
    table = expect(assessment, Assessment, "assessment").table
    columns = len(table.tiers)
    figure, axes = canvas(max(4.2, 2.6 * columns), 3.3, columns=columns)
    chosen = slice(1, 2) if len(table.states) == 2 else slice(None)
    for tier, ax in enumerate(axes):
        judged = table.judged[tier]
        came = table.happened[judged]
        both = (table.forecasts[tier, judged], assessment.model.calibrated.forecasts[tier, judged])
        ax.plot([0, 1], [0, 1], color=FAINT, linewidth=0.8)
        for after, forecasts in enumerate(both):
            said, seen, count = (part[chosen].ravel() for part in binned(forecasts, came, bins))
            order = np.argsort(said, kind="stable")
            said, seen, count = said[order], seen[order], np.maximum(count[order], 1.0)
            if after:
                error = ERRORS * np.sqrt(np.maximum(seen * (1 - seen), 1 / (4 * count)) / count)
                ax.errorbar(said, seen, np.stack([np.minimum(error, seen), np.minimum(error, 1 - seen)]), fmt="none",
                            ecolor=COLOURS[0], elinewidth=0.8, alpha=0.6)  # fmt: skip
                ax.scatter(said, seen, s=18, color=COLOURS[0], zorder=3, label="recalibrated")
            else:
                ax.scatter(said, seen, s=20, facecolor="none", edgecolor=COLOURS[1], zorder=2, label="as it was")
        _square(ax, table.tiers[tier])
    what = literal(table.states[1]) if len(table.states) == 2 else "a state"
    axes[0].set_ylabel(f"how often {what} came true")
    axes[0].legend(frameon=False, fontsize=8, loc="upper left", handletextpad=0.2)
    figure.supxlabel(f"how likely {what} was said to be", fontsize=10, color=INK)
    if title:
        figure.suptitle(literal(title), fontsize=11, x=0.01, ha="left", color=INK)
    return figure


def bounds(assessment: Assessment, *, title: str = "") -> Figure:
    """Draw the least bound at which each tier can be induced: estimate, resampling interval, other ways to make it."""
    verdicts = expect(assessment, Assessment, "assessment").verdicts
    values = [x for v in verdicts for x in (v.least_bound.value, v.least_bound.low, v.least_bound.high, *v.by_way)]
    finite = [x for x in values if np.isfinite(x) and x > 0]
    if not finite:
        raise InvalidInputError("there is nothing to draw: no tier takes a payment to be induced, or none can be")
    top, bottom = 1.6 * max(*finite, assessment.game.bound), 0.6 * min(*finite, assessment.game.bound)
    figure, (ax,) = canvas(7.2, 1.2 + 0.5 * len(verdicts))
    for place, verdict in enumerate(verdicts):
        found = verdict.least_bound
        low, value, high = (min(max(x, bottom), top) for x in (found.low, found.value, found.high))
        if np.isfinite(found.low) or np.isinf(found.low):
            ax.plot([low, high], [place, place], color=COLOURS[0], linewidth=5, alpha=0.3, solid_capstyle="butt")
        ways = [min(max(x, bottom), top) for x in verdict.by_way]
        ax.scatter(ways, np.full(len(ways), place + 0.22), s=14, marker="|", color=COLOURS[1], linewidth=1.2)
        ax.scatter([value], [place], s=30, color=COLOURS[0], zorder=3, marker="o" if value < top else ">")
    ax.axvline(assessment.game.bound, color=INK, linewidth=0.9, linestyle=(0, (4, 3)))
    ax.text(assessment.game.bound, -0.75, " bound", fontsize=8.5, va="center", color=INK)
    ax.set_xscale("log")
    ax.set_xlim(bottom, top * 1.08)
    ax.set_ylim(len(verdicts) - 0.4, -1.0)
    ax.set_yticks(range(len(verdicts)), [literal(verdict.tier) for verdict in verdicts])
    ax.xaxis.set_major_formatter(lambda amount, _: f"{amount:,.6g}")
    ax.set_xlabel("least bound (at the right edge: none would do)")
    if title:
        ax.set_title(literal(title), fontsize=11, loc="left", color=INK, pad=10)
    return figure


def _square(ax: Axes, tier: str) -> None:
    ax.set_xlim(-0.03, 1.03)
    ax.set_ylim(-0.03, 1.03)
    ax.set_aspect("equal")
    ax.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
    ax.set_yticks([0, 0.5, 1], ["0", "0.5", "1"])
    ax.set_title(literal(tier), fontsize=10, loc="left", color=INK)
