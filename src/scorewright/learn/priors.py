r"""Priors: what an effort may report that it was never seen to report.

That is a matter of the prior, and a wrong one writes an effort off after a few unlucky reports, or spoils what many
reports of it say. Every world (worlds.py) has a Dirichlet prior of its own for each effort, with a parameter for each
belief: one of `PRIORS`, from reports all but confined to what was seen to any report being as likely as another, times
what the belief is given by

- the *support*: in one half of the priors a belief seen with another effort is strange to this one (efforts that look
  at different things have different beliefs), in the other half it is as good as any;
- the *tilt*: beliefs worth more to the principal are likelier by a factor of e per standard deviation of their value
  (for three at most), or less likely, or neither. With many beliefs and few reports a prior without a tilt is all but
  sure that an effort is worth what beliefs are worth on average.

They are dealt to the worlds in proportion to how likely the reports are under each, and a fifth of them evenly.

Efforts are mostly *of a kind*: what many reports of one show, how evenly it reports and whether it shares beliefs with
others, is expected of those with few as well. Four equal reports say little by themselves; where the other efforts
report four beliefs each, this one will too. Which way it leans is its own matter.
"""

from __future__ import annotations

import math

import numpy as np

from scorewright.validation import Array

PRIORS = (0.01, 0.1, 0.3, 1.0)
"""Dirichlet parameters per belief; see above."""

STRANGE = (0.01, 1.0)
"""Factor for beliefs seen with another effort."""

TILTS = (-1.0, 0.0, 1.0)
"""Logarithm of the factor, per standard deviation of the beliefs' values."""

FLOOR = 0.2
"""Share of the worlds whose priors are dealt evenly whatever the reports say: no effort is written off."""

ALIKE = 0.9
"""Chance that an effort is of the others' kind."""

_STRIDE = 37
"""Without a common factor with the number of worlds: the order in which they are dealt their priors."""


def believed_priors(counts: Array, value: Array, worlds: int) -> Array:
    """Deal priors to the worlds, in another order for each effort: Dirichlet parameters (worlds, K, M).

    Parameters
    ----------
    counts : (K, M) array
        Reports by effort.
    value : (M,) array
        What each belief is worth to the principal.
    worlds : int
    """
    choices = _choices(counts, value)
    chances = _evidence(counts, choices) + np.log(_kinds(counts, choices))
    weights = np.exp(chances - chances.max(axis=0))
    limits = np.cumsum(FLOOR / len(choices) + (1 - FLOOR) * weights / weights.sum(axis=0), axis=0)[:-1]
    efforts = np.arange(len(counts))
    rank = (np.arange(worlds)[:, None] * _STRIDE + 7 * efforts) % worlds
    at = ((rank[:, None, :] + 0.5) / worlds > limits).sum(axis=1)
    result: Array = choices[at, efforts]
    return result


def _kinds(counts: Array, choices: Array) -> Array:
    """What is expected of each effort before its own reports are seen: a chance for each prior, (n, K).

    A kind is a Dirichlet parameter and a support, on average over tilts. Beliefs that nobody has reported yet are left
    out: they say nothing of efforts that have beliefs of their own.
    """
    if not counts.any():
        return np.ones(choices.shape[:2])
    reported = counts.any(axis=0)
    chances = _evidence(counts[:, reported], choices[..., reported])
    by_tilt = chances.reshape(len(PRIORS), len(TILTS), len(STRANGE), len(counts))
    top = by_tilt.max(axis=1, keepdims=True)
    each = np.log(np.exp(by_tilt - top).mean(axis=1, keepdims=True)) + top
    others = each.sum(axis=3, keepdims=True) - each
    weights = np.exp(others - others.max(axis=(0, 2)))
    expected = ALIKE * weights / weights.sum(axis=(0, 2)) + (1 - ALIKE) / (len(PRIORS) * len(STRANGE))
    result: Array = np.broadcast_to(expected, by_tilt.shape).reshape(chances.shape)
    return result


def _choices(counts: Array, value: Array) -> Array:
    """All priors, (n, K, M)."""
    seen = counts > 0
    elsewhere = seen.sum(axis=0) > seen
    spread = float(value.std())
    apart = (value - value.mean()) / spread if spread > 1e-9 * float(np.abs(value).max()) else np.zeros_like(value)
    tilts = np.exp(np.multiply.outer(TILTS, np.clip(apart, -3, 3)))
    tilts /= tilts.mean(axis=1, keepdims=True)
    supports = np.array([np.where(elsewhere, factor, 1.0) for factor in STRANGE])
    every = np.multiply.outer(PRIORS, tilts[:, None, None, :] * supports)
    result: Array = every.reshape(-1, *counts.shape)
    return result


def _evidence(counts: Array, priors: Array) -> Array:
    r"""Logarithm of the chance of each effort's reports (K, M) under several priors (n, K, M): (n, K).

    Under a Dirichlet prior with parameters :math:`a_j` it is
    :math:`\frac{\Gamma(\sum a_j)}{\Gamma(n + \sum a_j)} \prod_j \frac{\Gamma(n_j + a_j)}{\Gamma(a_j)}`.
    """
    whole, seen = priors.sum(axis=2), counts > 0
    parts = np.zeros_like(priors)
    parts[:, seen] = log_gamma(counts[seen] + priors[:, seen]) - log_gamma(priors[:, seen])
    result: Array = log_gamma(whole) - log_gamma(counts.sum(axis=1) + whole) + parts.sum(axis=2)
    return result


def evidence(reports: Array) -> Array:
    """Logarithm of the chance of one effort's reports (M,) under each of `PRIORS`, the same for all beliefs."""
    priors = np.multiply.outer(PRIORS, np.ones((1, len(reports))))
    result: Array = _evidence(reports[None, :], priors)[:, 0]
    return result


log_gamma = np.vectorize(math.lgamma, otypes=[np.float64])
"""The logarithm of the gamma function, number by number."""
