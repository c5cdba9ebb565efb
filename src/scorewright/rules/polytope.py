r"""The class of proper rules, as a polytope.

Payments :math:`S` in a box, :math:`\text{lowest}_{iw} \le S_{iw} \le \text{bound}`, with

.. math:: \langle \sigma_i,\, S_i - S_j \rangle \ge \tfrac{\beta}{2} \lVert \sigma_i - \sigma_j \rVert_1^2
   \qquad \text{for all } i \ne j :

M W variables and M (M - 1) rows; beta = 0 gives all proper rules. Everything here is in units in which payments are
about one: callers scale.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scorewright.program import Program, Rows
from scorewright.rules.properness import distances
from scorewright.validation import Array


@dataclass(frozen=True)
class Polytope:
    """The proper rules on `beliefs` (M, W) with payments from `lowest` (M, W) to `highest`.

    `strength` is the least strength that a rule must have.
    """

    beliefs: Array
    lowest: Array
    highest: float
    strength: float = 0.0

    @cached_property
    def pairs(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The ordered pairs i != j, one per row."""
        i, j = np.nonzero(~np.eye(len(self.beliefs), dtype=bool))
        return i, j

    @cached_property
    def squares(self) -> Array:
        """Half the squared L1 distance of each pair: the slack that strength 1 asks for."""
        result: Array = distances(self.beliefs)[self.pairs] ** 2 / 2
        return result

    @cached_property
    def rows(self) -> Rows:
        """The rows, over payments laid out belief by belief."""
        return self._rows(self.strength * self.squares)

    def _rows(self, least: Array, extra: Array | None = None) -> Rows:
        """Properness rows, with one more column at the end when `extra` gives its entries."""
        i, j = self.pairs
        states = np.arange(self.beliefs.shape[1])
        width = self.beliefs.shape[1]
        blocks = [i[:, None] * width + states, j[:, None] * width + states]
        entries = [self.beliefs[i], -self.beliefs[i]]
        if extra is not None:
            blocks.append(np.full((len(i), 1), self.beliefs.size))
            entries.append(extra[:, None])
        columns, values = np.concatenate(blocks, axis=1), np.concatenate(entries, axis=1)
        there = values != 0
        starts = np.concatenate([[0], np.cumsum(there.sum(axis=1))])
        return Rows(starts.astype(np.int32), columns[there].astype(np.int32), values[there], least)

    def centre(self) -> tuple[Array, float]:
        """Centre and radius of the largest ball in the class (the payments that meet every limit by the most).

        The radius is negative when the class is empty; it is how far the limits would have to move.
        """
        i, _ = self.pairs
        reach = float(self.highest - self.lowest.min()) + self.strength * self.squares.max(initial=0.0)
        norms = np.sqrt(2 * np.square(self.beliefs[i]).sum(axis=1))
        rows = self._rows(self.strength * self.squares, -norms)
        size = self.beliefs.size
        inside = np.concatenate([np.eye(size), -np.eye(size)]), np.full((2 * size, 1), -1.0)
        rows = rows.over(np.hstack(inside), np.concatenate([self.lowest.ravel(), np.full(size, -self.highest)]))
        program = Program(
            np.append(np.zeros(size), -1.0),
            rows,
            np.append(self.lowest.ravel(), -reach),
            np.append(np.full(size, self.highest), reach),
        )
        vertex = program.optimum()  # a ball of radius -reach always fits
        return vertex.point[:-1].reshape(self.beliefs.shape), float(vertex.point[-1])

    def strongest(self) -> tuple[Array, float]:
        """Payments of the greatest strength in the box, and that strength; needs two distinct beliefs."""
        scale = max(1.0, float(self.highest - self.lowest.min()))
        top = 4 * scale / float(self.squares[self.squares > 0].min())
        program = Program(
            np.append(np.zeros(self.beliefs.size), -1.0),
            self._rows(np.zeros(len(self.squares)), -self.squares),
            np.append(self.lowest.ravel(), 0.0),
            np.append(np.full(self.beliefs.size, self.highest), top),
        )
        vertex = program.optimum()  # a constant rule is proper
        return vertex.point[:-1].reshape(self.beliefs.shape), float(vertex.point[-1])
