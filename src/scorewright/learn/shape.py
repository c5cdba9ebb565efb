r"""Shape: where the games that agree with all answers lie, and how far they reach in which direction.

The posterior (worlds.py) is smooth inside a polytope that may be a thousand times as long as it is wide. Its *centre*
is where the likelihood of the reports and the room to every answer's face are both large,

.. math:: \max_{q, c} \; \sum_{k, j} n_{kj} \log q_k(j) + \sum_{r, i} w_{ri} \log \bigl( (q_{a_r} - q_i) \cdot s_r
          - c_{a_r} + c_i \bigr) ,

over the beliefs seen and the costs, found by Newton's method. Answers have weights: what counts is the faces that bound
the polytope where the reports are likely, not how many others lie behind them, so in turns each is given the weight
that it has in the curvature (its leverage; these are the weights of John's ellipsoid, and sum to no more than there are
directions). The curvature says how far there is room: steps drawn from its inverse reach the ends of the polytope in
every direction alike, however thin it is. A belief that an effort was never seen with may be as good as impossible,
which no curvature describes; it has a direction of its own: it becomes likelier while everything else gives way as the
curvature has it.

Where effort does not move the state (base_rate.py), how far the mean beliefs are apart is *tied* to zero: half the
square of every tie is taken off the logarithm.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scorewright.validation import Array

_STEPS = 40
"""Newton's method needs a handful from close by."""

_TURNS = 4
"""Turns of weighing the answers; after three the weights change little."""

_LIGHTEST = 1e-3
"""The least weight of an answer, so that none is walked through."""

_UNSEEN = 0.3
"""So many reports a belief is given that was not seen yet, where it is free to move."""

_SETTLED = 1e-3
"""It stops when a step would gain less than this in the logarithm: the walk from there does the rest."""

_FACE = 1e-10
"""The least room to a face, relative to the payments: a world on it may still move."""


@dataclass(frozen=True, eq=False)
class Shape:
    """The centre, and steps in all directions.

    Attributes
    ----------
    information, costs : (K, M) and (K,) arrays
        The centre.
    steps : (D, K * M + K) array
        Independent directions (q, c), each as long as there is room; any standard normal combination is a step.
    unseen : (U, K * M + K) array
        Directions in which one belief not seen yet, with an effort that was, becomes likelier.
    """

    information: Array
    costs: Array
    steps: Array
    unseen: Array

    def scaled(self, unit: float) -> Shape:
        """The same with costs and payments in another unit."""
        size = self.information.size
        ways = (np.hstack([part[:, :size], unit * part[:, size:]]) for part in (self.steps, self.unseen))
        return Shape(self.information, unit * self.costs, *ways)


def shape(
    expected: Array,
    answers: NDArray[np.intp],
    counts: Array,
    information: Array,
    costs: Array,
    reach: float,
    ties: Array | None = None,
) -> Shape:
    """Return the shape of the games that agree with all answers.

    Parameters
    ----------
    expected : (R, M) array
        Expected payments of the rules answered, and
    answers : (R,) array
        by which effort.
    counts : (K, M) array
        Reports by effort; what was never reported stays as it is.
    information, costs : (K, M) and (K,) arrays
        A game that agrees with all answers.
    reach : float
        The largest difference of costs.
    ties : (n, K M + K) array, optional
        What is normal with mean zero and variance one.
    """
    efforts, beliefs = counts.shape
    faces, least = _faces(expected, answers, efforts, beliefs, reach)
    ties = _untied(efforts, beliefs) if ties is None else ties
    point, weight = np.concatenate([information.ravel(), costs - costs[0]]), np.ones(len(faces))
    for turn in range(_TURNS):
        likely = _Likelihood(counts.ravel(), _directions(counts), faces, least, weight, ties)
        point, factor = likely.climb(point)
        if turn < _TURNS - 1:
            weight = np.maximum(likely.leverage(point, factor), _LIGHTEST)
    added = _additions(counts, point)
    unseen = added - likely.basis @ (factor @ (factor.T @ likely.pull(point, added)))
    parts = point[: efforts * beliefs].reshape(counts.shape), point[efforts * beliefs :]
    return Shape(*parts, (likely.basis @ factor).T, unseen.T)


