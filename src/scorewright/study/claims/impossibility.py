"""Without an oracle: the hard instance, and the chance that a random rule finds a region that is only so wide."""

from __future__ import annotations

import numpy as np

from scorewright.families import hard_instance
from scorewright.game import Game
from scorewright.learn import OsrlUcb
from scorewright.optimum import solve
from scorewright.oracles import RandomSampling
from scorewright.plot.canvas import COLOURS, FAINT, canvas
from scorewright.rules import Sampler
from scorewright.simulate import simulate
from scorewright.study.claims.claim import FAILS, HOLDS, Experiment, Finding, Line, Measurements
from scorewright.study.results import Results
from scorewright.study.task import Outcome
from scorewright.tolerance import ROUNDING
from scorewright.validation import Array

WIDTHS = (1.0, 0.7, 0.5, 0.35, 0.25, 0.15)


def _plan(budgets: tuple[int, ...], horizons: tuple[int, ...], seeds: int, walks: int) -> Measurements:
    runs = [
        {"what": "regret", "budget": budget, "rounds": rounds, "number": number}
        for number in range(seeds)
        for budget in budgets
        for rounds in horizons
    ]
    return Measurements("impossibility", runs + [{"what": "volume", "number": number} for number in range(walks)])


EXPERIMENT = Experiment(
    "impossibility",
    lambda: _plan((20, 50), (1000, 4000, 16_000), 2, 3),
    lambda: _plan((20, 100, 500), (1000, 4000, 16_000, 64_000), 10, 40),
    minutes=25,
)


def measure(rng: np.random.Generator, what: str, number: int, budget: int = 0, rounds: int = 0) -> Outcome:
    """Play the hard instance without an oracle, or draw rules and see how many find the region."""
    del number  # it is in the seed
    return _regret(rng, budget, rounds) if what == "regret" else _volume(rng)


def _regret(rng: np.random.Generator, budget: int, rounds: int) -> Outcome:
    game = hard_instance(e1=-0.25)
    learner = OsrlUcb(game.setting, RandomSampling(0.05, rounds=budget), rng=rng)
    run = simulate(game, learner, rounds, rng=rng)
    half = rounds // 2
    found = {"per_round": float(run.regret[-1]) / rounds}
    found["second_half"] = float(run.regret[-1] - run.regret[half - 1]) / (rounds - half)
    return Outcome({**found, "found": int((run.effort == 1).sum())})


def _volume(rng: np.random.Generator) -> Outcome:
    """Share of rules that induce effort 1 at each width: drawn by our sampler, and from the box by rejection."""
    thin = hard_instance(e1=-0.5, penalty=0.0)
    sampler = Sampler(thin.beliefs, 1.0, 0.0)
    walk = np.array([sampler.draw(rng).expected for _ in range(150)])
    exact = _uniform(thin.beliefs, rng, 500_000)
    facts: dict[str, float] = {"walked": len(walk), "drawn": len(exact)}
    for width in WIDTHS:
        game = hard_instance(e1=-0.5, width=width, penalty=0.0)
        facts[f"walk {width:g}"], facts[f"exact {width:g}"] = (_hits(game, expected) for expected in (walk, exact))
    return Outcome(facts)


def _hits(game: Game, expected: Array) -> int:
    return int(((expected @ game.information.T - game.costs).argmax(axis=1) == 1).sum())


def _uniform(beliefs: Array, rng: np.random.Generator, count: int) -> Array:
    """Expected payments of rules drawn from the box and kept if proper: exactly uniform on the class."""
    box = rng.random((count, *beliefs.shape))
    gains = np.einsum("iw,njw->nij", beliefs, box)
    proper = (np.diagonal(gains, axis1=1, axis2=2)[:, :, None] >= gains - ROUNDING).all(axis=(1, 2))
    result: Array = np.einsum("iw,niw->ni", beliefs, box[proper])
    return result


def impossibility(results: Results) -> Finding:
    """Regret per round that does not fall, and the volume of the region against its width."""
    cells = results.cells()
    runs, draws = cells[cells["what"] == "regret"], cells[cells["what"] == "volume"]
    solved = solve(hard_instance(e1=-0.25))
    others = max(one.profit for one in solved.by_effort if one is not None and one.effort != 1)
    gap = solved.profit - others
    figure, (left, right) = canvas(9.6, 4.0, columns=2)
    lines = []
    for number, budget in enumerate(sorted({int(one) for one in runs["budget"]})):
        own = runs[runs["budget"] == budget]
        means = own.groupby("rounds")["second_half"].mean()
        horizons, late = means.index.to_numpy().astype(int), means.to_numpy()
        left.plot(horizons, late, color=COLOURS[number], marker="o", label=f" sampling for {budget:,}")
        values = ", ".join(f"{value:.3f} at T {t:,}" for t, value in zip(horizons, late, strict=True))
        found = int(own["found"].sum())
        stays = found == 0 and late.min() >= gap - ROUNDING
        text = f"regret a round over the second half {values}; never below {gap:.3f} unless the region is found; "
        text += f"found in {found:,} rounds"
        lines.append(Line(f"hard instance, sampling for {budget:,} rounds", text, HOLDS if stays else FAILS))
    left.axhline(gap, color="black", linewidth=1.0, linestyle=(0, (4, 3)))
    left.set_xscale("log")
    left.set_ylim(0, 1.15 * float(runs["second_half"].max()))
    walked, drawn = float(draws["walked"].sum()), float(draws["drawn"].sum())
    walk = np.array([draws[f"walk {width:g}"].sum() / walked for width in WIDTHS])
    exact = np.array([draws[f"exact {width:g}"].sum() / drawn for width in WIDTHS])
    kept = exact > 0
    power = float(np.polyfit(np.log(np.array(WIDTHS)[kept]), np.log(exact[kept]), 1)[0])
    text = f"a random rule finds it with chance {exact[0]:.4f}, {exact[2]:.4f}, {exact[4]:.5f} at width 1, 0.5, 0.25: "
    text += f"width to the power {power:.1f} ({int(drawn):,} uniform rules)"
    lines.append(Line("chance of random sampling against width", text, HOLDS if power > 1 else FAILS))
    right.plot(WIDTHS, np.where(walk > 0, walk, np.nan), "o", color=COLOURS[0], label=" our sampler")
    right.plot(WIDTHS, np.where(kept, exact, np.nan), color=COLOURS[1], label=" uniform, by rejection")
    right.set_xscale("log")
    right.set_yscale("log")
    for ax, x, y in ((left, "horizon T", "regret a round, second half"), (right, "width", "chance of a random rule")):
        ax.set_xlabel(x)
        ax.set_ylabel(y)
        ax.grid(color=FAINT, alpha=0.25, linewidth=0.5)
        ax.legend(frameon=False, fontsize=8.5)
    caption = (
        "Left: without an oracle regret per round tends to the gap to the best other effort (dashed), not to zero. "
    )
    return Finding(
        lines, figure, caption + "Right: the chance that a random rule lies in the region, against its width."
    )
