r"""Opt-LP: the optimistic version of LP_k.

Over proper rules S and a payment v (free in sign), maximise :math:`\hat q_k \cdot u + B_u I_q(k) - v` subject to

.. math:: |v - \hat v_S(k)| \le B_S I_q(k), \qquad
          v - \hat v_S(i) \ge r_i = \hat C(k, i) - I_c(k, i) - B_S I_q(i) \quad (i \ne k).

Since payments are nonnegative, :math:`v \ge \max(-B_S I_q(k), \max_i r_i)` for every rule; the zero rule attains this
whenever :math:`\max_i r_i \le B_S I_q(k)`, and is then optimal. Otherwise it is not even feasible, and the kernel
solves the program by column generation (opt_lp.c): the optimal vertex reached from the basis of the effort's last
program is deployed. What the kernel can't decide safely comes here, to HiGHS, whose dual simplex method then chooses
the vertex. Infeasible programs fall back on the oracle rule.
"""

from __future__ import annotations

import numpy as np

from scorewright.program import Program
from scorewright.rules import Polytope
from scorewright.validation import Array


def opt_lp(
    polytope: Polytope, effort: int, room: float, information: Array, relaxed: Array, bound: float
) -> tuple[Array, float] | None:
    """Solve Opt-LP by HiGHS; return payments (M, W) and the payment v, or None if it is infeasible.

    Parameters
    ----------
    polytope : Polytope
        The proper rules, in units of `bound` (the unit in which the program is solved).
    effort : int
        k.
    room : float
        ``B_S I_q(k)``.
    information : (K, M) array
    relaxed : (K,) array
        The right-hand sides ``r_i``: minus infinity at k itself and where nothing is known.
    bound : float
    """
    if relaxed.max() <= room:
        return np.zeros(polytope.beliefs.shape), max(-room, float(relaxed.max()))
    unit = bound or 1.0
    known = np.flatnonzero(np.isfinite(relaxed))
    chances = information[[effort, effort, *known]]
    signs = np.array([1.0, -1.0, *(-1.0 for _ in known)])
    paid = (signs[:, None] * chances)[:, :, None] * polytope.beliefs
    rows = np.hstack([paid.reshape(len(signs), -1), -signs[:, None]])
    least = np.array([-room, -room, *relaxed[known]]) / unit
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
    return vertex.point[:-1].reshape(polytope.beliefs.shape) * unit, float(vertex.point[-1]) * unit
