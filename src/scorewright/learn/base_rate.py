r"""Base rate: whether effort moves the state.

Who looks harder does not change what is looked at. Where effort does not move the state, every effort's mean belief is
the state's own distribution, the *base rate*:

.. math:: q_k \cdot \sigma = \mu \quad \text{for every effort } k ,

W - 1 conditions on each effort's information, so that the thousands of reports of the effort that is bought say much of
the efforts that were seen a few times. (Contracts are the other case: there effort is made to move the state.) Nobody
says which it is, and it is not taken for certain; the reports tell, and the answers, where worlds whose mean beliefs
are together foresee them worse than the others do. (Where they foresee them better, that says little: they are closer
to each other, right or wrong.) In a share of the worlds (worlds.py), as large as the chance that it is so, the mean
beliefs are together. One world in ten is never tied: where mean beliefs differ after all, some worlds must know it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scorewright.validation import Array

TOGETHER = 0.1
"""How far mean beliefs may be apart where effort does not move the state, as a share of what reports leave in doubt: no
looser, to lose nothing that they tell, and no tighter, for worlds to move."""

ODDS = 3.0
"""That effort does not move the state, before anything is seen."""

SUREST = 0.98
"""The largest chance of it, whatever the reports say."""

DOUBT = 0.1
"""Share of the worlds that are not tied, whatever the reports say."""

_TURNS = 3
"""Of estimating the base rate and then the spread of the reports about it."""

_LEAST = 1e-12
"""The least variance of a mean of reports, however many."""

_STRIDE = 61
"""Without a common factor with the number of worlds: the order in which they are dealt the base rate."""


def within(counts: Array, beliefs: Array) -> Array:
    """How far each effort's mean belief may be from the others', as a standard deviation, (K,)."""
    spread = np.sqrt(beliefs.var(axis=0).mean())
    result: Array = TOGETHER * spread / np.sqrt(1 + counts.sum(axis=1))
    return result


def ties(counts: Array, beliefs: Array) -> Array:
    """Rows (K W, K M + K) that take information and costs to how far mean beliefs are apart, in units of `within`."""
    each, efforts = within(counts, beliefs), len(counts)
    weights = each**-2 / (each**-2).sum()
    apart = (np.eye(efforts) - weights) / each[:, None]
    rows = np.einsum("ij,mw->iwjm", apart, beliefs).reshape(efforts * beliefs.shape[1], -1)
    return np.hstack([rows, np.zeros((len(rows), efforts))])


def deal(chance: float, worlds: int) -> NDArray[np.bool_]:
    """In which worlds mean beliefs are together, (worlds,): in as many as it is likely, but for those in doubt."""
    result: NDArray[np.bool_] = (np.arange(worlds) * _STRIDE % worlds + 0.5) / worlds < min(chance, 1 - DOUBT)
    return result


def foreseen_by(tied: NDArray[np.bool_], sound: NDArray[np.bool_]) -> float:
    """How much likelier the latest answers were in worlds that are tied than in the others, as a logarithm.

    By the share of either that agreed with them, `sound`; as many worlds more of each, as sound as all on average, as
    it takes for half a world more that agreed, or that did not, whichever are fewer: where one world in a hundred
    foresaw an answer it says next to nothing which kind it is of.
    """
    every = float(sound.mean())
    if not 0 < every < 1:
        return 0.0
    more = 0.5 / min(every, 1 - every)
    shares = [(own.sum() + more * every) / (len(own) + more) for own in (sound[tied], sound[~tied])]
    return float(np.log(shares[0] / shares[1]))


def chance_of_one(counts: Array, beliefs: Array, foreseen: float = 0.0) -> float:
    r"""Chance that all efforts have one mean belief, given the reports (K, M).

    `foreseen` is what all answers so far say of it, as a logarithm of the odds: listened to if it speaks against. (One
    by one they are too noisy for that: what a few untied worlds happen to foresee would add up.)

    In units in which the beliefs (M, W) have mean zero and variance one in every direction, the mean :math:`x_k` of
    effort k's :math:`n_k` reports is normal about its mean belief with variance :math:`V_k / n_k`; a mean belief is
    standard normal. The evidence of :math:`x` is compared with one mean belief for all and with one for each. The
    variance is taken about the common mean, with one report more of variance one: a few reports that happen to be equal
    do not speak against it more than they should.

    Zero where beliefs are affinely independent: one mean belief would make all efforts the same.
    """
    apart = beliefs - beliefs.mean(axis=0)
    left, sizes, _ = np.linalg.svd(apart, full_matrices=False)
    ways = sizes > 1e-9 * max(1.0, float(sizes[0]))
    places = left[:, ways] * np.sqrt(len(beliefs))
    dims = places.shape[1]
    if not 0 < dims < len(beliefs) - 1:
        return 0.0
    reports = counts[counts.any(axis=1)]
    seen = reports.sum(axis=1)
    means = reports @ places / seen[:, None]
    centre = np.zeros(dims)
    for _ in range(_TURNS):
        off = places - centre
        errors = (np.einsum("km,mi,mj->kij", reports, off, off) + np.eye(dims)) / (seen * (seen + 1))[:, None, None]
        errors += _LEAST * np.eye(dims)
        weights = np.linalg.inv(errors)
        centre = np.linalg.solve(np.eye(dims) + weights.sum(axis=0), np.einsum("kij,kj->i", weights, means))
    alone = sum(_normal(mean, error + np.eye(dims)) for mean, error in zip(means, errors, strict=True))
    spread = np.tile(np.eye(dims), (len(seen), len(seen)))
    for place, error in enumerate(errors):
        here = slice(place * dims, (place + 1) * dims)
        spread[here, here] += error
    odds = np.log(ODDS) + _normal(means.ravel(), spread) - alone + min(foreseen, 0.0)
    return min(SUREST, float(1 / (1 + np.exp(-np.clip(odds, -500, 500)))))


def _normal(place: Array, variance: Array) -> float:
    """Logarithm of a normal density with mean zero, but for the factors of 2 pi."""
    if not place.size:
        return 0.0
    return float(-(np.linalg.slogdet(variance)[1] + place @ np.linalg.solve(variance, place)) / 2)
