r"""Opt-LP: the optimistic version of LP_k.

Over proper rules S and a payment v (free in sign), maximise :math:`\hat q_k \cdot u + B_u I_q(k) - v` subject to

.. math:: |v - \hat v_S(k)| \le B_S I_q(k), \qquad
          v - \hat v_S(i) \ge r_i = \hat C(k, i) - I_c(k, i) - B_S I_q(i) \quad (i \ne k).

Since payments are nonnegative, :math:`v \ge \max(-B_S I_q(k), \max_i r_i)` for every rule; the zero rule attains this
whenever :math:`\max_i r_i \le B_S I_q(k)`, and is then optimal. Otherwise it is not even feasible, and HiGHS decides:
the vertex that its dual simplex method ends in is the one deployed. Infeasible programs fall back on the oracle rule.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scorewright.learn.estimates import Estimates
from scorewright.program import Program
from scorewright.rules import Polytope
from scorewright.validation import Array


@dataclass(frozen=True, eq=False)
class Optimistic:
    """An optimal solution of Opt-LP_k: payments (M, W), and the payment v."""

    payments: Array
    payment: float


def relaxed_gaps(estimates: Estimates, effort: int, bound: float) -> Array:
    """The right-hand sides ``r_i``, (K,): minus infinity at k itself and where nothing is known."""
    with np.errstate(invalid="ignore"):
        gaps = estimates.cost_gap[effort] - estimates.cost_radius[effort] - bound * estimates.radius
    gaps[effort] = -np.inf
    return np.where(np.isnan(gaps), -np.inf, gaps)


def opt_lp(polytope: Polytope, estimates: Estimates, effort: int, bound: float) -> Optimistic | None:
    """Solve Opt-LP for `effort`; None if it is infeasible.

    Parameters
    ----------
    polytope : Polytope
        The proper rules, in units of `bound` (the unit in which the program is solved).
    estimates : Estimates
    effort : int
    bound : float
    """
    gaps = relaxed_gaps(estimates, effort, bound)
    room = bound * estimates.radius[effort]
    if gaps.max() <= room:
        return Optimistic(np.zeros(polytope.beliefs.shape), max(-room, float(gaps.max())))
    unit = bound or 1.0
    known = np.flatnonzero(np.isfinite(gaps))
    chances = estimates.information[[effort, effort, *known]]
    signs = np.array([1.0, -1.0, *(-1.0 for _ in known)])
    paid = (signs[:, None] * chances)[:, :, None] * polytope.beliefs
    rows = np.hstack([paid.reshape(len(signs), -1), -signs[:, None]])
    least = np.array([-room, -room, *gaps[known]]) / unit
    reach = 2 + room / unit
    program = Program(
        np.append(np.zeros(polytope.beliefs.size), 1.0),
        polytope.rows.over(rows, least),
        np.append(polytope.lowest.ravel(), -reach),
        np.append(np.full(polytope.beliefs.size, polytope.highest), reach),
    )
    vertex = program.solve()
    if vertex is None:
        return None
    return Optimistic(vertex.point[:-1].reshape(polytope.beliefs.shape) * unit, float(vertex.point[-1]) * unit)
