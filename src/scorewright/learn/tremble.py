r"""Tremble: what to offer an agent that errs.

Answers to one rule that vary, or that no rational agent could give, show that the agent errs. The worlds then carry
how: a random effort with probability :math:`\epsilon`, otherwise logit response with temperature :math:`\tau` (noise.c
in the kernel). Each effort answers a rule with some probability, its profit is the mean over the answers, and the best
rule keeps a margin from the knife's edge that is worth its price: candidates are the cheapest rules for each effort, at
several margins in units of the temperature, in several worlds; the one with the highest mean profit over all worlds is
offered. One round in each batch is played as a single world, drawn in turn, would have it (Thompson sampling), so that
no effort is forgotten. Answers lose weight with a half-life of `HALF_LIFE` rounds, so that costs may drift.
"""

from __future__ import annotations

import math

import numpy as np

from scorewright.learn.bargaining import Move
from scorewright.learn.prospects import Position
from scorewright.learn.worlds import seen_efforts
from scorewright.validation import Array

HALF_LIFE = 2000.0
"""Rounds after which an answer counts half."""

ASKED = 8
"""Worlds asked for their cheapest rules."""

_MARGINS = (0.0, 0.5, 1.0, 2.0, 3.0, 5.0, 8.0)
"""In units of the temperature."""

_KEPT = 12
"""Rules offered before that stay candidates."""


def decide(position: Position, plays: Array) -> tuple[Move, Move]:
    """Return a round to explore with, and the rule to keep to until the next look."""
    payments = _candidates(position, plays)
    expected = np.einsum("mw,nmw->nm", position.ensemble.beliefs, payments)
    profit, chances = profits(position, expected)
    means = profit.mean(axis=0)
    best = int(np.argmax(means))
    bold = int(np.argmax(profit[position.round % len(profit)]))
    error, temperature = np.median(position.ensemble.noise, axis=1)
    said = f"the agent errs: in {error:.1%} of rounds at random, otherwise with temperature {temperature:.2g}"

    def aimed(pick: int) -> tuple[int, float]:
        target = int(np.argmax(chances[:, pick].mean(axis=0)))
        return target, float(chances[:, pick, target].mean())

    target, chance = aimed(best)
    why = (
        f"exploit: {position.names[target]} should answer in {chance:.1%} of rounds, for a profit of {means[best]:.4g} "
        f"a round; {said}"
    )
    until = math.ceil(position.round * 1.05) + 4
    keep = Move("exploit", target, payments[best], max(1, until - position.round), why, 1 - chance)
    target, chance = aimed(bold)
    why = f"explore: best in one of the {len(profit)} games that agree with what was seen; {said}"
    return Move("explore", target, payments[bold], 1, why, 1 - chance), keep


def _candidates(position: Position, plays: Array) -> Array:
    ensemble, seen = position.ensemble, seen_efforts(position.counts)
    first = position.round * ASKED % len(ensemble.costs)
    found = []
    for world in range(first, min(first + ASKED, len(ensemble.costs))):
        unit = min(float(ensemble.noise[1, world]), 0.1 * ensemble.reach)
        for effort in np.flatnonzero(seen):
            rules = (ensemble.worlds.cheapest(world, int(effort), seen, margin * unit) for margin in _MARGINS)
            found += [rule for rule, _ in filter(None, rules)]
    recent = np.argsort(-plays, kind="stable")[:_KEPT]
    return np.array(found + [position.payments[rule] for rule in recent])


def profits(position: Position, expected: Array) -> tuple[Array, Array]:
    """Profit of each rule in each world, (P, n), and the chance of each effort's answer, (P, n, K)."""
    ensemble, seen = position.ensemble, seen_efforts(position.counts)
    paid = ensemble.worlds.paid(expected)
    error, temperature = ensemble.noise[:, :, None, None]
    gains = np.where(seen, (paid - ensemble.costs[:, None, :]) / temperature, -np.inf)
    weights = np.exp(gains - gains.max(axis=2, keepdims=True))
    chances = (1 - error) * weights / weights.sum(axis=2, keepdims=True) + error * seen / seen.sum()
    worth = (ensemble.information @ position.value)[:, None, :]
    return (chances * (worth - paid)).sum(axis=2), chances
