r"""Tremble: what to offer an agent that errs.

Answers to one rule that vary, or that no rational agent could give, show that the agent errs. The worlds then carry
how: a random effort with probability :math:`\epsilon`, otherwise logit response with temperature :math:`\tau` (noise.c
in the kernel). Each effort answers a rule with some probability, its profit is the mean over the answers, and the best
rule keeps a margin from the knife's edge that is worth its price: candidates are the cheapest rules for each effort, at
several margins, in several worlds; the one with the highest mean profit over all worlds is
offered. Some rounds, :math:`20 \log_2 t` by round t, are played as a single world would have it (Thompson sampling), so
that no effort is forgotten. Answers lose weight with a half-life of `HALF_LIFE` rounds, so that costs may drift.
"""

from __future__ import annotations

import math

import numpy as np

from scorewright.kernel import Phase
from scorewright.learn.move import Move
from scorewright.learn.prospects import Position
from scorewright.learn.worlds import seen_efforts
from scorewright.validation import Array

HALF_LIFE = 20_000.0
"""Rounds after which an answer counts half."""

EXPLORED = 20.0
"""Rounds given to exploration by round t: this times the binary logarithm of t."""

ASKED = 8
"""Worlds asked for their cheapest rules."""

_MARGINS = (0.0, 1.0, 2.0, 4.0, 8.0)
"""In units of the temperature; and"""

_SAFE = (0.002, 0.005, 0.01, 0.02, 0.05)
"""in units of the largest payment: a margin also guards against what is not known yet."""

_KEPT = 12
"""Rules offered before that stay candidates."""


def decide(position: Position, plays: Array) -> list[Move]:
    """Return the moves until the next look: some rounds to explore with, then the rule to keep to."""
    payments = _candidates(position, plays)
    expected = np.einsum("mw,nmw->nm", position.ensemble.beliefs, payments)
    profit, chances = profits(position, expected)
    means, (error, temperature) = profit.mean(axis=0), np.median(position.ensemble.noise, axis=1)
    said = f"the agent errs: in {error:.1%} of rounds at random, otherwise with temperature {temperature:.2g}"
    until = math.ceil(position.round * 1.05) + 4
    bold = max(1, round(EXPLORED * math.log2(until / position.round)))
    worlds = [(position.round + turn) * 37 % len(profit) for turn in range(bold)]
    why = f"explore: best in one of the {len(profit)} games that fit what was seen; {said}"
    moves = [_move("explore", int(np.argmax(profit[world])), payments, chances, 1, why) for world in worlds]
    best = int(np.argmax(means))
    target, chance = _aim(chances, best)
    why = (
        f"exploit: {position.names[target]} should answer in {chance:.1%} of rounds, for a profit of {means[best]:.4g} "
        f"a round; {said}"
    )
    return [*moves, _move("exploit", best, payments, chances, max(1, until - position.round - bold), why)]


def _move(phase: Phase, pick: int, payments: Array, chances: Array, repeats: int, why: str) -> Move:
    target, chance = _aim(chances, pick)
    return Move(phase, target, payments[pick], repeats, why, 1 - chance)


def _aim(chances: Array, pick: int) -> tuple[int, float]:
    """The likeliest answer to a candidate, and how likely it is."""
    means = chances[:, pick].mean(axis=0)
    return int(np.argmax(means)), float(means.max())


def _candidates(position: Position, plays: Array) -> Array:
    ensemble, seen = position.ensemble, seen_efforts(position.counts)
    first = position.round * ASKED % len(ensemble.costs)
    found = []
    for world in range(first, min(first + ASKED, len(ensemble.costs))):
        unit = min(float(ensemble.noise[1, world]), 0.1 * ensemble.reach)
        margins = [*(margin * unit for margin in _MARGINS), *(margin * ensemble.reach for margin in _SAFE)]
        for effort in np.flatnonzero(seen):
            rules = (ensemble.worlds.cheapest(world, int(effort), seen, margin) for margin in margins)
            found += [rule for rule, _ in filter(None, rules)]
    recent = np.argsort(-plays, kind="stable")[:_KEPT]
    return np.array(found + [position.payments[rule] for rule in recent])


def profits(position: Position, expected: Array) -> tuple[Array, Array]:
    """Profit of each rule in each world, (P, n), and the chance of each effort's answer, (P, n, K)."""
    ensemble, seen = position.ensemble, seen_efforts(position.counts)
    paid = np.moveaxis(ensemble.worlds.paid(expected), 0, 2)
    error, temperature = ensemble.noise[:, :, None, None]
    gains = np.where(seen, (paid - ensemble.costs[:, None, :]) / temperature, -np.inf)
    weights = np.exp(gains - gains.max(axis=2, keepdims=True))
    chances = (1 - error) * weights / weights.sum(axis=2, keepdims=True) + error * seen / seen.sum()
    worth = (ensemble.information @ position.value)[:, None, :]
    return (chances * (worth - paid)).sum(axis=2), chances
