r"""Insurance: an effort that looks worse is asked again while chance may still be the reason.

It was seen n times, and its best rule looks worse than the incumbent, which is known well. With N rounds to come there
is a best moment to stop asking (`boundary`): as soon as the chance that it is better after all is small enough. That
chance is a tail of what its reports may have been drawn from (`log_chance`), and with few reports such a tail is
nothing like a normal one: an effort may bring beliefs that it was never seen to bring.
"""

from __future__ import annotations

import math

import numpy as np

from scorewright.validation import Array

_HALVINGS = 40


def boundary(far: float) -> float:
    r"""How many standard errors below zero a lead may be estimated and still be worth another report.

    With n reports, N rounds to come and :math:`x = N / n`, it is best to go on sampling one unknown arm beside a known
    one until its estimate is :math:`\sqrt{2 \log x - \log \log x - \log 16 \pi}` standard errors behind, for large x
    (Lai 1987, Annals of Statistics 15, from Chernoff and Ray's boundary); 0 where that is not defined.
    """
    square = 2 * math.log(far) - math.log(math.log(far)) - math.log(16 * math.pi) if far > math.e else 0.0
    return math.sqrt(max(square, 0.0))


def log_chance(parameters: Array, earned: Array, lead: float, error: float) -> float:
    r"""Logarithm of the chance that an effort which looks worse is better, by its reports: at most, and at most 0.

    Before the answers are listened to, the effort's reports q have in each world a Dirichlet density, and its rule
    earns :math:`q \cdot v`, with mean :math:`\mu` and standard deviation s over all worlds. The answers tell more: with
    them its best rule leads by `lead`, give or take `error`. The doubt that is left is taken to be of the same shape,

    .. math:: q \cdot x \quad \text{with} \quad x_m = \text{lead} + \frac{\text{error}}{s} (v_m - \mu) ,

    and its tail is averaged over the worlds (`log_tail`). A lead z standard errors below zero has :math:`-z^2 / 2`
    where q is nearly normal.

    Parameters
    ----------
    parameters : (worlds, M) array
        Of each world's Dirichlet density: reports, and its prior.
    earned : (M,) array
        v, what each belief earns under the effort's best rule so far.
    lead, error : float
        What its best rule earns beyond the incumbent's, and the standard deviation of that which its reports decide.
    """
    if lead >= 0:
        return 0.0
    total = parameters.sum(axis=1)
    means = parameters @ earned / total
    apart = earned - means[:, None]
    variance = float(((parameters * apart**2).sum(axis=1) / (total * (total + 1))).mean() + means.var())
    if variance <= 0:
        return -math.inf
    logs = log_tail(parameters, lead + error / math.sqrt(variance) * (earned - means.mean()))
    return float(np.logaddexp.reduce(logs)) - math.log(len(logs))


def log_tail(parameters: Array, lead: Array) -> Array:
    r"""Limit the chance that :math:`q \cdot x > 0` for Dirichlet q: its logarithm, for each row of parameters.

    q is a row of gamma variables over their sum, so :math:`q \cdot x > 0` where :math:`\sum_m g_m x_m > 0`, and
    Chernoff's bound on that is

    .. math:: \min_{0 \le \lambda < 1 / \max x} \; - \sum_m a_m \log (1 - \lambda x_m) .

    With reports for parameters it is n times the divergence in Lai and Robbins' bound.
    """
    if lead.max() <= 0:
        return np.full(len(parameters), -np.inf)
    low, high = np.zeros((len(parameters), 1)), np.full((len(parameters), 1), 1 / float(lead.max()))
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        falls = (parameters * lead / (1 - middle * lead)).sum(axis=1, keepdims=True) < 0
        low, high = np.where(falls, middle, low), np.where(falls, high, middle)
    result: Array = -(parameters * np.log1p(-low * lead)).sum(axis=1)
    return result
