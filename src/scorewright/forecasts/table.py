"""Forecasts: a table of probabilistic forecasts by effort tier, with outcomes, checked and laid out in arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scorewright import tolerance
from scorewright.errors import InvalidInputError
from scorewright.validation import Array, labels, read_only
from scorewright.values import Value

Indices = NDArray[np.intp]

FEWEST = 20
"""A tier with fewer items than this says next to nothing about its information."""

FEWEST_OF_A_STATE = 3
"""A state must come true this often, in different clusters: calibration leaves items out, and must still see it."""


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Forecasts(Value):
    """Forecasts by tier and item, with what came true.

    Parameters
    ----------
    forecasts : (K, N, W) array
        What each tier forecast for each item; NaN where it did not judge the item.
    outcome : (N,) array of int
        The state that came true.
    clusters : (N,) array of int
        Items in one cluster (a patient's visits, a match's minutes) are not independent; otherwise each its own number.
    items, tiers, states : sequences of labels

    Attributes
    ----------
    judged : (K, N) array of bool
        Which items each tier judged.
    paired : bool
        Whether every tier judged every item.
    """

    forecasts: Array
    outcome: Indices
    clusters: Indices
    items: tuple[str, ...]
    tiers: tuple[str, ...]
    states: tuple[str, ...]

    def __init__(
        self,
        forecasts: Array,
        outcome: Indices,
        clusters: Indices,
        items: Sequence[str],
        tiers: Sequence[str],
        states: Sequence[str],
    ) -> None:
        named = labels(states, "states", forecasts.shape[2], "states") or ()
        self._set(
            forecasts=_probabilities(forecasts, tiers, items),
            outcome=outcome,
            clusters=np.unique(clusters, return_inverse=True)[1].ravel(),
            items=tuple(items),
            tiers=labels(tiers, "tiers", len(forecasts), "tiers"),
            states=named,
        )
        for array in (self.outcome, self.clusters):
            array.setflags(write=False)
        if len(named) < 2:
            raise InvalidInputError(f"the table has one state, {named[0]!r}: there is nothing to find out")
        self._check_numbers()

    @cached_property
    def judged(self) -> NDArray[np.bool_]:
        """Which items each tier judged, (K, N)."""
        return ~np.isnan(self.forecasts[:, :, 0])

    @property
    def paired(self) -> bool:
        """Whether every tier judged every item."""
        return bool(self.judged.all())

    @cached_property
    def happened(self) -> Array:
        """The outcomes as indicators, (N, W)."""
        return read_only(np.eye(len(self.states))[self.outcome])

    def part(self, chosen: Indices) -> Forecasts:
        """The table of these items only; an item chosen twice is there twice, and stays in its cluster."""
        items = [f"{self.items[i]}" for i in chosen]
        return Forecasts(
            self.forecasts[:, chosen], self.outcome[chosen], self.clusters[chosen], items, self.tiers, self.states
        )

    def _check_numbers(self) -> None:
        for tier, judged in zip(self.tiers, self.judged, strict=True):
            count = int(judged.sum())
            if count < FEWEST:
                raise InvalidInputError(
                    f"tier {tier!r} has {count} {'item' if count == 1 else 'items'}; at least {FEWEST} are needed to "
                    f"say anything about its information: leave the tier out or add items"
                )
            for number, state in enumerate(self.states):
                seen = self.clusters[judged & (self.outcome == number)]
                if len(seen) == 0:
                    raise InvalidInputError(
                        f"state {state!r} never occurs among the outcomes of tier {tier!r}: nothing can be said about "
                        f"it; leave its column out or add items"
                    )
                if len(np.unique(seen)) < FEWEST_OF_A_STATE:
                    raise InvalidInputError(
                        f"state {state!r} occurs in {len(np.unique(seen))} independent items of tier {tier!r}; at "
                        f"least {FEWEST_OF_A_STATE} are needed to recalibrate it on items left out: merge it with "
                        f"another state or add items"
                    )

    def __repr__(self) -> str:
        return f"Forecasts(items={len(self.items)}, tiers={self.tiers}, states={self.states})"


def _probabilities(forecasts: Array, tiers: Sequence[str], items: Sequence[str]) -> Array:
    """Forecasts that sum to one exactly, or a sentence on the first that can't be one."""
    with np.errstate(invalid="ignore"):
        outside = (forecasts < 0) | (forecasts > 1)
        sums = forecasts.sum(axis=2)
        off = np.abs(sums - 1) > tolerance.ROUNDED
    if outside.any():
        tier, item, state = np.argwhere(outside)[0]
        raise InvalidInputError(
            f"item {items[item]!r}, tier {tiers[tier]!r}: {forecasts[tier, item, state]:g} is no probability; it must "
            f"lie between 0 and 1"
        )
    if off.any():
        tier, item = np.argwhere(off)[0]
        raise InvalidInputError(
            f"item {items[item]!r}, tier {tiers[tier]!r}: the probabilities sum to {sums[tier, item]:.6g}, not to one; "
            f"check the columns, or divide each row by its sum"
        )
    return read_only(forecasts / sums[:, :, None])
