"""Learners by name, as the command line and studies make them."""

from __future__ import annotations

import inspect
from typing import Any

from scorewright.errors import InvalidInputError
from scorewright.game import Setting
from scorewright.learn.explore_then_commit import ExploreThenCommit
from scorewright.learn.fixed_rule import Clairvoyant, FixedRule
from scorewright.learn.haggler import Haggler
from scorewright.learn.informed import Informed
from scorewright.learn.learner import Learner
from scorewright.learn.osrl_ucb import OsrlUcb
from scorewright.learn.rule_bandits import OracleBandit, ScaledQuadratic
from scorewright.validation import member

_KINDS: tuple[type[Learner], ...] = (
    Haggler,
    OsrlUcb,
    OracleBandit,
    ScaledQuadratic,
    ExploreThenCommit,
    FixedRule,
    Informed,
    Clairvoyant,
)
_LEARNERS = {kind.name: kind for kind in _KINDS}


def names() -> tuple[str, ...]:
    """Return the names that `make` knows."""
    return tuple(_LEARNERS)


def needs(name: str) -> frozenset[str]:
    """Return the names of the options that a learner takes, such as "oracle" or "game"."""
    kind = _LEARNERS[member(name, "learner", names())]
    return frozenset(inspect.signature(kind).parameters) - {"setting"}


def make(name: str, setting: Setting, **options: Any) -> Learner:
    """Return a learner by name.

    Examples
    --------
    >>> import scorewright as sw
    >>> game = sw.families.make("three_efforts")
    >>> sw.learn.make("osrl-ucb", game.setting, oracle=sw.oracles.best_margin(game)).name
    'osrl-ucb'
    """
    kind = _LEARNERS[member(name, "learner", names())]
    takes = needs(name)
    for option in options:
        if option not in takes:
            raise InvalidInputError(f"learner {name!r} has no option {option!r}; it takes {', '.join(sorted(takes))}")
    return kind(setting, **options)
