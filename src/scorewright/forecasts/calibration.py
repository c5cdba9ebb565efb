r"""Recalibration: from what was said to what it turned out to mean, judged on items that were left out.

A reported 0.9 is a belief of 0.9 only if such reports come true nine times in ten. Each tier gets a map from reports to
beliefs, fitted on the folds that an item is not in:

- ``beta`` (two states) and ``multinomial`` (any number) are logistic regressions of the outcome on the logarithms of
  the reported probabilities; for two states this is beta calibration, beyond it Dirichlet calibration;
- ``isotonic`` (two states) is any increasing map.

All of them contain the identity, towards which they are drawn a little: to the outcome of an item, weight one, its own
forecast is added as a fractional outcome of weight `TRUST`, or less in a large table: no more than `TRUSTED` items in
all, so that with ever more items the map is what they say. Much more would be better for the scores of a table that is
nearly calibrated, and worse for the game: beliefs would then claim an accuracy that the items do not have.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from scorewright import tolerance
from scorewright.errors import InvalidInputError, MissingExtraError
from scorewright.forecasts.table import Forecasts, Indices
from scorewright.validation import Array, member, read_only, whole

METHODS = ("auto", "beta", "isotonic", "multinomial")
TRUST = 0.1
"""Weight of an item's own forecast beside its outcome, at most."""

TRUSTED = 10
"""All the forecasts' weight together, at most: in items."""

Map = Callable[[Array], Array]


@dataclass(frozen=True)
class Calibrated:
    """Recalibrated forecasts.

    Attributes
    ----------
    forecasts : (K, N, W) array
        NaN where a tier did not judge an item.
    method : str or None
        What made them.
    folds : int
        In so many parts items were left out; 1: none were, the map was fitted to the items that it is applied to.
    """

    forecasts: Array
    method: str | None
    folds: int


def method_for(table: Forecasts, asked: str | None) -> str | None:
    """The method that is meant, or a sentence on why it can't be used."""
    if asked is None:
        return None
    if member(asked, "calibration", METHODS) == "auto":
        return "beta" if len(table.states) == 2 else "multinomial"
    if asked in ("beta", "isotonic") and len(table.states) != 2:
        raise InvalidInputError(f"{asked} calibration is for two states; with {len(table.states)} use 'multinomial'")
    return asked


def calibrate(table: Forecasts, asked: str | None, folds: int, chance: np.random.Generator) -> Calibrated:
    """Recalibrate every tier on items left out, clusters together."""
    method = method_for(table, asked)
    folds = whole(folds, "folds", least=1)
    if method is None:
        return Calibrated(table.forecasts, None, folds)
    needed = int(table.clusters.max()) + 1
    if folds > needed:
        raise InvalidInputError(f"{folds} folds need {folds} clusters of items; the table has {needed}")
    fold = _folds(table, folds, chance)
    found = np.full_like(table.forecasts, np.nan)
    for tier, judged in enumerate(table.judged):
        for part in range(folds):
            left = judged & (fold == part)
            used = judged & (fold != part) if folds > 1 else left
            said, came = table.forecasts[tier, used], table.outcome[used]
            found[tier, left] = fit(method, said, came, np.ones(len(said)))(table.forecasts[tier, left])
    return Calibrated(read_only(found), method, folds)


def fit(method: str, said: Array, came: Indices, weights: Array) -> Map:
    """Fit a map from forecasts (n, W) to beliefs on outcomes `came` (n,), items counting by `weights` (n,)."""
    states = said.shape[1]
    trust = min(TRUST, TRUSTED / float(weights.sum()))
    share = weights[:, None] * (np.eye(states)[came] + trust * said)  # of each state, as an outcome of the item
    label, weight = np.repeat(np.arange(states), len(said)), share.T.ravel()
    counts = weight > 0
    try:
        from sklearn.isotonic import IsotonicRegression
        from sklearn.linear_model import LogisticRegression
    except ImportError:
        raise MissingExtraError("recalibration needs scikit-learn: pip install 'scorewright[forecasts]'") from None
    if method == "isotonic":
        least = tolerance.RULED_OUT
        rising = IsotonicRegression(y_min=least, y_max=1 - least, out_of_bounds="clip")
        rising.fit(np.tile(said[:, 1], states)[counts], label[counts], sample_weight=weight[counts])

        def apply(forecasts: Array) -> Array:
            high = np.asarray(rising.predict(forecasts[:, 1]), dtype=np.float64)
            return np.column_stack([1 - high, high])

        return apply
    model: Any = LogisticRegression(C=1e3, solver="newton-cholesky", max_iter=100, tol=1e-6)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # an ill-conditioned step (forecasts that are all alike) is mended by itself
        model.fit(np.tile(_logs(said), (states, 1))[counts], label[counts], sample_weight=weight[counts])
    return lambda forecasts: np.asarray(model.predict_proba(_logs(forecasts)), dtype=np.float64)


def _logs(forecasts: Array) -> Array:
    result: Array = np.log(np.maximum(forecasts, tolerance.RULED_OUT))
    return result


def _folds(table: Forecasts, count: int, chance: np.random.Generator) -> Indices:
    """The part of each item: whole clusters, every outcome spread over all parts."""
    first = np.unique(table.clusters, return_index=True)[1]
    order = chance.permutation(len(first))
    order = order[np.argsort(table.outcome[first[order]], kind="stable")]
    part = np.empty(len(first), dtype=np.intp)
    part[order] = np.arange(len(first)) % count
    return part[table.clusters]
