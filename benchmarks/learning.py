"""Learning: what Haggler pays on thirteen families of games, beside OSRL-UCB, the baselines and "informed".

    python benchmarks/learning.py [--seeds 20] [--rounds 20000] [--families a,b] [--learners a,b] [--out runs.csv]
    python benchmarks/learning.py --read runs.csv more.csv --plot picture.svg

One run of `--rounds` rounds per family, seed and learner, no horizon given; regret is read off at 300, 2,000, 20,000
and 200,000. Every run is a line of the CSV file; the tables show the distribution, and every run that broke a promise:

- stuck: regret at 20,000 above the best fixed oracle rule's plus two plays of every oracle rule, or regret between
  20,000 and 200,000 above that before plus 10 F (F: the largest loss of the game in one round);
- early: loss per round over rounds 300 to 600 above 1% of the value at stake (largest less smallest q_k . value);
- late: loss per round over the last 1,000 of 20,000 above 0.1% of it.
"""

from __future__ import annotations

import argparse
import csv
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

import scorewright as sw

READ = (300, 2_000, 20_000, 200_000)
FAMILIES = sw.families.CHALLENGES
LEARNERS: dict[str, Callable[[sw.Game, Any, int], sw.learn.Learner]] = {
    "haggler": lambda game, oracle, seed: sw.learn.Haggler(game.setting, oracle, rng=seed),
    "oracle-free": lambda game, _, seed: sw.learn.Haggler(game.setting, rng=seed),
    "informed": lambda game, oracle, seed: sw.learn.Informed(game.setting, game, oracle, rng=seed),
    "osrl-ucb": lambda game, oracle, seed: sw.learn.OsrlUcb(game.setting, oracle, rng=seed),
    "oracle-bandit": lambda game, oracle, seed: sw.learn.OracleBandit(game.setting, oracle, rng=seed),
    "scaled-quadratic": lambda game, _, seed: sw.learn.ScaledQuadratic(game.setting, rng=seed),
    "explore-then-commit": lambda game, oracle, seed: sw.learn.ExploreThenCommit(game.setting, oracle, rng=seed),
}


def play(cell: tuple[str, int, str, int]) -> dict[str, Any]:
    """One run."""
    family, seed, name, rounds = cell
    number = list(FAMILIES).index(family)
    game = FAMILIES[family](np.random.default_rng([2026, number, seed]))
    oracle = sw.oracles.best_margin(game)
    best = sw.solve(game).profit
    kept = [rule for rule in oracle if rule is not None]
    learner = LEARNERS[name](game, oracle, seed)
    started = time.perf_counter()
    regret = sw.simulate(game, learner, rounds, rng=[2027, number, seed]).regret
    took = time.perf_counter() - started
    loss, stake = np.diff(regret, prepend=0.0), float(np.ptp(game.worth))
    found = {"family": family, "seed": seed, "learner": name, "efforts": len(game.costs), "seconds": took}
    found |= {f"regret {t}": float(regret[t - 1]) for t in READ if t <= rounds}
    found["fixed"] = best - max(game.profit(rule) for rule in kept)
    found["plays"] = 2 * sum(best - game.profit(rule) for rule in kept)
    found["least"] = least(game, rounds)
    found["F"] = best - float((game.worth - game.bound).min())
    at_stake = stake > 1e-6 * float(np.abs(game.worth).max())
    found["early"] = float(loss[300:600].mean()) / stake if at_stake and rounds >= 600 else 0.0
    found["late"] = float(loss[19_000:20_000].mean()) / stake if at_stake and rounds >= 20_000 else 0.0
    return found


def least(game: sw.Game, rounds: int) -> float:
    r"""Lai and Robbins' bound: what a learner that is good on all games, and goes by reports, pays on this one.

    For many rounds; answers may tell what reports do not. An effort k that loses by D at its best rule must be told
    from one that wins, for :math:`D \log T / KL`, KL being the least divergence from q_k of reports worth the best
    profit under that rule (by duality, Honda and Takemura 2010).
    """
    found, total = sw.solve(game), 0.0
    for effort, own in enumerate(found.by_effort):
        if own is None or own.profit >= found.profit:
            continue
        beyond = game.setting.value - own.rule.expected - found.profit
        if beyond.max() > 0:
            slopes = np.linspace(0, 1, 20_001)[:-1] / beyond.max()
            total += (
                (found.profit - own.profit)
                * np.log(rounds)
                / (np.log1p(-np.outer(slopes, beyond)) @ game.information[effort]).max()
            )
    return total


