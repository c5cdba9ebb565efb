r"""Certificates: proof of an optimum that does not take the solver's word.

For effort k the cheapest proper rule solves LP_k. Its Lagrangian, with a multiplier :math:`\mu_i \ge 0` for every rival
effort and :math:`y_{ij} \ge 0` for every envy constraint, is linear in the payments with coefficients

.. math:: D_{jw} = \sigma_{jw}\Bigl[q_k(j) - \sum_i \mu_i\,(q_k(j) - q_i(j)) - \sum_l y_{jl}\Bigr]
          + \sum_i y_{ij}\,\sigma_{iw},

so that, whatever the multipliers, no rule that induces k costs less than

.. math:: \sum_i \mu_i\,(c_k - c_i + \text{margin})
          + \tfrac{\beta}{2}\sum_{ij} y_{ij}\lVert\sigma_i - \sigma_j\rVert_1^2
          + \sum_{jw} \min(D_{jw}\,\text{lowest}_{jw},\ D_{jw}\,\text{bound}).

The same expression without the objective's :math:`q_k(j)` and with :math:`\sum_i \mu_i = 1` bounds, with its sign
turned, the margin by which any rule can induce k: if that is negative, it is a Farkas certificate that none can.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scorewright.game import Game
from scorewright.rules import Rule
from scorewright.rules.properness import distances
from scorewright.validation import Array
from scorewright.values import Value


@dataclass(frozen=True)
class Certificate:
    """Primal and dual values of a claim, recomputed from the rule and the multipliers.

    Attributes
    ----------
    primal : float
        Value that the rule attains.
    dual : float
        Value that no rule can beat.
    gap : float
        Distance between the two.
    violation : float
        Largest amount by which the rule oversteps properness, its bounds or the agent's incentives.
    """

    primal: float
    dual: float
    gap: float
    violation: float

    @classmethod
    def of(cls, primal: float, dual: float, violation: float) -> Certificate:
        """Return the certificate with its gap."""
        gap = 0.0 if primal == dual else abs(float(dual) - float(primal))
        return cls(float(primal), float(dual), gap, float(violation))


@dataclass(frozen=True, eq=False)
class Multipliers(Value):
    """Prices of the constraints of LP_k.

    Attributes
    ----------
    rivals : (K,) array
        Of the rivals' incentives; zero at k itself.
    enviers, envied : (p,) arrays
        The pairs of beliefs (i, j) whose envy has a price.
    envy : (p,) array
        That price, of ``<sigma_i, S_i - S_j> >= 0``.
    """

    rivals: Array
    enviers: NDArray[np.intp]
    envied: NDArray[np.intp]
    envy: Array

    def __post_init__(self) -> None:
        for part in (self.rivals, self.enviers, self.envied, self.envy):
            part.setflags(write=False)

    def coefficients(self, game: Game, effort: int, *, paid: bool) -> Array:
        """Coefficients D of the Lagrangian in the payments, (M, W); `paid` keeps the objective's own term."""
        chances, count = game.information, len(game.beliefs)
        weight = chances[effort] if paid else np.zeros(count)
        weight = weight - (self.rivals @ (chances[effort] - chances))
        weight -= np.bincount(self.enviers, self.envy, minlength=count)
        result: Array = weight[:, None] * game.beliefs
        for state, chance in enumerate(game.beliefs.T):
            result[:, state] += np.bincount(self.envied, self.envy * chance[self.enviers], minlength=count)
        return result

    def bound(self, game: Game, effort: int, *, paid: bool, margin: float = 0.0, strength: float = 0.0) -> float:
        """Least value of the Lagrangian over all payments in their range."""
        coefficients = self.coefficients(game, effort, paid=paid)
        fixed = self.rivals @ (game.costs[effort] - game.costs + margin)
        if strength:
            apart = np.abs(game.beliefs[self.enviers] - game.beliefs[self.envied]).sum(axis=1)
            fixed += strength / 2 * float(self.envy @ apart**2)
        corners = np.minimum(coefficients * game.setting.terms.lowest, coefficients * game.bound)
        return float(fixed + corners.sum())


def advantage(game: Game, effort: int, rule: Rule) -> float:
    """Surplus of `effort` less that of its best rival (inf if it has none)."""
    surplus = game.information @ rule.expected - game.costs
    return float(surplus[effort] - np.delete(surplus, effort).max(initial=-np.inf))


def violation(game: Game, effort: int, rule: Rule, *, margin: float = 0.0, strength: float = 0.0) -> float:
    """Largest amount by which `rule` fails to be a proper, payable rule that induces `effort` by `margin`."""
    envy = float((strength / 2 * distances(game.beliefs) ** 2 - rule.slacks).max()) if strength else -rule.slack
    return max(0.0, envy, rule.excess(game.bound, game.penalty), margin - advantage(game, effort, rule))
