r"""Information: how often each tier holds each belief of the support.

A tier's shares :math:`q_k` are those under which the support measures, on the `Gauge`, what the tier's recalibrated
forecasts measure, by nonnegative least squares; its mean belief is kept exactly. Where effort does not move the state
(``exogenous``) that mean is the base rate of the outcomes, common to all tiers. The beliefs themselves are then moved
to where this succeeds best, from the cells of `binning` on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scorewright import tolerance
from scorewright.errors import MissingExtraError
from scorewright.forecasts.gauge import Gauge
from scorewright.validation import Array, read_only

MEAN = 1e3
"""How much more a mean belief off by a little counts than a measure of the gauge."""

NEAR = 0.02
"""How little it counts that shares differ from those of the forecasts nearest to each belief: it settles ties."""

STEPS = 40
NEWTON = 50


@dataclass(frozen=True)
class Sample:
    """Forecasts (n, W), how much each counts (n,), and the mean belief (W,) that they stand for."""

    forecasts: Array
    chances: Array
    mean: Array


@dataclass(frozen=True)
class Menu:
    """The beliefs (M, W) that all tiers report from, and the gauge by which information is kept."""

    beliefs: Array
    gauge: Gauge

    def information(self, sample: Sample) -> Array:
        """The shares (M,) of the beliefs that stand for a tier's forecasts."""
        mean = self._inside(sample.mean)
        distance = np.square(self.beliefs).sum(axis=1) - 2 * sample.forecasts @ self.beliefs.T
        nearest = np.bincount(distance.argmin(axis=1), sample.chances, minlength=len(self.beliefs))
        rows = np.concatenate([self._rows(), NEAR * np.eye(len(nearest))])
        aims = np.concatenate([self._aims(sample, mean), NEAR * nearest])
        shares: Array = _scipy().nnls(rows, aims)[0]
        for _ in range(3):  # the mean to the last digits; shares that are zero stay zero
            spread = self.beliefs.T * shares
            move = np.linalg.lstsq(spread @ self.beliefs, mean - self.beliefs.T @ shares, rcond=None)[0]
            shares = np.maximum(shares * (1 + self.beliefs @ move), 0.0)
        return read_only(shares / shares.sum())

    def polished(self, samples: Sequence[Sample]) -> Menu:
        """The menu with its beliefs moved to where they stand best for all the samples (by L-BFGS)."""
        scipy, shape = _scipy(), self.beliefs.shape
        aims = [self._aims(sample, sample.mean) for sample in samples]

        def menu(point: Array) -> Menu:
            raised = np.exp(point.reshape(shape) - point.reshape(shape).max(axis=1, keepdims=True))
            return Menu(raised / raised.sum(axis=1, keepdims=True), self.gauge)

        def loss(point: Array) -> tuple[float, Array]:
            tried, slope, total = menu(point), np.zeros(shape), 0.0
            rows, slopes = tried._rows(), tried.gauge.slopes(tried.beliefs)
            for aim in aims:
                shares = scipy.nnls(rows, aim)[0]
                missed = rows @ shares - aim  # the shares are at their best, so only the beliefs' own slopes count
                total += float(missed @ missed)
                measured, mean = np.split(missed, [slopes.shape[1]])
                slope += 2 * shares[:, None] * (np.einsum("mfw,f->mw", slopes, measured) + MEAN * mean)
            inner = tried.beliefs * (slope - (tried.beliefs * slope).sum(axis=1, keepdims=True))  # through the softmax
            return total, inner.ravel()

        start = np.log(np.maximum(self.beliefs, tolerance.RULED_OUT)).ravel()
        found = scipy.minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": STEPS})
        return menu(found.x)

    def _rows(self) -> Array:
        """What the beliefs measure on the gauge, and their own entries, (F + W, M)."""
        return np.concatenate([self.gauge.values(self.beliefs).T, MEAN * self.beliefs.T])

    def _aims(self, sample: Sample, mean: Array) -> Array:
        """What the forecasts measure on the gauge, and the mean, (F + W,)."""
        return np.concatenate([sample.chances @ self.gauge.values(sample.forecasts), MEAN * mean])

    def _inside(self, mean: Array) -> Array:
        """The mean nearest to `mean` that the beliefs can have at all."""
        rows = np.concatenate([self.beliefs.T, np.full((1, len(self.beliefs)), MEAN)])
        weights: Array = _scipy().nnls(rows, np.append(mean, MEAN))[0]
        reached: Array = weights @ self.beliefs / weights.sum()
        return mean if np.abs(reached - mean).max() <= tolerance.TIE else reached


def with_mean(forecasts: Array, chances: Array, mean: Array) -> Array:
    r"""Forecasts (n, W) moved to a given mean by one factor per state: :math:`p_w \propto p_w e^{\alpha_w}`.

    This is what another base rate does to posteriors. Where no factors reach the mean (forecasts of zero and one), they
    get as near as Newton's steps lead.
    """
    moved, gap = forecasts, mean - chances @ forecasts
    for _ in range(NEWTON):
        if np.abs(gap).max() <= tolerance.ROUNDING:
            break
        slope = np.diag(chances @ moved) - (chances[:, None] * moved).T @ moved
        step = np.clip(np.linalg.lstsq(slope, gap, rcond=tolerance.TIE)[0], -1.0, 1.0)
        trial = moved * np.exp(step)
        trial /= trial.sum(axis=1, keepdims=True)
        left = mean - chances @ trial
        if np.abs(left).max() >= np.abs(gap).max():
            break
        moved, gap = trial, left
    return moved


def _scipy() -> Any:
    try:
        from scipy import optimize
    except ImportError:
        raise MissingExtraError("forecast tables need scipy: pip install 'scorewright[forecasts]'") from None
    return optimize
