"""Is an effort really induced, or only on paper? `python benchmarks/heldout.py [--data ../shared/data] [--splits 100]`.

A rule is designed on half of the items, plainly (for the game as estimated) and robustly (against the share of its
resamples that are nearest to the estimate). The other half's agent then plays it: its beliefs are that half's own
forecasts, recalibrated within that half on items left out; a belief is paid as the row of the rule that is best for it.
Printed, per table and design: in how many splits the intended effort is that agent's best response, and what is left
after paying, on average; first for the effort that each design likes best, then for every effort in the splits where
both designs have a rule for it.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import numpy as np

import scorewright as sw
from scorewright.forecasts.calibration import calibrate
from scorewright.forecasts.decisions import Recipe as Decision
from scorewright.forecasts.model import Recipe, made, samples
from scorewright.forecasts.scores import draws
from scorewright.game import tie

HERE = Path(__file__).resolve().parent.parent
SHARES = (0.5, 0.9)
Chosen = dict[str, list[tuple[bool, float, int]]]
"""By design: was the intended effort the response, what was left, which effort was intended."""

Same = dict[tuple[str, int], list[tuple[bool, bool]]]
"""By robust design and effort: was it the response to the plain rule for it, and to the robust one."""


@dataclass(frozen=True)
class Case:
    """A table with costs by tier, a decision and a bound."""

    table: str
    costs: Callable[[str], float]
    utility: Decision
    bound: float


def minutes(most: float) -> Callable[[str], float]:
    """A cost quadratic in the minutes watched."""
    return lambda tier: 0.06 * (float(tier.removeprefix("min")) / most) ** 2


CASES = {
    "heart_tests": Case(
        "heart_tests",
        sw.forecasts.HEART_COSTS.__getitem__,
        sw.forecasts.classify({"disease": 240_000, "healthy": 144_000}),
        20_000,
    ),
    "ncaa_inplay": Case("ncaa_inplay", minutes(38), sw.forecasts.classify(3), 1),
    "worldcup_inplay": Case("worldcup_inplay", minutes(85), sw.forecasts.classify(3), 1),
}


@dataclass(frozen=True)
class Held:
    """The other half's agent: each tier's beliefs, what they cost, what they are worth."""

    beliefs: list[np.ndarray]
    costs: np.ndarray
    worth: np.ndarray

    def meets(self, rule: sw.Rule) -> tuple[np.ndarray, np.ndarray]:
        """Surplus and profit under each effort."""
        paid = np.array([(p @ rule.payments.T).max(axis=1).mean() for p in self.beliefs])
        return paid - self.costs, self.worth - paid


def split(case: Case, table: sw.forecasts.Forecasts, seed: int, resamples: int) -> tuple[sw.Game, np.ndarray, Held]:
    """Design half: its game and resampled information; other half: its agent."""
    chance = np.random.default_rng(seed)
    order = chance.permutation(len(table.items))
    half = len(order) // 2
    design, other = table.part(np.sort(order[:half])), table.part(np.sort(order[half:]))
    utility, _ = case.utility(table.states)
    costs = np.array([case.costs(tier) for tier in table.tiers])
    model = made(design, Recipe(), utility, chance)
    game = sw.Game(model.menu.beliefs, model.information, costs, utility, case.bound, efforts=table.tiers)
    worlds = np.array([model.resampled(weights) for weights in draws(design, resamples, chance)])
    after = calibrate(other, "auto", Recipe().folds, chance).forecasts
    beliefs = [s.forecasts for s in samples(other, after, np.ones(len(other.items)), exogenous=True)]
    worth = np.array([(p @ utility.T).max(axis=1).mean() for p in beliefs])
    return game, worlds, Held(beliefs, costs, worth)


def measure(case: Case, table: sw.forecasts.Forecasts, splits: int, resamples: int) -> None:
    """Print the lines of one table."""
    chosen: Chosen = defaultdict(list)
    same: Same = defaultdict(list)
    skipped = 0
    for seed in range(splits):
        if seed and seed % 10 == 0:
            show(case, table, seed - skipped, chosen, same, sys.stderr)  # so far
        try:
            game, worlds, agent = split(case, table, seed, resamples)
        except sw.errors.InvalidInputError:  # a half in which a state hardly occurs
            skipped += 1
            continue
        known = sw.optimum.Uncertainty(worlds)
        plain = sw.solve(game)
        designs = {"plain": plain}
        designs |= {
            f"robust {share:.0%}": sw.solve(game, uncertainty=known.central(game.information, share))
            for share in SHARES
        }
        slack = tie(case.bound)
        for name, solution in designs.items():
            surplus, profit = agent.meets(solution.rule)
            response = int(np.argmax(np.where(surplus >= surplus.max() - slack, profit, -np.inf)))
            chosen[name].append((response == solution.effort, float(profit[response]), solution.effort))
            for k, found in enumerate(solution.by_effort):
                basis = plain.by_effort[k]
                if name != "plain" and found is not None and basis is not None and game.costs[k] > game.costs.min():
                    kept = [bool(s[k] >= s.max() - slack) for s, _ in (agent.meets(r.rule) for r in (basis, found))]
                    same[name, k].append((kept[0], kept[1]))
    show(case, table, splits - skipped, chosen, same, sys.stdout)


def show(case: Case, table: sw.forecasts.Forecasts, splits: int, chosen: Chosen, same: Same, to: TextIO) -> None:
    """Print what was measured."""
    print(f"\n{case.table}: {splits} splits, bound {case.bound:,g}", file=to)
    for name, rows in chosen.items():
        kept, profits, efforts = zip(*rows, strict=True)
        often = np.bincount(efforts, minlength=len(table.tiers))
        aims = ", ".join(f"{table.tiers[k]} {n}" for k, n in enumerate(often) if n)
        print(f"  {name:10}  intended effort is the best response in {np.mean(kept):4.0%};  "
              f"left {np.mean(profits):,.4g};  aims at {aims}", file=to)  # fmt: skip
    for (name, k), pairs in sorted(same.items()):
        before, after = np.mean(pairs, axis=0)
        words = f"    for {table.tiers[k]} ({len(pairs)} splits): plain {before:4.0%}, {name} {after:4.0%}"
        print(words, file=to, flush=True)


def main() -> None:
    """Measure every table that is there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=HERE.parent / "shared" / "data")
    parser.add_argument("--splits", type=int, default=100)
    parser.add_argument("--resamples", type=int, default=40)
    parser.add_argument("--table", choices=[*CASES], help="only this one")
    asked = parser.parse_args()
    for name in [asked.table] if asked.table else CASES:
        path = asked.data / f"{name}.csv"
        if path.is_file() or name in sw.forecasts.EXAMPLES:
            measure(CASES[name], sw.forecasts.read(path if path.is_file() else name), asked.splits, asked.resamples)
        else:
            print(f"\n{name}: {path} is not here")


if __name__ == "__main__":
    main()
