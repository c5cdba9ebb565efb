"""From a table to an information structure: recalibrated, forced to the base rate, binned; and again on a resample."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scorewright.errors import InvalidInputError
from scorewright.forecasts.binning import support
from scorewright.forecasts.calibration import Calibrated, calibrate, fit
from scorewright.forecasts.gauge import Gauge
from scorewright.forecasts.information import Menu, Sample, with_mean
from scorewright.forecasts.table import Forecasts
from scorewright.validation import Array, number, read_only, whole


@dataclass(frozen=True)
class Recipe:
    """How an information structure is made from a table.

    Attributes
    ----------
    beliefs : int
        Beliefs in the support, at most.
    tolerance : float or None
        If given, as few beliefs as lose no more than this (see `binning`), whatever `beliefs` says.
    calibration : str or None
        "auto" (beta for two states, multinomial beyond), "beta", "isotonic", "multinomial", or None for none.
    folds : int
        Recalibration leaves items out in so many parts.
    exogenous : bool or None
        Effort does not move the state: every tier has the base rate for its mean belief. None: if all tiers judge the
        same items.
    """

    beliefs: int = 8
    tolerance: float | None = None
    calibration: str | None = "auto"
    folds: int = 5
    exogenous: bool | None = None

    def __post_init__(self) -> None:
        whole(self.beliefs, "beliefs", least=2, most=1000)
        if self.tolerance is not None:
            number(self.tolerance, "tolerance", above=0)


@dataclass(frozen=True)
class Model:
    """An information structure and what it was made of.

    Attributes
    ----------
    table : Forecasts
    calibrated : Calibrated
    exogenous : bool
    menu : Menu
        Its support.
    information : (K, M) array
    loss : float
        What the cells lose, as `binning` defines it.
    """

    table: Forecasts
    calibrated: Calibrated
    exogenous: bool
    menu: Menu
    information: Array
    loss: float

    def resampled(self, weights: Array) -> Array:
        """The information (K, M) that items counting by `weights` (N,) give, recalibrated anew, on the same support."""
        return _information(self.menu, self.samples(weights))

    def samples(self, weights: Array) -> list[Sample]:
        """Each tier's forecasts as a resample shows them: the map is fitted to the items that count."""
        after, method = self.calibrated.forecasts.copy(), self.calibrated.method
        for tier, judged in enumerate(self.table.judged):
            used = judged & (weights > 0)
            if method is not None and used.any():
                said, came = self.table.forecasts[tier, used], self.table.outcome[used]
                after[tier, used] = fit(method, said, came, weights[used])(said)
        return samples(self.table, after, weights, self.exogenous)


def made(table: Forecasts, recipe: Recipe, utility: Array, chance: np.random.Generator) -> Model:
    """Make the information structure of a table for a principal with this utility (A, W)."""
    exogenous = _exogenous(table, recipe.exogenous)
    return binned(table, calibrate(table, recipe.calibration, recipe.folds, chance), exogenous, recipe, utility)


def binned(table: Forecasts, calibrated: Calibrated, exogenous: bool, recipe: Recipe, utility: Array) -> Model:
    """The same from forecasts that have been recalibrated."""
    tiers = samples(table, calibrated.forecasts, np.ones(len(table.items)), exogenous)
    pooled = np.concatenate([tier.forecasts for tier in tiers])
    chances = np.concatenate([tier.chances for tier in tiers])
    found = support(pooled, chances, utility, None if recipe.tolerance else recipe.beliefs, recipe.tolerance)
    menu = Menu(found.beliefs, Gauge.across(pooled, utility)).polished(tiers)
    information = _information(menu, tiers)
    held = information.max(axis=0) > 0
    if not held.all():
        menu, information = Menu(menu.beliefs[held], menu.gauge), information[:, held]
    return Model(table, calibrated, exogenous, menu, read_only(information), found.loss)


def samples(table: Forecasts, forecasts: Array, weights: Array, exogenous: bool) -> list[Sample]:
    """Each tier's forecasts (n, W) with how much they count, moved to the base rate where that is common."""
    base = weights @ table.happened / weights.sum()
    made = []
    for tier, judged in enumerate(table.judged):
        used = judged & (weights > 0)
        chances = weights[used] / weights[used].sum()
        own = forecasts[tier, used]
        moved = with_mean(own, chances, base) if exogenous else own
        made.append(Sample(moved, chances, base if exogenous else chances @ own))
    return made


def _information(menu: Menu, tiers: list[Sample]) -> Array:
    return np.array([menu.information(tier) for tier in tiers])


def _exogenous(table: Forecasts, asked: bool | None) -> bool:
    """Whether effort leaves the state alone; items that lack a tier are an oversight unless no two tiers share any."""
    if asked is False or table.paired:
        return asked is not False
    if table.judged.sum(axis=0).max() == 1:  # each tier has items of its own
        return bool(asked)
    tier, item = np.argwhere(~table.judged)[0]
    raise InvalidInputError(
        f"item {table.items[item]!r} has no forecast in tier {table.tiers[tier]!r}: give every item every tier, or say "
        f"exogenous=False if tiers are meant to judge different items"
    )
