r"""The agent's best response.

The agent's surplus under rule :math:`S` and effort :math:`k` is :math:`g(k, S) = q_k \cdot s - c_k`, and the
principal's profit :math:`q_k \cdot (u - s)`, with :math:`s_i = \langle \sigma_i, S_i \rangle`. Efforts whose surplus is
within `tolerance.TIE` of the best are all best responses; the one that the principal likes best is played (strong
Stackelberg), the first of equals.
"""

from __future__ import annotations

import numpy as np

from scorewright import tolerance
from scorewright.validation import Array


def best_response(surplus: Array, profit: Array, bound: float) -> int:
    """Effort played, given the agent's surplus (K,) and the principal's profit (K,) under each."""
    slack = tolerance.TIE * tolerance.scale(bound)
    tied = surplus >= surplus.max() - slack
    best = profit[tied].max()
    return int(np.argmax(tied & (profit >= best - slack)))
