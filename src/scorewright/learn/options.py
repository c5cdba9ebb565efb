"""Options: what it is worth to be able to use a rule whose profit is uncertain."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from scorewright.validation import Array

_SAMPLES = (0, 1 / 16, 1 / 4, 1, 4, 16)
"""Reports considered for an option, as multiples of those that there are."""


def option(
    ahead: Array, rest: Array, own: Array, chance: Array, seen: float, left: int, price: float | None = None
) -> tuple[Array, NDArray[np.int64]]:
    r"""Value of being able to use a rule whose lead over the incumbent is uncertain, and the reports to buy first.

    Worlds are of several kinds (leads.py), along the first axis: with chance p the lead is :math:`\mu`, give or take
    :math:`\sigma` (`own`) that comes from the n reports so far and :math:`\rho` (`rest`) that is resolved at once. With
    m more reports a share :math:`m / (n + m)` of what is uncertain is told, in variance: of which kind it is, and of
    each kind's lead. Then the better rule is kept:

    .. math:: \max_m \; (N - m) \sum_\text{kinds} p \, E \bigl[ \bigl( \bar\mu + \sqrt{\tfrac{m}{n + m}}
              (\mu - \bar\mu) + \text{step} \bigr)_+ \bigr] - m \, (-\bar\mu)_+ ,

    the step being normal with variance :math:`\rho^2 + \sigma^2 m / (n + m)`. A `price` per report other than the last
    factor may be given: the incumbent's own reports are free.
    """
    mean = np.tensordot(chance, ahead, axes=1)
    value, best = np.full(mean.shape, -np.inf), np.zeros(mean.shape, dtype=np.int64)
    each = np.maximum(-mean, 0) if price is None else price
    for multiple in _SAMPLES:
        samples = math.ceil(multiple * max(seen, 1))
        if samples >= left:
            break
        share = samples / (seen + samples) if samples else 0.0
        then_ahead = mean + math.sqrt(share) * (ahead - mean)
        hope = np.tensordot(chance, expected_gain(then_ahead, np.sqrt(rest**2 + own**2 * share)), axes=1)
        then = (left - samples) * hope - samples * each
        best = np.where(then > value, samples, best)
        value = np.maximum(then, value)
    return value, best


def boundary(far: float) -> float:
    r"""How many standard errors below zero a lead may be estimated and still be worth another report.

    With n reports, N rounds to come and :math:`x = N / n`, it is best to go on sampling one unknown arm beside a known
    one until its estimate is :math:`\sqrt{2 \log x - \log \log x - \log 16 \pi}` standard errors behind, for large x
    (Lai 1987, Annals of Statistics 15, from Chernoff and Ray's boundary); 0 where that is not defined.
    """
    square = 2 * math.log(far) - math.log(math.log(far)) - math.log(16 * math.pi) if far > math.e else 0.0
    return math.sqrt(max(square, 0.0))


def expected_gain(mean: Array, spread: Array) -> Array:
    r"""E[max(X, 0)] for a normal X: :math:`\sigma \psi(\mu / \sigma)` with :math:`\psi(z) = \phi(z) + z \Phi(z)`."""
    spread = np.maximum(spread, 1e-15)
    z = mean / spread
    tail = np.exp(np.interp(np.abs(z), _AT, _LOG_TAIL, right=-np.inf))
    result: Array = spread * (np.maximum(z, 0) + tail)
    return result


_AT = np.linspace(0, 30, 6001)
"""Where the logarithm of psi(-z) is tabulated, which is smooth: psi comes out right to a millionth of itself."""

_LOG_TAIL = np.array(
    [
        math.log(1 / math.sqrt(2 * math.pi) - z * math.exp(z * z / 2) * math.erfc(z / math.sqrt(2)) / 2) - z * z / 2
        for z in _AT.tolist()
    ]
)
