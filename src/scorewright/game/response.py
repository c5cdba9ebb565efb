r"""The agent's best response.

The agent's surplus under rule :math:`S` and effort :math:`k` is :math:`g(k, S) = q_k \cdot s - c_k`, and the
principal's profit :math:`q_k \cdot (u - s)`, with :math:`s_i = \langle \sigma_i, S_i \rangle`. Efforts whose surplus is
within `tolerance.TIE` of the best are all best responses; the one that the principal likes best is played (strong
Stackelberg), the first of equals.
"""

from __future__ import annotations

from scorewright import kernel, tolerance
from scorewright.validation import Array


def best_response(paid: Array, costs: Array, worth: Array, bound: float) -> int:
    """Effort played, given what each is paid (K,), costs the agent (K,) and is worth to the principal (K,)."""
    return kernel.respond(paid - costs, worth - paid, tie(bound))


def tie(bound: float) -> float:
    """Within which of the largest surplus efforts are all best responses."""
    return tolerance.TIE * tolerance.scale(bound)
