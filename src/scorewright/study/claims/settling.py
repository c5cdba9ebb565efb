"""PAC: rounds until the recommended rule is zeta-optimal."""

from __future__ import annotations

import math

import numpy as np

from scorewright.learn import OsrlUcb, Radius
from scorewright.optimum import solve
from scorewright.oracles import best_margin
from scorewright.plot.canvas import COLOURS, FAINT, canvas
from scorewright.simulate import simulate
from scorewright.simulate.loop import log_spaced
from scorewright.study.claims.claim import FAILS, HOLDS, VACUOUS, Experiment, Finding, Line, Measurements
from scorewright.study.claims.rates import GAMES
from scorewright.study.results import Results
from scorewright.study.task import Outcome
from scorewright.validation import Array

ZETAS = (0.3, 0.1, 0.03, 0.01, 0.003)


def _plan(rounds: int, repeats: int) -> Measurements:
    return Measurements(
        "settling",
        [
            {"game": game, "scale": scale, "number": number, "rounds": rounds}
            for number in range(repeats)
            for game in GAMES
            for scale in (1.0, 0.1)
        ],
    )


EXPERIMENT = Experiment("settling", lambda: _plan(200_000, 3), lambda: _plan(10_000_000, 10), minutes=33)


def measure(rng: np.random.Generator, game: str, scale: float, number: int, rounds: int) -> Outcome:
    """Play OSRL-UCB and ask for its recommendation along the way."""
    del number  # it is in the seed
    known = GAMES[game]
    best = solve(known).profit
    learner = OsrlUcb(known.setting, best_margin(known), radius=Radius(scale))
    marks = log_spaced(rounds, per_decade=20)
    marks = marks[marks >= 3]
    behind, at = [], 0
    for mark in marks:
        simulate(known, learner, int(mark) - at, rng=rng, record="thin")
        at = int(mark)
        behind.append(best - known.profit(learner.recommend().rule))
    return Outcome({}, {"round": marks, "behind": np.array(behind)})


def settled(rounds: Array, behind: Array, zeta: float) -> float:
    """First recorded round from which the recommendation stays within zeta; infinite if there is none."""
    late = np.flatnonzero(behind > zeta)
    if not len(late):
        return float(rounds[0])
    return float(rounds[late[-1] + 1]) if late[-1] + 1 < len(rounds) else math.inf


def pac(results: Results) -> Finding:
    """Rounds until zeta-optimal against zeta, and the fitted power beside 3."""
    cells, curves = results.cells(), results.curves()
    figure, (ax,) = canvas(7.0, 4.2)
    lines = []
    for number, ((game, scale), own) in enumerate(cells.groupby(["game", "scale"], sort=False)):
        parts = [curves[curves["cell"] == cell] for cell in own["cell"]]
        medians = [
            float(np.median([settled(p["round"].to_numpy(), p["behind"].to_numpy(), zeta) for p in parts]))
            for zeta in ZETAS
        ]
        reached = np.isfinite(medians)
        name = f"{game}, radii {'as printed' if scale == 1 else f'x {scale:g}'}"
        ax.plot(np.array(ZETAS)[reached], np.array(medians)[reached], "o-", color=COLOURS[number], label=f" {name}")
        words = [f"{zeta:g}: {m:,.0f}" if math.isfinite(m) else f"{zeta:g}: not reached" for zeta, m in
                 zip(ZETAS, medians, strict=True)]  # fmt: skip
        # Rules that are good from the start say nothing about the rate: fit where rounds were needed.
        used = reached & (np.array(medians) > 10)
        text = f"rounds until within zeta (median of {len(own)}): {', '.join(words)}"
        if used.sum() >= 2:
            power = -float(np.polyfit(np.log(np.array(ZETAS)[used]), np.log(np.array(medians)[used]), 1)[0])
            text += f"; like zeta^-{power:.1f}"
            verdict = HOLDS if power <= 3 else FAILS
        else:
            text += "; too few values that took rounds to fit a power"
            verdict = VACUOUS
        lines.append(Line(name, text, verdict))
    grid = np.array([0.003, 0.3])
    ax.plot(grid, 10 * (grid / 0.3) ** -3, color="black", linewidth=0.9, linestyle=(0, (4, 3)), label=" slope -3")
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xlabel("zeta")
    ax.set_ylabel("rounds until the recommended rule stays within zeta")
    ax.set_ylim(1, 10 * float(curves["round"].max()))
    ax.grid(color=FAINT, alpha=0.25, linewidth=0.5)
    ax.legend(frameon=False, fontsize=8.5)
    caption = (
        "Rounds until the recommendation (the rule seen to work whose profit is surely highest) is within zeta of the "
    )
    return Finding(lines, figure, caption + "optimum and stays there.")