def broken(run: dict[str, Any]) -> list[str]:
    """Which promises a run broke."""
    found = []
    if "regret 20000" in run and run["regret 20000"] > 20_000 * run["fixed"] + run["plays"]:
        found.append("stuck (fixed rule better)")
    if "regret 200000" in run and run["regret 200000"] - run["regret 20000"] > run["regret 20000"] + 10 * run["F"]:
        found.append("stuck (after 20,000)")
    return found + ["early"] * (run["early"] > 0.01) + ["late"] * (run["late"] > 0.001)


def draw(paths: list[str], picture: str) -> None:
    """Draw every run's regret after 20,000 rounds, family by family."""
    from matplotlib.figure import Figure

    runs = [run for path in paths for run in csv.DictReader(Path(path).read_text().splitlines())]
    families = [family for family in FAMILIES if any(run["family"] == family for run in runs)]
    shown = {"haggler": "C0", "oracle-free": "C1", "informed": "C2", "osrl-ucb": "C3"}
    figure = Figure(figsize=(9, 5.5), layout="constrained")
    axes = figure.add_subplot()
    for place, (name, colour) in enumerate(shown.items()):
        own = [run for run in runs if run["learner"] == name]
        height = [families.index(run["family"]) + 0.18 * (place - 1.5) for run in own]
        regret = [max(float(run["regret 20000"]), 0.1) for run in own]
        axes.scatter(regret, height, s=12, color=colour, alpha=0.6, linewidths=0, label=name)
    axes.set(xscale="log", xlabel="regret after 20,000 rounds, a dot per run", yticks=range(len(families)))
    axes.set_yticklabels(families)
    axes.invert_yaxis()
    axes.grid(axis="x", alpha=0.3)
    figure.legend(loc="outside upper center", ncols=len(shown))
    figure.savefig(picture)


def main() -> None:
    """Run all cells and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--rounds", type=int, default=20_000)
    parser.add_argument("--families", default=",".join(FAMILIES))
    parser.add_argument("--learners", default=",".join(LEARNERS))
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--out", default="learning.csv")
    parser.add_argument("--read", nargs="*", default=[], help="draw the runs in these files instead of running any")
    parser.add_argument("--plot", default="learning.svg", help="where to draw them")
    given = parser.parse_args()
    if given.read:
        draw(given.read, given.plot)
        return
    names = given.learners.split(",")
    cells = [
        (family, seed, name, given.rounds)
        for name in names
        for family in given.families.split(",")
        for seed in range(given.first, given.first + given.seeds)
    ]
    runs = []
    with ProcessPoolExecutor(given.workers) as pool, Path(given.out).open("w", newline="") as file:
        writer = None
        for done, run in enumerate(pool.map(play, cells), start=1):
            runs.append(run)
            writer = writer or csv.DictWriter(file, run)
            if done == 1:
                writer.writeheader()
            writer.writerow(run)
            file.flush()
            print(f"\r{done} of {len(cells)} runs", end="", file=sys.stderr)
    print(file=sys.stderr)
    for t in (t for t in READ if t <= given.rounds):
        print(f"\nRegret after {t:,} rounds: mean ± standard deviation over runs (median, largest)")
        for family in given.families.split(","):
            print(f"  {family}")
            for name in names:
                found = [r[f"regret {t}"] for r in runs if r["family"] == family and r["learner"] == name]
                print(
                    f"    {name:20} {np.mean(found):9.2f} ± {np.std(found):8.2f}"
                    f"  ({np.median(found):8.2f}, {max(found):9.2f})"
                )
    mine = [run for run in runs if run["learner"] in ("haggler", "oracle-free", "informed")]
    print("\nLosing runs")
    for run in mine:
        if broken(run):
            regrets = ", ".join(f"{run[f'regret {t}']:.1f}" for t in READ if t <= given.rounds)
            print(
                f"  {run['family']:18} seed {run['seed']:2} {run['learner']:12} {'; '.join(broken(run))}: {regrets}"
                f" (early {run['early']:.2%}, late {run['late']:.2%}; bound of Lai and Robbins {run['least']:.1f})"
            )
    for name in dict.fromkeys(run["learner"] for run in mine):
        own = [run for run in mine if run["learner"] == name]
        early, late = np.mean([run["early"] <= 0.01 for run in own]), np.mean([run["late"] <= 0.001 for run in own])
        print(
            f"{name}: {len(own)} runs, {np.mean([run['seconds'] for run in own]):.1f} s each; "
            f"below 1% over rounds 300 to 600: {early:.1%}; below 0.1% at the end of 20,000: {late:.1%}"
        )


if __name__ == "__main__":
    main()
