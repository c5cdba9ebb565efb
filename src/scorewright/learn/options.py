"""Options: what it is worth to be able to use a rule whose profit is uncertain."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from scorewright.validation import Array

_SAMPLES = (0, 1 / 16, 1 / 4, 1, 4, 16)
"""Reports considered for an option, as multiples of those that there are."""


def option(
    ahead: Array, rest: float, own: Array | float, seen: float, left: int, price: float | None = None
) -> tuple[Array, NDArray[np.int64]]:
    r"""Value of being able to use a rule whose lead over the incumbent is uncertain, and the reports to buy first.

    With m more reports, the lead's estimate moves by a normal step of variance
    :math:`\rho^2 + \sigma^2 m / (n + m)`, where sigma (`own`) comes from the n reports so far and rho (`rest`) is
    resolved at once; then the better rule is kept:

    .. math:: \max_m \; (N - m) \, E[(\mu + \text{step})_+] - m \, (-\mu)_+ .

    A `price` per report other than the last factor may be given: the incumbent's own reports are free.
    """
    value, best = np.full(np.shape(ahead), -np.inf), np.zeros(np.shape(ahead), dtype=np.int64)
    each = np.maximum(-ahead, 0) if price is None else price
    for multiple in _SAMPLES:
        samples = math.ceil(multiple * max(seen, 1))
        if samples >= left:
            break
        share = samples / (seen + samples) if samples else 0.0
        hope = expected_gain(ahead, np.sqrt(rest**2 + np.square(own) * share))
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
