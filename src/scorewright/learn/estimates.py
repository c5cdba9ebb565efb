r"""What the rounds so far say about information and cost gaps.

- Information: :math:`\hat q_k`, the share of each report among the rounds with effort k, and its radius
  :math:`I_q(k)`.
- Cost gaps: effort i answered rule :math:`S_\tau`, so :math:`c_i - c_j \le v_{S_\tau}(i) - v_{S_\tau}(j)`. With
  :math:`D(i, j) = \min_{\tau: k_\tau = i} \hat v_{S_\tau}(i) - \hat v_{S_\tau}(j)` over all past rules at the current
  :math:`\hat q`, and :math:`R = B_S (I_q(i) + I_q(j))`,

  .. math:: C_+(i, j) = D(i, j) + R, \quad C_-(i, j) = -D(j, i) - R, \quad
     \theta = \tfrac12 (C_+ + C_-), \quad \varphi = \max(\tfrac12 (C_+ - C_-), 0).

- Each gap is read off the shortest path under edge length :math:`\varphi`: :math:`\hat C` is the sum of theta along it,
  :math:`I_c` the sum of phi. Equally long paths are common once some phi are zero (answers that contradict the current
  estimates), and differ in theta: the direct edge wins, then the path found first in Floyd and Warshall's order, a
  detour being taken only if it is shorter by more than `tolerance.ROUNDING`.

The kernel computes all this (estimates.c), D in gaps.c.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scorewright.kernel import Memory
from scorewright.validation import Array, read_only


@dataclass(frozen=True, eq=False)
class Estimates:
    """What is known at the start of a round.

    Attributes
    ----------
    information : (K, M) array
        Share of each report per effort; zeros for an effort never seen.
    radius : (K,) array
        L1 radius around each row; infinite for an effort never seen.
    cost_gap, cost_radius : (K, K) arrays
        ``c_i - c_j`` and its radius; where nothing is known the gap is 0 and the radius infinite.
    counts : (K,) array
        Rounds per effort.
    """

    information: Array
    radius: Array
    cost_gap: Array
    cost_radius: Array
    counts: Array


def estimate(memory: Memory, time: int) -> Estimates:
    """Estimates at the start of round `time`."""
    information, radius, gap, spread, _ = memory.estimates(time)
    counts = memory.counts.sum(axis=1).astype(np.float64)
    return Estimates(*(read_only(part) for part in (information, radius, gap, spread, counts)))
