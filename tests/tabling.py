"""Forecast tables whose truth is known, for tests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
"""Where the real tables are, if they are anywhere."""


def shared(name: str) -> Path:
    """Return a real table, or skip the test where it is not there."""
    path = SHARED / f"{name}.csv"
    if not path.is_file():
        pytest.skip(f"{path} is not here")
    return path


def posteriors(
    accuracies: Sequence[float], items: int, states: int = 2, *, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Draw items whose tier k names the state rightly with chance ``accuracies[k]``; return posteriors and states.

    The prior is uniform, so that the posterior after a signal is the accuracy on the state that it names and the rest
    shared among the others: known on paper.
    """
    chance = np.random.default_rng(seed)
    truth = chance.integers(states, size=items)
    found = []
    for accuracy in accuracies:
        wrong = (truth + chance.integers(1, states, size=items)) % states
        named = np.where(chance.random(items) < accuracy, truth, wrong)
        posterior = np.full((items, states), (1 - accuracy) / (states - 1))
        posterior[np.arange(items), named] = accuracy
        found.append(posterior)
    return np.array(found), truth


def distorted(forecasts: np.ndarray, power: float) -> np.ndarray:
    """Forecasts that say too much (power above one) or too little."""
    raised = forecasts**power
    return raised / raised.sum(axis=-1, keepdims=True)


def frame(forecasts: np.ndarray, truth: np.ndarray, **columns: Any) -> pd.DataFrame:
    """The long table of forecasts (K, N, W)."""
    tiers, items, states = forecasts.shape
    rows = {
        "item_id": np.tile([f"i{n}" for n in range(items)], tiers),
        "tier": np.repeat([f"t{k}" for k in range(tiers)], items),
        "outcome": np.tile([f"s{w}" for w in truth], tiers),
    }
    chances = {f"p_s{w}": forecasts[:, :, w].ravel() for w in range(states)}
    return pd.DataFrame(rows | chances | {name: np.tile(value, tiers) for name, value in columns.items()})
