"""Every numerical tolerance of the package, named, in one place.

All of them are relative to the size of the payments, ``scale(bound) = max(1, bound)``.
"""

from __future__ import annotations

PROBABILITY = 1e-9
"""A row of probabilities must sum to one within this."""

MERGE = 1e-9
"""Two beliefs that differ by no more than this in every state are one belief."""

TIE = 1e-9
"""Efforts whose surplus is this close to the best are all best responses; the principal picks."""

PROPER = 1e-9
"""A rule is proper when no report gains more than this over the truth."""

FEASIBLE = 1e-10
"""How far the solver may overstep a constraint; also how far below zero a margin still counts as zero."""

ENVY = 1e-12
"""While a rule is built, with payments about one: envy below this is none."""

WEIGHTLESS = 1e-14
"""While a rule is built: a belief whose expected payment costs no more than this, up or down, costs nothing."""

CERTIFIED = 1e-8
"""Primal and dual values this close certify an optimum."""

ROUNDING = 1e-12
"""What rounding alone can do: values closer than this are equal, and rounding must not choose between them."""

ROUNDED = 0.01 + 1e-9
"""A row of a forecast table, printed with few digits, must sum to one within this; it is then divided by its sum."""

RULED_OUT = 1e-4
"""A forecast that gave what happened less than this is scored, and recalibrated, as if it had given it this."""

LARGEST = 1e100
"""No number that a user gives may be larger: beyond, arithmetic overflows."""

SMALLEST = 1e-100
"""No bound or unit other than zero may be smaller."""


def scale(bound: float) -> float:
    """Size of the payments that a tolerance is relative to: ``max(1, bound)``."""
    return max(1.0, abs(bound))
