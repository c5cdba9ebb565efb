"""Runs as pictures: regret against time, and its local exponent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from scorewright.errors import InvalidInputError
from scorewright.plot.canvas import COLOURS, FAINT, INK, canvas, literal
from scorewright.simulate import Run

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def regret(runs: Mapping[str, Run], *, title: str = "", logarithmic: bool | None = None) -> Figure:
    """Draw the expected cumulative regret of one run or several.

    Parameters
    ----------
    runs : {name: Run}
    title : str
    logarithmic : bool, optional
        Logarithmic axes; by default when the runs differ by more than a factor of thirty.
    """
    if not runs or not all(isinstance(run, Run) for run in runs.values()):
        raise InvalidInputError("regret draws one Run per name: {name: run}")
    figure, (ax,) = canvas(7.0, 4.6)
    ends = [float(run.regret[-1]) for run in runs.values()]
    if logarithmic is None:
        positive = [end for end in ends if end > 0]
        logarithmic = len(positive) > 1 and max(positive) > 30 * min(positive)
    for number, (name, run) in enumerate(sorted(runs.items(), key=lambda item: -item[1].regret[-1])):
        end = float(run.regret[-1])
        label = f"{literal(name)}: {end:,.0f}" if abs(end) >= 100 else f"{literal(name)}: {end:.3g}"
        ax.plot(run.round, run.regret, color=COLOURS[number % len(COLOURS)], linewidth=1.8, label=f" {label}")
    if logarithmic:
        ax.set_xscale("log")
        ax.set_yscale("log")
        least = min((float(run.regret[run.regret > 0].min(initial=1e9)) for run in runs.values()), default=1.0)
        ax.set_ylim(bottom=max(least, max(ends) / 1e5))
        ax.grid(color=FAINT, alpha=0.25, linewidth=0.5)
    else:
        ax.set_ylim(bottom=min(0.0, *ends))
    ax.set_xlabel("round")
    ax.set_ylabel("expected regret so far")
    ax.legend(frameon=False, fontsize=8.5, title="regret at the end", title_fontsize=8.5, alignment="left")
    if title:
        ax.set_title(literal(title), fontsize=11, loc="left", color=INK, pad=12)
    return figure


def learning(runs: Mapping[str, Run], *, unit: str = "", title: str = "") -> Figure:
    """Draw what learners lost against the best rule, on logarithmic axes, and beside it the money that they kept.

    Parameters
    ----------
    runs : {name: Run}
        Of one game, with every round recorded: money adds up.
    unit : str
        Of the money.
    title : str
    """
    if not runs or not all(isinstance(run, Run) for run in runs.values()):
        raise InvalidInputError("learning draws one Run per name: {name: run}")
    for name, run in runs.items():
        if len(run.round) < run.rounds:
            raise InvalidInputError(f"learning needs every round of {name!r}: simulate it with record='all'")
    figure, (left, right) = canvas(10.2, 4.4, columns=2)
    longest = max(runs.values(), key=lambda run: run.rounds)
    for count, (name, run) in enumerate(runs.items()):
        colour = COLOURS[count % len(COLOURS)]
        lost, kept = run.regret, np.cumsum(run.utility - run.payment)
        for ax, line in ((left, lost), (right, kept)):
            ax.plot(run.round, line, color=colour, linewidth=1.8, label=f" {literal(name)}: {line[-1]:,.0f}")
    best = longest.optimum * longest.round
    label = f" the best rule, on average: {best[-1]:,.0f}"
    right.plot(longest.round, best, color=INK, linewidth=1.0, linestyle=(0, (4, 3)), zorder=0, label=label)
    left.set_xscale("log")
    left.set_yscale("log", nonpositive="mask")
    right.set_xlim(0, longest.rounds * 1.02)
    for ax, what in ((left, "lost against the best rule, expected"), (right, "kept: earned less paid")):
        ax.set_title(what, fontsize=10, loc="left", color=INK, pad=8)
        ax.set_xlabel("round")
        ax.set_ylabel(f"so far{f', {unit}' if unit else ''}")
        ax.xaxis.set_major_formatter(lambda value, _: f"{value:,.6g}")
        ax.yaxis.set_major_formatter(lambda value, _: f"{value:,.6g}")
        ax.grid(color=FAINT, alpha=0.25, linewidth=0.5)
        ax.legend(frameon=False, fontsize=8.5, title="at the end", title_fontsize=8.5, alignment="left")
    if title:
        figure.suptitle(literal(title), fontsize=12, x=0.01, ha="left", color=INK)
    return figure


def rate(runs: Mapping[str, Run], *, onset: Mapping[str, float] | None = None, title: str = "") -> Figure:
    """Draw regret on logarithmic axes, and beside it the local exponent, which the theorem says tends to 2/3.

    Parameters
    ----------
    runs : {name: Run}
        Long ones: an exponent needs a decade around it.
    onset : {name: round}, optional
        Where the rate is expected to set in; marked in the colour of the run.
    title : str
    """
    if not runs or not all(isinstance(run, Run) for run in runs.values()):
        raise InvalidInputError("rate draws one Run per name: {name: run}")
    figure, (left, right) = canvas(9.6, 4.2, columns=2)
    for count, (name, run) in enumerate(runs.items()):
        colour = COLOURS[count % len(COLOURS)]
        fine = run.regret > 0
        left.plot(run.round[fine], run.regret[fine], color=colour, linewidth=1.8, label=f" {literal(name)}")
        right.plot(*run.exponents(), color=colour, linewidth=1.8)
        expected = (onset or {}).get(name)
        if expected is not None and expected <= run.rounds:
            right.axvline(expected, color=colour, linewidth=0.9, linestyle=(0, (4, 3)))
    right.axhline(2 / 3, color=INK, linewidth=0.8)
    right.text(0.99, 2 / 3, "2/3 ", transform=right.get_yaxis_transform(), ha="right", va="bottom", fontsize=8.5)
    left.set_yscale("log")
    for ax, label in ((left, "expected regret so far"), (right, "local exponent of regret")):
        ax.set_xscale("log")
        ax.set_xlabel("round")
        ax.set_ylabel(label)
        ax.grid(color=FAINT, alpha=0.25, linewidth=0.5)
    right.set_xlim(left.get_xlim())
    right.set_ylim(0.0, 1.3)
    left.legend(frameon=False, fontsize=8.5, alignment="left")
    if title:
        left.set_title(literal(title), fontsize=11, loc="left", color=INK, pad=12)
    return figure
