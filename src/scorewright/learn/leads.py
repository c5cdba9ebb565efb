r"""Leads: by how much a rule for another effort would beat the incumbent, by kind of world.

Worlds are of two kinds, those in which effort does not move the state and the others (base_rate.py), and may disagree
as kinds: what looks poor in one may look good in the other. Taken together their leads have a mean and a standard
deviation that belong to neither. So each kind speaks for itself, with its chance. (What is asked of all worlds alike,
the chance that a rule fails and what it then loses, is their share: nine in ten are tied at most.)

Within a kind, what the rule earns goes along with what the incumbent earns: where effort does not move the state, both
depend on the base rate. What the effort's own reports would tell is what is left of its profit :math:`y` when it is
regressed on the incumbent's, :math:`x`: :math:`y = a + b x + \text{rest}`. The remainder of the lead,
:math:`(b - 1) x`, the incumbent's reports tell for nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scorewright.learn.options import option
from scorewright.validation import Array

FEW = 8
"""Fewer worlds than this are no kind of their own."""


@dataclass(frozen=True, eq=False)
class Kind:
    """A kind of world.

    Attributes
    ----------
    which : (P,) array
        The worlds of this kind.
    chance : float
        That the game is of this kind.
    still : bool
        Whether effort does not move the state.
    """

    which: NDArray[np.bool_]
    chance: float
    still: bool


def kinds_of(tied: NDArray[np.bool_], still: float) -> tuple[Kind, ...]:
    """The kinds of worlds, given in which of them effort does not move the state, and how likely that is."""
    if min(tied.sum(), (~tied).sum()) < FEW:
        return (Kind(np.ones_like(tied), 1.0, still=bool(tied.sum() >= FEW)),)
    return Kind(tied, still, still=True), Kind(~tied, 1 - still, still=False)


@dataclass(frozen=True, eq=False)
class Leads:
    """What rules would earn beyond the incumbent.

    Attributes
    ----------
    chance : (C,) array
        Of each kind of world.
    ahead : (C, n) array
        On average over its worlds.
    own, free : (C, n) arrays
        Standard deviations over its worlds of what the effort's own reports would tell, and of what the incumbent's do.
    """

    chance: Array
    ahead: Array
    own: Array
    free: Array

    @staticmethod
    def of(earned: Array, beside: Array, kinds: Sequence[Kind]) -> Leads:
        """Compare what rules earn in each world (P, n) with what the incumbent does (P,)."""
        parts = []
        for kind in kinds:
            each, base = earned[kind.which], beside[kind.which]
            apart, along = each - each.mean(axis=0), base - base.mean()
            slope = along @ apart / max(float(along @ along), 1e-300)
            rest = np.sqrt(np.square(apart - along[:, None] * slope).sum(axis=0) / (len(base) - 2))
            parts.append((each.mean(axis=0) - base.mean(), rest, np.abs(slope - 1) * along.std()))
        return Leads(np.array([kind.chance for kind in kinds]), *map(np.array, zip(*parts, strict=True)))

    def told_for_nothing(self, seen: float, left: int) -> Array:
        """What the option on each rule is worth by the incumbent's own reports alone, (n,), n of them seen so far.

        They do not tell which kind of world it is: that takes reports of another effort.
        """
        mean, free = self.chance @ self.ahead, np.sqrt(self.chance @ self.free**2)
        value, _ = option(mean[None], np.zeros_like(mean)[None], free[None], np.ones(1), seen, left, price=0.0)
        return value

    @property
    def spread(self) -> Array:
        """Standard deviation of the lead over all kinds, (n,)."""
        mean = self.chance @ self.ahead
        result: Array = np.sqrt(self.chance @ (self.own**2 + self.free**2 + (self.ahead - mean) ** 2))
        return result
