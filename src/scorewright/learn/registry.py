"""Learners by name, as the command line and studies make them."""

from __future__ import annotations

import inspect
from typing import Any

from scorewright import document
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


def needs(name: str, *, unless_told: bool = False) -> frozenset[str]:
    """Return the names of the options that a learner takes, such as "oracle" or "game".

    Parameters
    ----------
    name : str
    unless_told : bool
        Only those without which it can't be made.
    """
    options = inspect.signature(_LEARNERS[member(name, "learner", names())]).parameters.values()
    wanted = {one.name for one in options if not unless_told or one.default is inspect.Parameter.empty}
    return frozenset(wanted) - {"setting"}


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


def restore(setting: Setting, state: dict[str, Any]) -> Learner:
    """Return the learner that `state` was taken from, whichever it was.

    Examples
    --------
    >>> import scorewright as sw
    >>> game = sw.families.make("three_efforts")
    >>> sw.learn.restore(game.setting, sw.learn.Haggler(game.setting, rng=0).state()).name
    'haggler'
    """
    name = document.check(state, "learner")[1]["learner"]
    return _LEARNERS[member(name, "learner", names())].restore(setting, state)
