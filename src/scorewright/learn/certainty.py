r"""Certainty: whether to stop.

The reports of effort k are independent draws from :math:`q_k`, so their likelihood under any mixture of distributions
over their likelihood under :math:`q_k` is a martingale with mean one. With the Dirichlet mixtures of priors.py that
says (Ville): with probability at least :math:`1 - \delta`, for all efforts and at all times at once,

.. math:: KL(\hat q_k, q_k) \le \kappa_k = \frac1{n_k} \Bigl( \log \frac{(k + 1)(k + 2)}{\delta}
          + \log \frac{\max_q L(q)}{\text{mixture}} \Bigr) ,

the efforts counted from 0. On that event every mean :math:`q_k \cdot x` has the limits of `highest_mean`, and, as L1
distances are at most :math:`\epsilon_k = \sqrt{2 \kappa_k}`, for every effort k,

- it earns at most the highest mean of u, paid nothing;
- a rule answered by i shows :math:`c_k - c_i \ge (q_k - q_i) \cdot s \ge (\hat q_k - \hat q_i) \cdot s
  - \tfrac12 (\epsilon_k + \epsilon_i) \operatorname{span}(s)`; let :math:`L_{ki}` be the largest of these;
- so whatever rule buys k has :math:`(\hat q_k - \hat q_i) \cdot s \ge L_{ki} - \tfrac12 (\epsilon_k + \epsilon_i) B`,
  and if v is the least payment :math:`\hat q_k \cdot s` of such a rule, k earns at most
  :math:`\hat q_k \cdot u - v + \tfrac12 \epsilon_k (\operatorname{span}(u) + B)`.

The recommended rule is within `gap` of the best if its profit is surely no further than that below the highest of these
limits. An effort that has never answered may be worth anything that a belief is worth; where the setting names no
efforts, the promise is for those discovered. It is a promise about a rational agent: of one that errs, nothing is sure.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from scorewright.game import Setting
from scorewright.learn.opt_lp import opt_lp
from scorewright.learn.priors import PRIORS, evidence
from scorewright.learn.recommendation import Recommendation
from scorewright.rules import Polytope
from scorewright.validation import Array


def near_the_best(
    setting: Setting, counts: Array, expected: Array, answers: NDArray[np.intp], settled: Recommendation, gap: float
) -> bool:
    """Whether a recommended rule is within `gap` of the best, with the probability that it was recommended with."""
    error, own = 1 - settled.probability, counts[settled.effort]
    profit = setting.value - settled.rule.expected
    least = lowest_mean(own / own.sum(), profit, float(divergences(counts, error)[settled.effort]))
    if settled.profit - least > gap:
        return False
    return highest_profit(setting, counts, expected, answers, error, least + gap) <= least + gap


def divergences(counts: Array, error: float) -> Array:
    """Return kappa: how far each effort's reports may be from their distribution, (K,); infinite if there are none."""
    found = np.full(len(counts), np.inf)
    for effort, row in enumerate(counts):
        reports = row[row > 0]
        if len(reports):
            likeliest = float(reports @ np.log(reports / reports.sum()))
            mixture = float(np.logaddexp.reduce(evidence(row))) - math.log(len(PRIORS))
            found[effort] = (math.log((effort + 1) * (effort + 2) / error) + likeliest - mixture) / reports.sum()
    return found


def highest_mean(shares: Array, values: Array, divergence: float) -> float:
    r"""Return :math:`\sup \{ q \cdot x : KL(\hat q, q) \le \kappa \}`, or a little more.

    By duality it is :math:`\min_{\nu \ge \max x} \nu - \exp(\hat q \cdot \log(\nu - x) - \kappa)`, and each nu a limit.
    """
    top, span = float(values.max()), float(np.ptp(values))
    if span == 0 or math.isinf(divergence):
        return top
    seen = shares > 0
    weights, below = shares[seen], (top - values[seen]) / span

    def dual(height: Array) -> Array:
        result: Array = height - np.exp(weights @ np.log(below[:, None] + height) - divergence)
        return result

    heights = np.exp(np.linspace(-30, 10, 81))
    for _ in range(4):
        at = int(np.argmin(dual(heights)))
        heights = np.linspace(heights[max(at - 1, 0)], heights[min(at + 1, len(heights) - 1)], 81)
    return top + span * min(0.0, float(dual(heights).min()))


def lowest_mean(shares: Array, values: Array, divergence: float) -> float:
    """Return the least mean within the same distance, or a little less."""
    return -highest_mean(shares, -values, divergence)


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
    divergence = divergences(counts, error)
    shares = counts / np.maximum(seen, 1)[:, None]
    limits = np.array([highest_mean(share, value, far) for share, far in zip(shares, divergence, strict=True)])
    if limits.max() <= enough or not (seen > 0).all():
        return float(limits.max())
    reach, radius = terms.bound - float(terms.lowest.min()), np.sqrt(2 * divergence)
    spans, paid = np.ptp(expected, axis=1), shares @ expected.T
    slack = radius / 2 * (np.ptp(value) + reach)
    unit = terms.bound or 1.0
    polytope = Polytope(terms.beliefs, terms.lowest / unit, terms.bound / unit)
    for effort in np.flatnonzero(limits > enough).tolist():
        earned = float(shares[effort] @ value)
        least = float(paid[effort, answers == effort].min(initial=np.inf))  # no program asks for more than this
        if earned - least + slack[effort] > enough:
            return float(limits[effort])
        wanted = np.full(efforts, -np.inf)
        for rival in range(efforts):
            rules = answers == rival
            if rival != effort and rules.any():
                doubt = (radius[effort] + radius[rival]) / 2
                gaps = paid[effort, rules] - paid[rival, rules] - doubt * spans[rules]
                wanted[rival] = gaps.max() - doubt * reach
        found = opt_lp(polytope, effort, 0.0, shares, wanted, terms.bound)
        paid_at_least = np.inf if found is None else max(0.0, found[1])
        limits[effort] = min(limits[effort], earned - paid_at_least + slack[effort])
    return float(limits.max())
