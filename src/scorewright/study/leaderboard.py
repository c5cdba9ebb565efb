"""Leaderboard: who lost how much, how surely, and against whom.

Learners meet the same games and the same luck, so they are compared in pairs: the same game, agent, rounds and repeat.
Intervals are percentile bootstrap intervals over those cells, drawn with a fixed seed, so that they too are the same
wherever they are computed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from scorewright.errors import InvalidInputError
from scorewright.study.results import Results
from scorewright.validation import Array, member

if TYPE_CHECKING:
    import pandas as pd

RESAMPLES = 1000
PAIR = ["game", "agent", "rounds", "repeat"]
"""What two learners must have in common to be compared."""


@dataclass(frozen=True)
class Interval:
    """A mean and the 95% interval around it; NaN where there is nothing to average."""

    mean: float
    low: float
    high: float


def bootstrap(values: Any, probability: float = 0.95) -> Interval:
    """Return the mean of `values` and its percentile bootstrap interval.

    Examples
    --------
    >>> bootstrap([1.0, 1.0, 1.0])
    Interval(mean=1.0, low=1.0, high=1.0)
    """
    kept = np.asarray(values, dtype=float)
    kept = kept[np.isfinite(kept)]
    if not len(kept):
        return Interval(np.nan, np.nan, np.nan)
    drawn = np.random.default_rng(len(kept)).integers(len(kept), size=(RESAMPLES, len(kept)))
    low, high = np.quantile(kept[drawn].mean(axis=1), [(1 - probability) / 2, (1 + probability) / 2])
    return Interval(float(kept.mean()), float(low), float(high))


def exponent(rounds: Array, regret: Array) -> float:
    """Slope of log regret in log rounds over the last decade of a curve; NaN where regret is not positive there.

    Examples
    --------
    >>> t = np.arange(1, 1001)
    >>> round(exponent(t, 3 * t**0.5), 6)
    0.5
    """
    last = (rounds >= rounds[-1] / 10) & (regret > 0)
    if last.sum() < 3 or rounds[-1] < 10:
        return float("nan")
    x, y = np.log(rounds[last]), np.log(regret[last])
    return float(np.polyfit(x, y, 1)[0])


class Tables:
    """The tables behind a leaderboard, read once."""

    def __init__(self, results: Results) -> None:
        self.results, self.spec = results, results.spec
        cells = results.cells()
        if not len(cells):
            raise InvalidInputError(f"{results.folder} has no finished cells yet: run the study first")
        if "learner" not in cells:
            raise InvalidInputError(f"{results.folder} does not hold the results of a study")
        seconds = results.timing().set_index("cell")["seconds"]
        self.curves = results.curves()
        slopes = {
            cell: exponent(part["round"].to_numpy(), part["regret"].to_numpy())
            for cell, part in self.curves.groupby("cell", sort=False)
        }
        self.cells = cells.assign(
            exponent=cells["cell"].map(slopes),
            microseconds=cells["cell"].map(seconds) / cells["rounds"] * 1e6,
            paid_per_round=cells["paid"] / cells["rounds"],
        )

    def baseline(self, named: str | None) -> str:
        """Return the learner to compare with: the one named, the study's, or the first that finished a cell."""
        known = list(dict.fromkeys(self.cells["learner"]))
        if named is not None:
            return member(named, "baseline", known)
        wanted = str(self.spec.get("baseline", ""))
        return wanted if wanted in known else known[0]

    def leaderboard(self, cells: pd.DataFrame, baseline: str) -> pd.DataFrame:
        """Return a row per learner, the one that lost least first."""
        import pandas as pd

        against = cells[cells["learner"] == baseline].set_index(PAIR)["regret"]
        rows = []
        for learner, own in cells.groupby("learner", sort=False):
            regret, slope = bootstrap(own["regret"]), bootstrap(own["exponent"])
            gap = (own.set_index(PAIR)["regret"] - against).dropna()
            versus = bootstrap(gap)
            rows.append(
                {
                    "learner": learner,
                    "cells": len(own),
                    "regret": regret.mean,
                    "regret_low": regret.low,
                    "regret_high": regret.high,
                    "versus": versus.mean,
                    "versus_low": versus.low,
                    "versus_high": versus.high,
                    "pairs": len(gap),
                    "won": float((gap < 0).mean()) if len(gap) and learner != baseline else np.nan,
                    "exponent": slope.mean,
                    "exponent_low": slope.low,
                    "exponent_high": slope.high,
                    "obeyed": float(own["obeyed"].mean()),
                    "paid_per_round": float(own["paid_per_round"].mean()),
                    "microseconds": float(own["microseconds"].mean()),
                }
            )
        return pd.DataFrame(rows).sort_values("regret", kind="stable", ignore_index=True)

    def losing(self, cells: pd.DataFrame, baseline: str, most: int = 200) -> pd.DataFrame:
        """Return the cells in which a learner lost more than the baseline did, worst first by how much."""
        against = cells[cells["learner"] == baseline][[*PAIR, "regret"]]
        both = cells[cells["learner"] != baseline].merge(against, on=PAIR, suffixes=("", "_baseline"))
        both = both.assign(behind=both["regret"] - both["regret_baseline"])
        worse = both[both["behind"] > 0].sort_values("behind", ascending=False, kind="stable", ignore_index=True)
        return worse[[*PAIR, "learner", "regret", "regret_baseline", "behind", "obeyed"]].head(most)

    def curve(self, cells: pd.DataFrame, learner: str, points: int = 60) -> dict[str, list[float]]:
        """Return mean regret along the rounds, and the band from the tenth to the ninetieth percentile of its cells."""
        own = [self._by_cell[cell] for cell in cells.loc[cells["learner"] == learner, "cell"]]
        longest = max(int(part["round"].iloc[-1]) for part in own)
        grid = np.unique(np.rint(np.logspace(0, np.log10(longest), points)))
        lines = np.array([np.interp(grid, part["round"], part["regret"]) for part in own])
        low, high = np.quantile(lines, [0.1, 0.9], axis=0)
        return {
            "round": [float(t) for t in grid],
            "mean": [float(x) for x in lines.mean(axis=0)],
            "low": [float(x) for x in low],
            "high": [float(x) for x in high],
        }

    @cached_property
    def _by_cell(self) -> dict[str, pd.DataFrame]:
        return {str(cell): part for cell, part in self.curves.groupby("cell", sort=False)}


def leaderboard(results: Results, *, baseline: str | None = None) -> pd.DataFrame:
    """Return the leaderboard over all cells of a study."""
    tables = Tables(results)
    return tables.leaderboard(tables.cells, tables.baseline(baseline))