def likeliest(
    expected: Array,
    answers: NDArray[np.intp],
    counts: Array,
    information: Array,
    costs: Array,
    reach: float,
    ties: Array | None = None,
) -> tuple[Array, Array]:
    """Return information and costs of a game that agrees with all answers and in which the reports are likely.

    Parameters as of `shape`; here a belief not seen yet is free to move too, as if it had been seen a fraction of once.
    """
    efforts, beliefs = counts.shape
    faces, least = _faces(expected, answers, efforts, beliefs, reach)
    reports = np.where(counts.any(axis=1, keepdims=True), np.maximum(counts, _UNSEEN), 0.0)
    ties, light = _untied(efforts, beliefs) if ties is None else ties, np.full(len(faces), _LIGHTEST)
    likely = _Likelihood(reports.ravel(), _directions(reports), faces, least, light, ties)
    point, _ = likely.climb(np.concatenate([information.ravel(), costs - costs[0]]))
    return point[: efforts * beliefs].reshape(counts.shape), point[efforts * beliefs :]


@dataclass(frozen=True, eq=False)
class _Likelihood:
    """What to climb: reports (K M,), weighed faces with their least values, and ties, in the directions of a basis."""

    reports: Array
    basis: Array
    faces: Array
    least: Array
    weight: Array
    ties: Array

    def climb(self, point: Array) -> tuple[Array, Array]:
        """Newton's method from a point inside: the top, and F with F F^T the inverse of the curvature there."""
        reports, seen, towards = self.reports[self.moving], self.seen, self.towards
        (share, room), factor = self.at(point), np.eye(self.basis.shape[1])
        tied = self.ties @ self.basis
        stiff = tied.T @ tied
        for _ in range(_STEPS if self.basis.shape[1] else 0):
            strain = self.ties @ point
            slope = seen.T @ (reports / share) + towards.T @ (self.weight / room) - tied.T @ strain
            factor = _inverse_root(
                (seen.T * (reports / share**2)) @ seen + (towards.T * (self.weight / room**2)) @ towards + stiff
            )
            step = factor @ (factor.T @ slope)
            gain = float(slope @ step)
            if gain < _SETTLED:
                break
            more, nearer = seen @ step, towards @ step
            off = tied @ step
            by = _length(reports, share, more, self.weight, room, nearer, strain, off, gain)
            point, room, share = point + by * (self.basis @ step), room + by * nearer, share + by * more
        return point, factor

    def at(self, point: Array) -> tuple[Array, Array]:
        """The chance of what was reported, and the room to the faces."""
        reach = float(np.abs(self.least).max(initial=1.0))
        return np.maximum(point[self.moving], 1e-12), np.maximum(self.faces @ point - self.least, _FACE * reach)

    def leverage(self, point: Array, factor: Array) -> Array:
        """Each face's weight in the curvature."""
        result: Array = self.weight * ((self.towards @ factor) ** 2).sum(axis=1) / self.at(point)[1] ** 2
        return result

    def pull(self, point: Array, ways: Array) -> Array:
        """What the curvature says of moving along `ways` (K M + K, n): by how much the slope changes."""
        share, room = self.at(point)
        seen = self.seen.T @ ((self.reports[self.moving] / share**2)[:, None] * ways[self.moving])
        tied = (self.ties @ self.basis).T @ (self.ties @ ways)
        result: Array = seen + tied + self.towards.T @ ((self.faces @ ways) * (self.weight / room**2)[:, None])
        return result

    @cached_property
    def moving(self) -> NDArray[np.intp]:
        """Places of what was reported."""
        return np.flatnonzero(self.reports)

    @cached_property
    def seen(self) -> Array:
        """How the directions change what was reported."""
        return self.basis[self.moving]

    @cached_property
    def towards(self) -> Array:
        """How they change the room to the faces."""
        return self.faces @ self.basis


