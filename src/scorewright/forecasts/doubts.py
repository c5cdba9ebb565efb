"""Doubts: what will mislead in a game that can be made all the same."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scorewright.forecasts.model import Model
from scorewright.forecasts.scores import BINS, USELESS, Difference, reliability
from scorewright.validation import Array

FEW_ITEMS, FEW_CLUSTERS, FEW_OUTCOMES = 5, 30, 10
SURELY_OFF = 29.6
"""Chi-squared over ten bins that calibrated forecasts exceed once in a thousand tables."""


def doubts(model: Model, differences: Sequence[Difference]) -> tuple[str, ...]:
    """Every reason to be careful with this game, as a sentence."""
    return (
        *(
            f"tier {d.dearer!r} adds nothing: it costs more than {d.cheaper!r} and gains {d.gain.value:.4f} in Brier "
            f"score (95% interval {d.gain.low:.4f} to {d.gain.high:.4f})"
            for d in differences
            if d.better < USELESS
        ),
        *_about_calibration(model),
        *_about_numbers(model),
    )


def _about_calibration(model: Model) -> list[str]:
    table, calibrated = model.table, model.calibrated
    if calibrated.method is not None:
        if calibrated.folds > 1:
            return []
        return [
            "in-sample bins: the recalibration was fitted to the very items that it is applied to, so that tiers look "
            "better than they are; use folds=5"
        ]
    off = [
        tier
        for tier, judged, said in zip(table.tiers, table.judged, table.forecasts, strict=True)
        if _distance(said[judged], table.happened[judged]) > SURELY_OFF
    ]
    if not off:
        return []
    return [
        f"the forecasts of {', '.join(map(repr, off))} are miscalibrated and taken at their word; use "
        f"calibration='auto'"
    ]


def _about_numbers(model: Model) -> list[str]:
    table, found = model.table, []
    clusters = int(table.clusters.max()) + 1
    if clusters < FEW_CLUSTERS:
        found.append(f"the items are {clusters} independent clusters; intervals from so few are too narrow")
    for state, count in zip(table.states, np.bincount(table.outcome, minlength=len(table.states)), strict=True):
        if count < FEW_OUTCOMES:
            found.append(f"state {state!r} came true {count} times; what is said about it rests on those")
    held = (model.information * table.judged.sum(axis=1)[:, None]).max(axis=0)
    small = np.flatnonzero(held < FEW_ITEMS)
    if len(small):
        found.append(
            f"small bins: {len(small)} of {len(held)} beliefs rest on fewer than {FEW_ITEMS} items in every tier; ask "
            f"for fewer beliefs"
        )
    return found


def _distance(forecasts: Array, happened: Array) -> float:
    """Hosmer and Lemeshow's chi-squared, for the state that is furthest off."""
    said, seen, count = reliability(forecasts, happened, BINS)
    spread = np.maximum(said * (1 - said), 1 / (4 * len(forecasts)))
    return float((count * np.square(seen - said) / spread).sum(axis=1).max())
