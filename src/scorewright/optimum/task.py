r"""What `refining` solves: one linear program over proper rules, said through expected payments.

With :math:`s_i = \langle \sigma_i, S_i \rangle`, over proper rules S between `lowest` and `highest`,

.. math:: \text{minimise}\quad a \cdot s - m \quad\text{subject to}\quad C s - m \ge d,

where m is a margin to be made as wide as can be (`reach` > 0 says how far it may go) or is not there at all. At prices
:math:`\mu \ge 0` of the rows, a unit more of expected payment to belief i costs its *weight*
:math:`w_i = a_i - \sum_r \mu_r C_{ri}`: beliefs of negative weight are to be paid more, all others less.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scorewright.validation import Array

Numbers = NDArray[np.intp]
Marks = NDArray[np.bool_]

FEW = 40
"""So few beliefs are solved plainly: a row of the menu for each, every pair watched from the start."""


@dataclass(frozen=True)
class Task:
    """Minimise ``cost . s - m`` over proper rules with ``rows s - m >= least``.

    Attributes
    ----------
    beliefs, lowest : (M, W) arrays
    highest : float
    cost : (M,) array
    rows : (n, M) array
        One per rival.
    least : (n,) array
    reach : float
        The margin m lies within this of zero; 0 when there is no m.
    strength : float
        The least strength of the rule.
    """

    beliefs: Array
    lowest: Array
    highest: float
    cost: Array
    rows: Array
    least: Array
    reach: float = 0.0
    strength: float = 0.0

    @property
    def loose(self) -> bool:
        """Whether any report may be paid any row: then a belief that wants little pay needs no row of its own."""
        return self.strength == 0 and bool((self.lowest == 0).all())

    def weights(self, prices: Array) -> Array:
        """What a unit more of expected payment to each belief costs at these prices of the rows, (M,)."""
        result: Array = self.cost - prices @ self.rows
        return result

    def widest(self) -> Task:
        """The widest margin by which the rows can be met, whatever it costs; payments move a row by one at most."""
        reach = 2 + float(np.abs(self.least).max(initial=0.0))
        return dataclasses.replace(self, cost=np.zeros_like(self.cost), reach=reach)


@dataclass(frozen=True)
class Plan:
    """Who shares which row.

    Attributes
    ----------
    home : (M,) array
        The row of the menu by which each belief is paid.
    held : (M,) array of bool
        Which beliefs are paid that row exactly; the others may be paid more.
    envy : (p, 2) array
        Pairs (belief, row) to keep free of envy from the start.
    rivals : (r,) array
        Rows of the task that count from the start.
    """

    home: Numbers
    held: Marks
    envy: Numbers
    rivals: Numbers

    @staticmethod
    def apart(task: Task) -> Plan:
        """Every belief has a row of its own: the plain formulation."""
        count = len(task.beliefs)
        pairs = np.argwhere(~np.eye(count if count <= FEW else 0, dtype=bool))
        return Plan(np.arange(count), np.ones(count, dtype=bool), pairs, np.arange(len(task.least)))

    def with_all_held(self) -> Plan:
        """The same plan with every belief held to its home."""
        return dataclasses.replace(self, held=np.ones(len(self.held), dtype=bool))


@dataclass(frozen=True)
class Answer:
    """A solved task.

    Attributes
    ----------
    menu : (R, W) array
        The rows that are offered.
    home : (M,) array
        The row by which each belief is paid.
    margin : float
        The margin m; 0 when there is none.
    prices : (n,) array
        Multipliers of the rows.
    enviers, envied, envy : (p,) arrays
        Beliefs i and j, and the multiplier of ``<sigma_i, S_i - S_j> >= 0``, wherever it is positive.
    plan : Plan or None
        The plan that led to it, if one did.
    """

    menu: Array
    home: Numbers
    margin: float
    prices: Array
    enviers: Numbers
    envied: Numbers
    envy: Array
    plan: Plan | None = None
