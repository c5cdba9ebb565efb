"""The regions of the efforts, on a two-dimensional slice of rule space."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scorewright import tolerance
from scorewright.game import Game
from scorewright.optimum import Induced, margin, solve
from scorewright.plot.canvas import COLOURS, INK, canvas, literal
from scorewright.rules import Rule

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def regions(
    game: Game,
    first: Rule | None = None,
    second: Rule | None = None,
    *,
    names: tuple[str, str] = ("optimal rule", "safest rule"),
    title: str = "",
    resolution: int = 400,
) -> Figure:
    """Draw which effort the agent chooses under ``x * first + y * second``, with lines of equal profit.

    Every rule in the picture is proper. Where a payment would exceed the bound the picture is blank.

    Parameters
    ----------
    game : Game
    first, second : Rule, optional
        By default the optimal rule and the rule that induces the same effort by the widest margin. Where the optimum is
        to pay nothing, those of the best effort that must be paid for.
    names : (str, str)
        Names of the two for the axes.
    """
    if first is None or second is None:
        wanted = _paid_for(game)
        first = wanted.rule if first is None else first
        second = margin(game, wanted.effort).rule if second is None else second
    for rule in (first, second):
        rule.same_beliefs(game.beliefs)
    reach = 1.25
    side = np.linspace(0, reach, resolution)
    x, y = np.meshgrid(side, side)
    paid = x[..., None] * (game.information @ first.expected) + y[..., None] * (game.information @ second.expected)
    surplus, slack = paid - game.costs, tolerance.TIE * tolerance.scale(game.bound)
    tied = surplus >= surplus.max(axis=2, keepdims=True) - slack
    effort = np.where(tied, game.worth - paid, -np.inf).argmax(axis=2)
    profit = np.take_along_axis(game.worth - paid, effort[..., None], axis=2)[..., 0]
    payable = np.ones_like(x, dtype=bool)
    entries = np.stack([first.payments.ravel(), second.payments.ravel(), game.setting.terms.lowest.ravel()], axis=1)
    for one, two, lowest in np.unique(entries, axis=0):
        amount = x * one + y * two
        payable &= (amount <= game.bound + slack) & (amount >= lowest - slack)

    figure, (ax,) = canvas(8.2, 5.2)
    from matplotlib.patches import Patch

    shown: list[int] = []
    for k in range(len(game.costs)):
        here, colour = payable & (effort == k), COLOURS[k % len(COLOURS)]
        if not here.any():
            continue
        ax.contourf(x, y, here.astype(float), levels=[0.5, 1.5], colors=[colour], alpha=0.4)
        shown.append(k)
        if here.mean() > 0.03:  # a sliver has no room for lines
            own = np.where(here, profit, np.nan)
            if np.nanmax(own) > np.nanmin(own):
                ax.clabel(ax.contour(x, y, own, levels=5, colors=[colour], linewidths=0.9), fontsize=7.5, fmt="%.4g")
    # Drawn as text and patches of our own, because a legend leaves out labels that start with an underscore.
    keys = [Patch(color=COLOURS[k % len(COLOURS)], alpha=0.4) for k in shown] + [
        Patch(facecolor="white", edgecolor=INK)
    ]
    legend = ax.legend(
        keys,
        [""] * len(keys),
        title="the agent will …",
        loc="upper left",
        bbox_to_anchor=(1.0, 1.0),
        frameon=False,
        fontsize=8.5,
        title_fontsize=8.5,
        alignment="left",
    )
    for text, label in zip(legend.get_texts(), [*map(game.name, shown), "more than the bound"], strict=True):
        text.set_text(literal(label))
    for place, name in (((1, 0), names[0]), ((0, 1), names[1])):
        ax.plot(*place, marker="*", markersize=12, color=INK, clip_on=False, linestyle="none", zorder=5)
        rule = first if place == (1, 0) else second
        bought = literal(f"{name}: {game.name(game.respond(rule))}, {game.profit(rule):.4g}")
        ax.annotate(bought, place, xytext=(8, 8), textcoords="offset points", fontsize=8.5)
    ax.set_xlabel(f"amount of the {names[0]}")
    ax.set_ylabel(f"amount of the {names[1]}")
    ax.set_xlim(0, reach)
    ax.set_ylim(0, reach)
    ax.set_title(
        title or "Which effort a rule buys, and the profit it leaves",
        fontsize=11,
        loc="left",
        color=INK,
        pad=12,
    )
    return figure


def _paid_for(game: Game) -> Induced:
    """The best effort, or, if that one needs no payment, the best that does."""
    solution = solve(game)
    paid = [one for one in solution.by_effort if one is not None and one.rule.payments.max() > 0]
    return max(paid, key=lambda one: one.profit) if solution.rule.payments.max() == 0 and paid else solution.best
