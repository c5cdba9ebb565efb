r"""Properness: when the truth pays best.

A rule pays :math:`S(\sigma_j, \omega)` for report :math:`\sigma_j` in state :math:`\omega`. It is proper on the support
when

.. math:: \langle \sigma_i,\, S_i - S_j \rangle \ge 0 \qquad \text{for all } i, j,

and :math:`\beta`-strongly proper when each of these slacks is at least
:math:`\tfrac{\beta}{2} \lVert \sigma_i - \sigma_j \rVert_1^2`.

Any menu of rows becomes proper when every belief is given its best row: that one idea (the revelation principle on a
finite support) extends a rule to reports off the support, repairs a truncated logarithm, and rounds a rule to cents.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scorewright import tolerance
from scorewright.validation import Array

_CELLS = 4_000_000
"""Numbers that `least_slack` looks at together."""


def slacks(payments: Array, beliefs: Array) -> Array:
    """What belief i loses by reporting j instead of the truth: (M, M), zero on the diagonal."""
    gains = beliefs @ payments.T
    result: Array = np.diagonal(gains)[:, None] - gains
    return result


def least_slack(payments: Array, beliefs: Array) -> float:
    """The least of the slacks between two beliefs, without the (M, M) matrix of them; inf for a single belief.

    Beliefs that share a row of payments are compared with it once.
    """
    menu, row, shared = np.unique(payments, axis=0, return_inverse=True, return_counts=True)
    row = row.ravel()
    least = np.inf
    step = max(1, _CELLS // len(menu))
    for start in range(0, len(beliefs), step):
        own = row[start : start + step]
        each = np.arange(len(own))
        gains = beliefs[start : start + step] @ menu.T
        kept = gains[each, own]
        gains[each, own] = np.where(shared[own] > 1, kept, -np.inf)
        least = min(least, float((kept - gains.max(axis=1)).min()))
    return least


def distances(beliefs: Array) -> Array:
    """L1 distances between beliefs, (M, M)."""
    result: Array = np.zeros((len(beliefs), len(beliefs)))
    for chances in beliefs.T:  # state by state: (M, M, W) numbers at once are too many for thousands of beliefs
        result += np.abs(chances[:, None] - chances)
    return result


def distinct(beliefs: Array) -> NDArray[np.bool_]:
    """Which ordered pairs of beliefs differ by more than the merging tolerance in some state, (M, M)."""
    result = np.zeros((len(beliefs), len(beliefs)), dtype=np.bool_)
    for chances in beliefs.T:
        result |= np.abs(chances[:, None] - chances) > tolerance.MERGE
    return result


def best_rows(menu: Array, beliefs: Array) -> NDArray[np.intp]:
    """Row of `menu` (R, W) that each belief likes best, (M,); the first of equals."""
    result: NDArray[np.intp] = np.argmax(beliefs @ menu.T, axis=1)
    return result


def envelope(menu: Array, beliefs: Array) -> Array:
    """Proper payments (M, W) that give every belief its best row of `menu` (R, W)."""
    result: Array = menu[best_rows(menu, beliefs)]
    return result
