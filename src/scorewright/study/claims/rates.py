"""The rate in T, and what it depends on: states, efforts, observations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from scorewright.families import binary_effort, three_efforts, two_sources
from scorewright.game import Game
from scorewright.optimum import margin, solve
from scorewright.oracles import best_margin
from scorewright.plot.canvas import COLOURS, FAINT, canvas, literal
from scorewright.study.claims.claim import FAILS, HOLDS, VACUOUS, Experiment, Finding, Line
from scorewright.study.leaderboard import Interval, bootstrap, exponent
from scorewright.study.results import Results
from scorewright.study.spec import Study
from scorewright.tolerance import TIE

if TYPE_CHECKING:
    import pandas as pd

PRINTED, SCALED = "radii as printed", "radii x 0.1"
GAMES = {
    "three efforts": three_efforts(),
    "two sources": two_sources(),
    "look or not": binary_effort(posteriors=(0.0, 1.0), cost=0.25),
}
LEARNERS = [{"label": PRINTED, "name": "osrl-ucb"}, {"label": SCALED, "name": "osrl-ucb", "radius": 0.1}]
MARGIN = 0.003
"""Oracle margin of the games on which efforts and observations are varied."""
SCALES = {PRINTED: 1.0, SCALED: 0.1}


def _rate(rounds: int, repeats: int) -> Study:
    games = [{"label": label, "game": game} for label, game in GAMES.items()]
    return Study(games, LEARNERS, rounds=rounds, repeats=repeats, name="rate")


def _dependence(repeats: int, rounds: int) -> Study:
    states = [
        {"label": f"W {w}", "family": "random", "efforts": 3, "observations": 8, "states": w, "support": "shared"}
        for w in (2, 3, 4, 6)
    ]
    split = [{"label": f"three efforts, W {2 * n}", "game": split_states(three_efforts(), n)} for n in (1, 2, 4)]
    alike = {"family": "random", "quality": [0.2, 1.0], "margin": MARGIN}
    efforts = [{"label": f"K {k}", "efforts": k, "observations": 3, **alike} for k in (2, 3, 4, 5, 6)]
    seen = [{"label": f"C {c}", "efforts": 3, "observations": c, **alike} for c in (2, 3, 5, 8)]
    return Study([*states, *split, *efforts, *seen], LEARNERS, rounds=rounds, repeats=repeats, name="dependence")


RATE = Experiment("rate", lambda: _rate(1_000_000, 3), lambda: _rate(10_000_000, 10), minutes=6)
DEPENDENCE = Experiment("dependence", lambda: _dependence(15, 10_000), lambda: _dependence(100, 100_000), minutes=18)


def split_states(game: Game, parts: int) -> Game:
    """Return the same game with every state split into equally likely parts that make no difference."""
    return Game(
        np.repeat(game.beliefs, parts, axis=1) / parts,
        game.information,
        game.costs,
        np.repeat(game.utility, parts, axis=1),
        game.bound,
    )


def onset(game: Game, scale: float) -> float:
    """Round from which alpha should exceed Delta: (8 B scale sqrt(2 log(K 2^M t)) / (K epsilon))^6, a fixed point."""
    efforts, beliefs = game.information.shape
    least = min(margin(game, effort).value for effort in range(efforts))
    at = 1e6
    for _ in range(200):
        spread = math.log(efforts) + beliefs * math.log(2) + math.log(at)
        at = (8 * game.bound * scale * math.sqrt(2 * spread) / (efforts * least)) ** 6
    return at


def mixing_cost(game: Game, rounds: int) -> tuple[float, float]:
    """Return what mixing the oracle rule into the optimal one costs by itself, and 1.5 K T^(2/3) times its gap."""
    solution, efforts = solve(game), len(game.costs)
    oracle = best_margin(game)[solution.effort]
    if oracle is None:  # an effort that is optimal can be induced, but perhaps at a knife's edge only
        return math.nan, math.nan
    gap = solution.profit - game.profit(oracle)
    weights = np.minimum(efforts * np.arange(1, rounds + 1) ** (-1 / 3), 1.0)
    return gap * float(weights.sum()), 1.5 * efforts * rounds ** (2 / 3) * gap


def rate(results: Results) -> Finding:
    """Exponent of regret in T over the last decade, beside 2/3."""
    curves, spec = results.curves(), results.spec
    rounds = spec["rounds"][-1]
    figure, (left, right) = canvas(9.6, 4.2, columns=2)
    lines = []
    for number, (label, learner) in enumerate((g, s) for g in GAMES for s in SCALES):
        rows = curves[(curves["game"] == label) & (curves["learner"] == learner)]
        parts = [part for _, part in rows.groupby("cell")]
        slope = bootstrap([exponent(p["round"].to_numpy(), p["regret"].to_numpy()) for p in parts])
        grid = np.logspace(2, math.log10(rounds), 60)
        mean = np.mean([np.interp(grid, part["round"], part["regret"]) for part in parts], axis=0)
        left.plot(grid, mean, color=COLOURS[number], linewidth=1.6, label=f" {label}, {learner}")
        local = np.gradient(np.log(mean), np.log(grid))
        smooth = np.convolve(local, np.ones(9) / 9, mode="valid")
        right.plot(grid[4:-4], smooth, color=COLOURS[number], linewidth=1.6)
        expected = onset(GAMES[label], SCALES[learner])
        allowed = 2 / 3 + 1 / math.log(rounds)
        text = f"exponent {slope.mean:.3f} ({slope.low:.3f} to {slope.high:.3f}) over {rounds // 10:,} to {rounds:,}"
        text += f"; onset expected at {expected:.1e}; regret {mean[-1]:,.0f}"
        reached = expected <= rounds / 10
        lines.append(Line(f"{label}, {learner}", text, VACUOUS if not reached else _below(slope.low, allowed)))
    for label, game in GAMES.items():
        cost, formula = mixing_cost(game, rounds)
        text = f"alpha_t alone costs {cost:,.0f} in {rounds:,} rounds, 1.5 K T^(2/3) times the oracle's gap is "
        verdict = VACUOUS if formula <= TIE else HOLDS if abs(cost / formula - 1) <= 0.1 else FAILS
        lines.append(Line(f"{label}, mixing alone", text + f"{formula:,.0f}", verdict))
    right.axhline(2 / 3, color="black", linewidth=0.8)
    right.set_ylim(0, 1.3)
    left.set_yscale("log")
    for ax, label in ((left, "expected regret so far"), (right, "local exponent (black: 2/3)")):
        ax.set_xscale("log")
        _axes(ax, "round", label)
    left.legend(frameon=False, fontsize=8)
    caption = "Mean regret, and its local exponent. Where the onset is out of reach the exponent says nothing yet; a "
    caption += "factor of log T, which the bound hides, adds 1/log T to the exponent and is allowed for."
    return Finding(lines, figure, caption)


def _below(low: float, allowed: float) -> str:
    return HOLDS if low <= allowed else FAILS


def states(results: Results) -> Finding:
    """Regret against W at fixed K and M."""
    cells = results.cells()
    figure, axes = canvas(9.6, 4.0, columns=2)
    lines = []
    random_games = [(w, f"W {w}") for w in (2, 3, 4, 6)]
    split = [(w, f"three efforts, W {w}") for w in (2, 4, 8)]
    for ax, (title, sizes) in zip(
        axes, (("random games, K 3, M 8", random_games), ("one game, its states split", split)), strict=True
    ):
        for number, learner in enumerate(SCALES):
            slope, text = _trend(ax, cells, learner, sizes, COLOURS[number])
            shown = f"regret {text}: exponent in W {slope.mean:+.2f} ({slope.low:+.2f} to {slope.high:+.2f})"
            lines.append(Line(f"{title}, {learner}", shown, HOLDS if slope.low <= 0 else FAILS))
        ax.set_title(title, fontsize=10, loc="left")
        _axes(ax, "states W", "regret")
        ax.set_ylim(bottom=0)
        ax.legend(frameon=False, fontsize=8.5)
    return Finding(lines, figure, "Regret against the number of states; bars are 95% bootstrap intervals.")


def sizes(results: Results) -> Finding:
    """Regret against K and against C_O."""
    cells = results.cells()
    rounds = results.spec["rounds"][-1]
    figure, axes = canvas(9.6, 4.0, columns=2)
    lines = []
    series: list[tuple[str, str, float, list[tuple[int, str]]]] = [
        ("efforts K", "K^2", 2.0, [(k, f"K {k}") for k in (2, 3, 4, 5, 6)]),
        ("observations C", "C", 1.0, [(c, f"C {c}") for c in (2, 3, 5, 8)]),
    ]
    for ax, (what, promised, power, labels) in zip(axes, series, strict=True):
        for number, learner in enumerate(SCALES):
            slope, text = _trend(ax, cells, learner, labels, COLOURS[number])
            shown = f"regret {text}: grows like {what[-1]}^{slope.mean:.2f} ({slope.low:.2f} to {slope.high:.2f}); "
            verdict = HOLDS if slope.low <= power else FAILS
            lines.append(Line(f"{what}, {learner}", shown + f"promised at most {promised}", verdict))
        _axes(ax, what, "regret")
        ax.set_ylim(bottom=0)
        ax.legend(frameon=False, fontsize=8.5)
    bound = MARGIN**-2 * 3**2 * 3 * rounds ** (2 / 3)
    text = (
        f"epsilon^-2 K^2 C T^(2/3) is {bound:,.0f} at K 3, C 3, epsilon {MARGIN}, T {rounds:,}, where no learner can "
    )
    text += f"lose more than about {2 * rounds:,}"
    left_out = len(results.failures()) // len(SCALES)
    text += f" ({left_out} drawn games can't have this margin, and are left out)" if left_out else ""
    lines.append(Line("the bound itself, constants left out", text, VACUOUS))
    return Finding(
        lines, figure, "Regret against efforts and observations, oracle margin 0.003; 95% bootstrap intervals."
    )


def _trend(
    ax: Any, cells: pd.DataFrame, learner: str, sizes: Sequence[tuple[int, str]], colour: str
) -> tuple[Interval, str]:
    """Draw mean regret by size; return the exponent in it, bootstrapped over repeats, and the values in words."""
    own = cells[cells["learner"] == learner]
    table = own[own["game"].isin([label for _, label in sizes])].pivot_table(
        index="repeat", columns="game", values="regret"
    )
    at = np.array([size for size, _ in sizes], dtype=float)
    values = table[[label for _, label in sizes]].to_numpy()
    means = [bootstrap(column) for column in values.T]
    centre = np.array([one.mean for one in means])
    reach = np.array([[one.mean - one.low, one.high - one.mean] for one in means]).T
    ax.errorbar(at, centre, yerr=reach, color=colour, marker="o", markersize=4, linewidth=1.5, capsize=3,
                label=f" {literal(learner)}")  # fmt: skip
    ax.set_xticks(at, [f"{size:g}" for size in at])
    drawn = np.random.default_rng(0).integers(len(values), size=(1000, len(values)))
    slopes = [np.polyfit(np.log(at), np.log(np.nanmean(values[rows], axis=0)), 1)[0] for rows in drawn]
    low, high = np.quantile(slopes, [0.025, 0.975])
    words = ", ".join(f"{one.mean:,.0f}" for one in means)
    return Interval(float(np.polyfit(np.log(at), np.log(centre), 1)[0]), float(low), float(high)), words


def _axes(ax: Any, x: str, y: str) -> None:
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.grid(color=FAINT, alpha=0.25, linewidth=0.5)
