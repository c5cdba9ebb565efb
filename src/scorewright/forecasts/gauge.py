r"""A gauge of information: what a tier's forecasts are worth in many small decisions.

Information matters only through convex functions of the belief: any decision's value is one, and so is any proper
payment. A tier is therefore measured by its averages of a few dozen of them:

- the principal's own value :math:`u(p)`, per largest stake;
- the sharpness :math:`\lVert p \rVert^2`, which is what a quadratic rule pays for;
- hinges :math:`\max(0, \langle h, p \rangle)`, each the value of acting or not on a threshold that the forecasts cross.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scorewright.validation import Array

HINGES = 64
OWN = 3.0
"""The principal's value and the sharpness count this many times as much as a hinge."""


@dataclass(frozen=True)
class Gauge:
    """Convex functions of a belief: of `utility` (A, W), and of the normals of `hinges` (H, W)."""

    utility: Array
    hinges: Array

    @classmethod
    def across(cls, beliefs: Array, utility: Array) -> Gauge:
        """Return a gauge whose hinges lie where `beliefs` (n, W) do; the same one for the same beliefs."""
        chance = np.random.default_rng(0)
        normals = chance.normal(size=(HINGES, beliefs.shape[1]))
        normals -= normals.mean(axis=1, keepdims=True)
        normals /= np.abs(normals).sum(axis=1, keepdims=True)
        ranks = (np.arange(HINGES) + 0.5) / HINGES
        places = [np.quantile(beliefs @ normal, rank) for normal, rank in zip(normals, ranks, strict=True)]
        return cls(utility, normals - np.array(places)[:, None])  # <h, p> with the threshold inside, as p sums to one

    @property
    def stake(self) -> float:
        """The principal's largest stake."""
        return float(np.ptp(self.utility)) or 1.0

    def values(self, beliefs: Array) -> Array:
        """The functions at beliefs (n, W), (n, F)."""
        own = OWN * (beliefs @ self.utility.T).max(axis=1) / self.stake
        sharp = OWN * np.square(beliefs).sum(axis=1)
        return np.column_stack([own, sharp, np.maximum(beliefs @ self.hinges.T, 0.0)])

    def slopes(self, beliefs: Array) -> Array:
        """Their derivatives at beliefs (n, W), (n, F, W)."""
        own = OWN * self.utility[(beliefs @ self.utility.T).argmax(axis=1)] / self.stake
        hinges = self.hinges * (beliefs @ self.hinges.T > 0)[:, :, None]
        return np.concatenate([own[:, None], 2 * OWN * beliefs[:, None], hinges], axis=1)
