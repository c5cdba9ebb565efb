r"""Certainty: whether to stop.

With probability at least :math:`1 - \delta`, at all times at once, every effort's reports lie within the L1 radius
:math:`\epsilon_k` of their distribution (recommendation.py). On that event, for every effort k,

- a rule answered by i shows :math:`c_k - c_i \ge (q_k - q_i) \cdot s \ge (\hat q_k - \hat q_i) \cdot s
  - \tfrac12 (\epsilon_k + \epsilon_i) \operatorname{span}(s)`; let :math:`L_{ki}` be the largest of these;
- so whatever rule buys k has :math:`(\hat q_k - \hat q_i) \cdot s \ge L_{ki} - \tfrac12 (\epsilon_k + \epsilon_i) B`,
  and if v is the least payment :math:`\hat q_k \cdot s` of such a rule, k earns at most
  :math:`\hat q_k \cdot u - v + \tfrac12 \epsilon_k (\operatorname{span}(u) + B)`.

The recommended rule is within `gap` of the best if its profit is surely no further than that below the highest of these
limits. An effort that has never answered may be worth anything that a belief is worth, and has to be found first; where
the setting names no efforts, the promise is for those discovered. It is a promise about a rational agent: of one that
errs, nothing is sure.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scorewright.game import Setting
from scorewright.learn.opt_lp import opt_lp
from scorewright.learn.recommendation import l1_radius
from scorewright.rules import Polytope
from scorewright.validation import Array


def highest_profit(
    setting: Setting, counts: Array, expected: Array, answers: NDArray[np.intp], error: float, enough: float = np.inf
) -> float:
    """Return a limit that the best profit does not exceed, with probability at least ``1 - error`` at all times.

    Parameters
    ----------
    setting : Setting
    counts : (K, M) array
        Reports by effort.
    expected : (R, M) array
        Expected payments of the rules answered, and
    answers : (R,) array
        by which effort.
    error : float
    enough : float
        A limit above this is as good as any other above it: return the first one met.
    """
    terms, value, efforts = setting.terms, setting.value, len(counts)
    seen = counts.sum(axis=1)
    known = np.flatnonzero(seen > 0)
    if len(known) < efforts:
        return float(value.max())
    reach = terms.bound - float(terms.lowest.min())
    radius = np.array([l1_radius(int(n), efforts, counts.shape[1], error) for n in seen])
    shares = counts / seen[:, None]
    spans = np.ptp(expected, axis=1)
    paid = shares @ expected.T
    slack = radius / 2 * (np.ptp(value) + reach)
    for effort in range(efforts):  # what a rule seen to work earns, and the slack, is a limit's least
        rules = answers == effort
        if rules.any():
            least = float((shares[effort] @ (value[:, None] - expected[rules].T)).max() + slack[effort])
            if least > enough:
                return least
    unit = terms.bound or 1.0
    polytope = Polytope(terms.beliefs, terms.lowest / unit, terms.bound / unit)
    limits = []
    for effort in range(efforts):
        wanted = np.full(efforts, -np.inf)
        for rival in range(efforts):
            rules = answers == rival
            if rival != effort and rules.any():
                doubt = (radius[effort] + radius[rival]) / 2
                gaps = paid[effort, rules] - paid[rival, rules] - doubt * spans[rules]
                wanted[rival] = gaps.max() - doubt * reach
        found = opt_lp(polytope, effort, 0.0, shares, wanted, terms.bound)
        if found is not None:
            limits.append(float(shares[effort] @ value) - max(0.0, found[1]) + float(slack[effort]))
    return max(limits, default=float(value.max()))
