"""Opening: the first rules to offer, an oracle's or one's own.

An oracle knows a rule for every effort, but most pay more than they must. Half of it is offered first, which costs half
as much to look at, and the whole only if that did not show the effort; one that another's rule has shown already needs
no first play of its own.

Without an oracle the zero rule shows the cheapest effort. Two shapes show what money can buy, from small sizes up: the
quadratic rule, and the rule that pays in proportion to the principal's own utility. What a shape pays in a state
whatever is reported buys nothing and is left out; and no rule has more at stake for the agent, from the best belief to
the worst, than the principal has herself: an effort that costs more than that is not worth buying. Half of that is
offered first here too, and the whole only if nothing else has shown what money buys. Wherever two sizes of one shape
were answered differently, the size half-way between them may show an effort in between. Efforts that none of these
shows are looked for later, as long as they promise to pay for it (bargaining.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from scorewright.game import Setting
from scorewright.learn.move import Move
from scorewright.rules import Rule, linear, quadratic
from scorewright.validation import Array

_LADDERS = ((1 / 16, 1 / 4, 1 / 2), (1 / 4, 1 / 2))
"""Sizes to begin with, by shape: small ones first, which are cheap and may show every effort that there is."""

_CLOSE = 0.3
"""Sizes closer than this are close enough."""

_FIRST = 0.5
"""How much of an oracle's rule is offered first."""


def shapes(setting: Setting) -> list[Array]:
    """Return the shapes at full size: payments (M, W)."""
    terms, stake = setting.terms, float(np.ptp(setting.value))
    if terms.bound == 0:
        return []
    found = []
    for rule in (quadratic(terms.beliefs, terms.bound), linear(terms.beliefs, setting.utility, 1.0)):
        payments = rule.payments - rule.payments.min(axis=0)
        spread = float(np.ptp(np.einsum("mw,mw->m", terms.beliefs, payments)))
        if payments.max() > 0 and spread > 0:
            found.append(payments * min(terms.bound / payments.max(), stake / spread))
    return [shape for shape in found if shape.any()]


def next_opening(
    full: Sequence[Array], tried: Sequence[tuple[int, float, int]], efforts: int | None
) -> tuple[int, float] | None:
    """Return the next shape and size to offer, or None when the opening is over.

    Parameters
    ----------
    full : sequence of (M, W) arrays
        The shapes.
    tried : sequence of (shape, size, answer)
    efforts : int or None
        How many efforts there are, if that is known: when all have been seen, the opening is over.
    """
    if not tried:
        return 0, 0.0
    if efforts is not None and len({answer for _, _, answer in tried}) >= efforts:
        return None
    zero = tried[0][2]
    rungs = [(shape, size) for shape, sizes in enumerate(_LADDERS[: len(full)]) for size in sizes]
    if all(answer == zero for _, _, answer in tried):
        rungs += [(shape, 1.0) for shape in range(len(full))]
    done = {(shape, size) for shape, size, _ in tried}
    for rung in rungs:
        if rung not in done:
            return rung
    between = []
    for shape in range(len(full)):
        sizes = sorted({0.0: zero, **{size: answer for known, size, answer in tried if known == shape}}.items())
        between += [
            (high - low, -shape, (low + high) / 2)
            for (low, one), (high, two) in pairwise(sizes)
            if one != two and high - low > _CLOSE
        ]
    if not between:
        return None
    _, shape, size = max(between)
    return -shape, size


class FirstPlays:
    """An opening under way with an oracle: whose rules are still to be played, and how much of the first one.

    Parameters
    ----------
    oracle : sequence of Rule or None
    names : sequence of str
        What to call the efforts.
    """

    def __init__(self, oracle: Sequence[Rule | None], names: Sequence[str]) -> None:
        self._rules = {effort: rule.payments for effort, rule in enumerate(oracle) if rule is not None}
        self._names, self._left, self._size = names, list(self._rules), _FIRST

    def next(self) -> Move | None:
        """Return what to offer next, or None when the opening is over."""
        if not self._left:
            return None
        effort = self._left[0]
        whole, name = self._rules[effort], self._names[effort]
        if self._size < 1 and whole.any():
            why = f"first play of the oracle rule of {name}, at {self._size:.0%} of its size: that may be enough"
            return Move("oracle", effort, self._size * whole, 1, why)
        return Move("oracle", effort, np.array(whole), 1, f"first play of the oracle rule of {name}")

    def hear(self, effort: int) -> None:
        """Take in which effort answered; nothing, if no offer of the opening is out."""
        if not self._left:
            return
        target = self._left[0]
        again = effort != target and self._size < 1 and self._rules[target].any()
        self._size = 1.0 if again else _FIRST
        self._left = [one for one in self._left[0 if again else 1 :] if one != effort]

    def save(self) -> dict[str, Any]:
        """Return its state, JSON-able."""
        return {"left": list(self._left), "size": self._size}

    def load(self, saved: dict[str, Any]) -> None:
        """Take back what `save` returned."""
        left, size = list(saved["left"]), saved["size"]
        if len(set(left)) < len(left) or not set(left) <= set(self._rules) or size not in (_FIRST, 1.0):
            raise ValueError("these first plays are none of this oracle's")
        self._left, self._size = [int(effort) for effort in left], float(size)


class Opening:
    """An opening under way without an oracle: what was tried, and which effort answered.

    Parameters
    ----------
    setting : Setting
    """

    def __init__(self, setting: Setting) -> None:
        self._setting, self._shapes = setting, shapes(setting)
        self._tried: list[tuple[int, float, int]] = []
        self._trying: tuple[int, float] | None = None

    def next(self) -> Move | None:
        """Return what to offer next, or None when the opening is over."""
        known = self._setting.terms.efforts
        self._trying = next_opening(self._shapes, self._tried, None if known is None else len(known))
        if self._trying is None:
            return None
        shape, size = self._trying
        likely = self._tried[-1][2] if self._tried else 0
        payments = size * self._shapes[shape] if self._shapes else np.zeros(self._setting.terms.beliefs.shape)
        why = "explore: pay nothing, to see the cheapest effort"
        if size > 0:
            what = "quadratic rule" if shape == 0 else "rule in proportion to your own utility"
            why = f"explore: the {what} at {size:.0%} of its size, to see what it buys"
        return Move("explore", likely, payments, 1, why)

    def hear(self, effort: int) -> None:
        """Take in which effort answered; nothing, if no offer of the opening is out."""
        if self._trying is not None:
            self._tried.append((*self._trying, effort))
            self._trying = None

    def save(self) -> dict[str, Any]:
        """Return its state, JSON-able."""
        return {"tried": [list(one) for one in self._tried], "trying": self._trying and list(self._trying)}

    def load(self, saved: dict[str, Any]) -> None:
        """Take back what `save` returned."""
        tried, trying = [tuple(one) for one in saved["tried"]], saved["trying"]
        for shape, size, *answer in [*tried, *([] if trying is None else [trying])]:
            if shape not in range(max(1, len(self._shapes))) or not 0 <= size <= 1 or min(answer, default=0) < 0:
                raise ValueError("this opening offered rules that no opening does")
        self._tried = [(int(shape), float(size), int(answer)) for shape, size, answer in tried]
        self._trying = None if trying is None else (int(trying[0]), float(trying[1]))
