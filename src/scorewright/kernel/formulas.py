"""The kernel's formulas, one by one, for whoever needs them outside a run."""

from __future__ import annotations

import numpy as np

from scorewright.kernel.library import doubles, library
from scorewright.validation import Array


def radii(scale: float, counts: Array, efforts: int, beliefs: int, time: int) -> Array:
    """``scale * sqrt(2 log(K 2^M t) / n_k)``, infinite where n_k = 0."""
    seen, result = np.ascontiguousarray(counts, dtype=np.float64), np.zeros(efforts)
    library().sw_radii(scale, doubles(seen), efforts, beliefs, time, doubles(result))
    return result


def paid(information: Array, expected: Array) -> Array:
    """``information . expected``, (K,), summed in the kernel's order."""
    result = np.empty(len(information))
    library().sw_paid(*information.shape, doubles(information), doubles(expected), doubles(result))
    return result


def respond(surplus: Array, profit: Array, slack: float) -> int:
    """Effort with the largest surplus; within `slack` of it the principal's favourite, the first of equals."""
    return int(library().sw_respond(len(surplus), doubles(surplus), doubles(profit), slack))


def shortest_paths(theta: Array, phi: Array, detour: float) -> tuple[Array, Array]:
    """Sums of `theta` and of `phi` along the shortest paths under `phi`, both (K, K).

    A detour is taken only if it is shorter by more than `detour`.
    """
    gap, length = np.array(theta, order="C"), np.array(phi, order="C")
    library().sw_paths(len(gap), doubles(gap), doubles(length), detour)
    return gap, length
