"""Agreement: a game in which a rational agent gives all the answers heard, or the news that there is none."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scorewright import tolerance
from scorewright.errors import SolverError
from scorewright.program import Program, Rows
from scorewright.validation import Array

_CONTRADICTED = 1e-6
"""Answers that no game agrees with within this, relative to the payments, contradict each other."""


class ContradictionError(Exception):
    """No rational agent gives these answers."""


def agreeing(
    expected: Array,
    answers: NDArray[np.intp],
    counts: Array,
    unit: float,
    known: Array | None,
    ties: Array | None = None,
) -> tuple[Array, Array]:
    """Return information and costs that agree with all answers, with half the room that there is, close to the reports.

    Parameters
    ----------
    expected : (R, M) array
        Expected payments of the rules answered, and
    answers : (R,) array
        by which effort.
    counts : (K, M) array
        Reports by effort.
    unit : float
        The size of the payments.
    known : (K, M) array, optional
        The true information, if that is given.
    ties : (n, K M + K) array, optional
        What has to lie between -1 and 1.

    Raises
    ------
    ContradictionError
        There is none.
    """
    efforts, beliefs = counts.shape
    size, width = efforts * beliefs, efforts * beliefs + efforts + 1
    rows = []
    for rule, made in zip(expected / unit, answers, strict=True):
        for rival in range(efforts):
            if rival != made:
                row = np.zeros(width)
                row[made * beliefs : (made + 1) * beliefs] += rule
                row[rival * beliefs : (rival + 1) * beliefs] -= rule
                row[size + made], row[size + rival], row[-1] = -1.0, 1.0, -1.0
                rows.append(row)
    sums = np.zeros((efforts, width))
    for effort in range(efforts):
        sums[effort, effort * beliefs : (effort + 1) * beliefs] = 1.0
    tied = np.zeros((0, width)) if ties is None else np.hstack([ties, np.zeros((len(ties), 1))])
    scale = np.abs(tied).max(initial=1.0)
    matrix = np.vstack([*rows, sums, -sums, tied / scale, -tied / scale])
    least = np.concatenate(
        [np.zeros(len(rows)), np.ones(efforts), -np.ones(efforts), np.full(2 * len(tied), -1 / scale)]
    )
    low, high = np.full(width, 1e-9), np.ones(width)
    low[size:], high[size : size + 1] = -2.0, 0.0
    low[size], low[-1] = 0.0, -1.0
    if known is not None:
        low[:size] = high[:size] = known.ravel()
    objective = np.zeros(width)
    objective[-1] = -1.0
    try:
        widest = Program(objective, Rows.dense(matrix, least), low, high).optimum().point
    except SolverError:  # too thin for the solver to tell: no world can be found, so none is claimed
        raise ContradictionError from None
    room = float(widest[-1])
    if room < -_CONTRADICTED:
        raise ContradictionError
    low[-1] = room / 2 if room > 0 else room - tolerance.FEASIBLE
    try:
        point = _closest(matrix, least, low, high, counts)
    except SolverError:
        point = widest
    information = np.maximum(point[:size].reshape(efforts, beliefs), 1e-12)
    return information / information.sum(axis=1, keepdims=True), point[size:-1] * unit


def _closest(matrix: Array, least: Array, low: Array, high: Array, counts: Array) -> Array:
    """The point within these limits closest to the reports, each effort by how often it was seen."""
    efforts, beliefs = counts.shape
    size, seen = efforts * beliefs, counts.sum(axis=1, keepdims=True)
    target = ((counts + 1 / beliefs) / (seen + 1)).ravel()
    apart = np.zeros((size, matrix.shape[1]))
    apart[:, :size] = np.eye(size)
    rows = np.block([[matrix, np.zeros((len(matrix), size))], [apart, np.eye(size)], [-apart, np.eye(size)]])
    price = np.concatenate([np.zeros(matrix.shape[1]), np.repeat(seen + 1, beliefs, axis=1).ravel()])
    program = Program(
        price / price.max(),
        Rows.dense(rows, np.concatenate([least, target, -target])),
        np.concatenate([low, np.zeros(size)]),
        np.concatenate([high, np.ones(size)]),
    )
    return program.optimum().point[: matrix.shape[1]]
