r"""The classic scoring rules, scaled into [0, bound].

For a report :math:`p` and the state :math:`\omega` that occurs, with :math:`B` the bound:

===========  ========================================================================
quadratic    :math:`\tfrac{B}{2}\,(1 + 2 p_\omega - \lVert p \rVert_2^2)` (Brier)
spherical    :math:`B\, p_\omega / \lVert p \rVert_2`
logarithmic  :math:`B\,(1 - \log p_\omega / \log \varepsilon)`, truncated at :math:`\varepsilon`
V-shaped     a bet on one state at the prior's odds
linear       a share of the principal's utility
===========  ========================================================================

References
----------
Gneiting and Raftery (2007), "Strictly proper scoring rules, prediction, and estimation", gives the first three;
Li, Hartline, Shan and Wu (2022), "Optimization of scoring rules", the V-shaped one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scorewright.errors import InvalidInputError
from scorewright.rules.properness import envelope
from scorewright.rules.rule import Rule
from scorewright.validation import Array, number, probabilities, table


def quadratic(beliefs: Any, bound: float) -> Rule:
    """Quadratic (Brier) rule: strictly proper, from 0 for certainty in a wrong state to `bound` for the right one.

    Examples
    --------
    >>> quadratic([[0.5, 0.5], [1, 0]], bound=1).payments.tolist()
    [[0.75, 0.75], [1.0, 0.0]]
    """
    p, bound = _support(beliefs), number(bound, "bound", least=0)
    return Rule(bound / 2 * (1 + 2 * p - np.square(p).sum(axis=1, keepdims=True)), p)


def spherical(beliefs: Any, bound: float) -> Rule:
    """Spherical rule: the report as a unit vector, times `bound`; strictly proper.

    Examples
    --------
    >>> spherical([[0.6, 0.4], [0, 1]], bound=1).payments.round(3).tolist()
    [[0.832, 0.555], [0.0, 1.0]]
    """
    p, bound = _support(beliefs), number(bound, "bound", least=0)
    return Rule(bound * p / np.linalg.norm(p, axis=1, keepdims=True), p)


def logarithmic(beliefs: Any, bound: float, floor: float = 0.01) -> Rule:
    """Logarithmic rule, truncated: a probability below `floor` pays as `floor` does, which is nothing.

    Truncation alone breaks properness: a row that gives some state less than `floor` is forgiven part of its risk, and
    a belief nearby would rather report it. So every belief is paid its best row of the truncated table, which is proper
    again. Where no belief gives any state less than `floor`, nothing changes and the rule is strictly proper.

    Examples
    --------
    >>> logarithmic([[0.5, 0.5], [0.9, 0.1]], bound=1, floor=0.01).payments.round(3).tolist()
    [[0.849, 0.849], [0.977, 0.5]]
    """
    p, bound = _support(beliefs), number(bound, "bound", least=0)
    floor = number(floor, "floor", above=0, most=0.5)
    menu = bound * (1 - np.log(np.maximum(p, floor)) / np.log(floor))
    return Rule(envelope(menu, p), p)


def v_shaped(beliefs: Any, prior: Any, bound: float) -> Rule:
    r"""V-shaped rule: a report is a bet, at the prior's odds, on the state that it raises most above the prior.

    A bet on w pays ``bound * min(prior) / prior_w`` if w occurs, so that
    :math:`U(p) = B \min(\pi) \max_w p_w / \pi_w`: lowest, with a kink, at the prior. For two states this is the rule
    that pays most for leaving the prior. States of prior probability zero can't be bet on.

    Examples
    --------
    >>> v_shaped([[0.9, 0.1], [0.3, 0.7]], prior=[0.6, 0.4], bound=3).payments.round(3).tolist()
    [[2.0, 0.0], [0.0, 3.0]]
    """
    p, bound = _support(beliefs), number(bound, "bound", least=0)
    odds = probabilities(prior, "prior", ("state",))
    if len(odds) != p.shape[1]:
        raise InvalidInputError(f"prior has {len(odds)} probabilities but there are {p.shape[1]} states")
    possible = np.flatnonzero(odds)
    menu = np.zeros((len(possible), p.shape[1]))
    menu[np.arange(len(possible)), possible] = bound * odds[possible].min() / odds[possible]
    return Rule(envelope(menu, p), p)


def linear(beliefs: Any, utility: Any, slope: float) -> Rule:
    """Linear rule: the agent gets a share of the principal's utility, ``slope * u(a*(sigma), state)``.

    Here a*(sigma) is the principal's best decision at the report. A utility that goes below zero is first raised by a
    constant until it does not (which changes no incentive), so that every payment can be made.

    Parameters
    ----------
    beliefs : (M, W) array
    utility : (A, W) array
        The principal's utility by decision and state.
    slope : float
        The agent's share, at least 0.

    Examples
    --------
    >>> linear([[0.8, 0.2], [0.2, 0.8]], utility=[[1, -1], [0, 0]], slope=0.5).payments.tolist()
    [[1.0, 0.0], [0.5, 0.5]]
    """
    p, slope = _support(beliefs), number(slope, "slope", least=0)
    u = table(utility, "utility", ("decisions", "states"))
    if u.shape[1] != p.shape[1]:
        raise InvalidInputError(f"utility is over {u.shape[1]} states but beliefs are over {p.shape[1]}")
    return Rule(envelope(slope * (u - min(0.0, float(u.min()))), p), p)


def _support(beliefs: Any) -> Array:
    return probabilities(beliefs, "beliefs", ("beliefs", "states"))
