"""Offer: what a learner proposes for one round."""

from __future__ import annotations

from dataclasses import dataclass

from scorewright.kernel import Phase
from scorewright.rules import Rule
from scorewright.validation import Array


@dataclass(frozen=True, eq=False)
class Offer:
    """One round's proposal, open until it is told.

    Attributes
    ----------
    number : int
        The round, from 1.
    rule : Rule
        What to pay.
    target : int or None
        The effort that it should buy.
    phase : str
        OSRL-UCB: "oracle", "optimise" or "search"; others also "explore" and "exploit".
    index : (K,) array or None
        The optimistic profit of each effort, in optimise rounds.
    why : str
        The reason in words.
    """

    number: int
    rule: Rule
    target: int | None
    phase: Phase
    index: Array | None
    why: str