def _length(
    reports: Array,
    share: Array,
    more: Array,
    weight: Array,
    room: Array,
    nearer: Array,
    strain: Array,
    off: Array,
    gain: float,
) -> float:
    """How far to go along a step: the whole of it, if that stays inside and gains as it should."""
    ends = np.concatenate([room / np.maximum(-nearer, 1e-300), share / np.maximum(-more, 1e-300)])
    by = min(1.0, 0.9 * float(ends.min(initial=np.inf)))
    while by > 1e-6:
        likelier = reports @ np.log1p(by * more / share) + weight @ np.log1p(by * nearer / room)
        likelier -= by * off @ (strain + by * off / 2)
        if likelier >= 0.1 * by * gain:
            break
        by /= 2
    return by


def _untied(efforts: int, beliefs: int) -> Array:
    return np.zeros((0, efforts * beliefs + efforts))


def _additions(counts: Array, point: Array) -> Array:
    """A column (q, c) for every belief not seen with an effort that was: more of it, less of what was seen."""
    efforts, beliefs = counts.shape
    columns = []
    for effort in np.flatnonzero(counts.any(axis=1)):
        places = effort * beliefs + np.flatnonzero(counts[effort])
        for belief in np.flatnonzero(counts[effort] == 0):
            column = np.zeros(efforts * beliefs + efforts)
            column[effort * beliefs + belief] = 1.0
            column[places] = -point[places] / point[places].sum()
            columns.append(column)
    return np.array(columns).reshape(-1, efforts * beliefs + efforts).T


def _inverse_root(bend: Array) -> Array:
    """F with F F^T = bend^-1."""
    scale = 1 / np.sqrt(np.diag(bend))
    root = np.linalg.cholesky(bend * scale * scale[:, None] + 1e-13 * np.eye(len(bend)))
    result: Array = scale[:, None] * np.linalg.inv(root).T
    return result


def _directions(counts: Array) -> Array:
    """A basis of what can move: (K M + K, D). Reports seen, by effort, keep their sum; the first cost stays."""
    efforts, beliefs = counts.shape
    size, columns = efforts * beliefs, []
    for effort in range(efforts):
        places = effort * beliefs + np.flatnonzero(counts[effort])
        for end in range(1, len(places)):
            column = np.zeros(size + efforts)
            column[places[:end]], column[places[end]] = 1.0, -float(end)
            columns.append(column / np.sqrt(end + end * end))
    for effort in range(1, efforts):
        column = np.zeros(size + efforts)
        column[size + effort] = 1.0
        columns.append(column)
    return np.array(columns).reshape(-1, size + efforts).T


def _faces(expected: Array, answers: NDArray[np.intp], efforts: int, beliefs: int, reach: float) -> tuple[Array, Array]:
    """A row (q, c) for every answer and rival, what the effort made gains beyond it, and either end of every cost.

    With them the least values of each.
    """
    rows = np.zeros((len(expected), efforts, efforts * beliefs + efforts))
    for effort in range(efforts):
        here, place = answers == effort, slice(effort * beliefs, (effort + 1) * beliefs)
        rows[here, :, place] += expected[here, None, :]
        rows[here, :, efforts * beliefs + effort] -= 1.0
        rows[:, effort, place] -= expected
        rows[:, effort, efforts * beliefs + effort] += 1.0
    gains = rows[np.arange(efforts)[None, :] != answers[:, None]]
    ends = np.zeros((efforts - 1, efforts * beliefs + efforts))
    ends[:, efforts * beliefs + 1 :] = np.eye(efforts - 1)
    least = np.concatenate([np.zeros(len(gains)), np.full(2 * len(ends), -reach)])
    return np.vstack([gains, ends, -ends]), least
