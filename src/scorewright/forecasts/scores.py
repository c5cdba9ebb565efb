r"""Scores: how good each tier's forecasts are, and which tiers differ.

The Brier score is half the sum over states of squared errors, :math:`\tfrac12 \sum_w (p_w - 1[\omega = w])^2`, so that
for two states it is the usual one; the log score is :math:`-\log p_\omega`. Less is better in both. Intervals are
percentile bootstrap intervals over clusters of items; tiers are compared on the same items, drawn together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from scorewright import tolerance
from scorewright.forecasts.table import Forecasts
from scorewright.validation import Array

RESAMPLES = 1000
"""For scores, which cost nothing to resample; fewer where the weights would not fit in `MOST` numbers."""

MOST = 20_000_000
FEWEST = 100

SURE = 0.95
"""The probability of every interval."""

USELESS = 0.8
"""A dearer tier that beats a cheaper one in fewer than this share of resamples adds nothing that the items show."""

BINS = 10


@dataclass(frozen=True)
class Interval:
    """An estimate and the 95% interval around it."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.4g} ({self.low:.4g} to {self.high:.4g})"


@dataclass(frozen=True)
class Score:
    """One tier's scores, before and after recalibration.

    Attributes
    ----------
    tier : str
    items : int
    brier, log : Interval
        As the table has it.
    brier_after, log_after : Interval
        Recalibrated.
    miscalibration, miscalibration_after : float
        Mean distance between forecast and frequency over ten bins of equal size, averaged over the states.
    """

    tier: str
    items: int
    brier: Interval
    brier_after: Interval
    log: Interval
    log_after: Interval
    miscalibration: float
    miscalibration_after: float


@dataclass(frozen=True)
class Difference:
    """Whether a dearer tier is better than a cheaper one, in recalibrated Brier score.

    Attributes
    ----------
    cheaper, dearer : str
    gain : Interval
        By how much the dearer one's score is lower.
    better : float
        Share of resamples in which it is lower at all.
    """

    cheaper: str
    dearer: str
    gain: Interval
    better: float

    @property
    def words(self) -> str:
        """What the interval says."""
        if self.gain.low > 0:
            return f"{self.dearer} is better than {self.cheaper}"
        if self.gain.high < 0:
            return f"{self.dearer} is worse than {self.cheaper}"
        if self.better < USELESS:
            return f"{self.dearer} adds nothing to {self.cheaper} that these items show"
        return f"{self.dearer} is probably better than {self.cheaper}, not surely"


def draws(table: Forecasts, count: int, chance: np.random.Generator) -> Array:
    """Bootstrap weights (count, N): whole clusters, drawn with replacement."""
    clusters = int(table.clusters.max()) + 1
    drawn = chance.multinomial(clusters, np.full(clusters, 1 / clusters), size=count)
    result: Array = drawn[:, table.clusters].astype(np.float64)
    return result


def many(table: Forecasts) -> int:
    """How often scores are resampled."""
    return max(FEWEST, min(RESAMPLES, MOST // len(table.items)))


def interval(value: float, drawn: Any) -> Interval:
    """The percentile interval of draws, infinite ones among them; NaN where there are none."""
    kept = np.asarray(drawn, dtype=np.float64)
    if not len(kept):
        return Interval(float(value), float("nan"), float("nan"))
    low, high = np.quantile(kept, [(1 - SURE) / 2, (1 + SURE) / 2], method="nearest")
    return Interval(float(value), float(low), float(high))


def scores(table: Forecasts, after: Array, weights: Array) -> tuple[Score, ...]:
    """Every tier's scores, before and after, with intervals from bootstrap weights (R, N)."""
    made = []
    for tier, judged in enumerate(table.judged):
        came, drawn = table.happened[judged], weights[:, judged]
        drawn = drawn[drawn.sum(axis=1) > 0]
        both = (table.forecasts[tier, judged], after[tier, judged])
        brier, log = ([_mean(score(p, came), drawn) for p in both] for score in (brier_of, log_of))
        off = [float(np.abs(said - seen).mean()) for said, seen, _ in (reliability(p, came) for p in both)]
        name, count = table.tiers[tier], int(judged.sum())
        made.append(Score(name, count, brier[0], brier[1], log[0], log[1], off[0], off[1]))
    return tuple(made)


def differences(table: Forecasts, after: Array, costs: Array, weights: Array) -> tuple[Difference, ...]:
    """Each tier against the best of those that cost less, by recalibrated Brier score."""
    score = np.where(table.judged, brier_of(np.nan_to_num(after), table.happened), 0.0)
    mean = score.sum(axis=1) / table.judged.sum(axis=1)
    drawn = weights @ score.T / np.maximum(weights @ table.judged.T, 1.0)
    made = []
    for tier, cost in enumerate(costs):
        less = np.flatnonzero(costs < cost)
        if len(less):
            rival = int(less[mean[less].argmin()])
            gains = drawn[:, rival] - drawn[:, tier]
            gain = interval(mean[rival] - mean[tier], gains)
            made.append(Difference(table.tiers[rival], table.tiers[tier], gain, float((gains > 0).mean())))
    return tuple(made)


def brier_of(forecasts: Array, happened: Array) -> Array:
    """Half the sum of squared errors, over the last axis."""
    result: Array = np.square(forecasts - happened).sum(axis=-1) / 2
    return result


def log_of(forecasts: Array, happened: Array) -> Array:
    """Minus the logarithm of what the outcome was given, over the last axis."""
    given = (forecasts * happened).sum(axis=-1)
    result: Array = -np.log(np.maximum(given, tolerance.RULED_OUT))
    return result


def reliability(forecasts: Array, happened: Array, bins: int = BINS) -> tuple[Array, Array, Array]:
    """Mean forecast, frequency and number of items, (W, bins), in bins of equal size of each state's probability."""
    states = forecasts.shape[1]
    said, seen, count = np.zeros((states, bins)), np.zeros((states, bins)), np.zeros((states, bins))
    for state in range(states):
        order = np.argsort(forecasts[:, state], kind="stable")
        for number, part in enumerate(np.array_split(order, bins)):
            if len(part):
                said[state, number] = forecasts[part, state].mean()
                seen[state, number] = happened[part, state].mean()
                count[state, number] = len(part)
    return said, seen, count


def _mean(score: Array, drawn: Array) -> Interval:
    return interval(float(score.mean()), drawn @ score / drawn.sum(axis=1))
