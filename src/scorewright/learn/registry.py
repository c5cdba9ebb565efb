"""Learners by name, as the command line and studies make them.

A name is one of ours, one that an installed package registers under the entry point group ``scorewright.learners``, or
a Python path, ``module:attribute``.
"""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
import inspect
from collections.abc import Callable
from typing import Any

from scorewright import document
from scorewright.errors import InvalidInputError, UnknownNameError
from scorewright.game import Setting
from scorewright.learn.explore_then_commit import ExploreThenCommit
from scorewright.learn.fixed_rule import Clairvoyant, FixedRule
from scorewright.learn.haggler import Haggler
from scorewright.learn.informed import Informed
from scorewright.learn.learner import Learner
from scorewright.learn.osrl_ucb import OsrlUcb
from scorewright.learn.rule_bandits import OracleBandit, ScaledQuadratic
from scorewright.validation import member

GROUP = "scorewright.learners"
"""The entry point group in which other packages register learners."""

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
    """Return the names that `make` knows: ours, then those that installed packages register."""
    return (*_LEARNERS, *(name for name in _registered() if name not in _LEARNERS))


def find(name: str) -> Callable[..., Learner]:
    """Return what makes the learner of this name: a class, or any callable that takes a setting and options."""
    if name in _LEARNERS:
        return _LEARNERS[name]
    if ":" in str(name):
        return _imported(name)
    return _imported(_registered()[member(name, "learner", names())])


def needs(name: str, *, unless_told: bool = False) -> frozenset[str]:
    """Return the names of the options that a learner takes, such as "oracle" or "game".

    Parameters
    ----------
    name : str
    unless_told : bool
        Only those without which it can't be made.
    """
    options = inspect.signature(find(name)).parameters.values()
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
    takes = needs(name)
    for option in options:
        if option not in takes:
            raise InvalidInputError(f"learner {name!r} has no option {option!r}; it takes {', '.join(sorted(takes))}")
    made = find(name)(setting, **options)
    if not isinstance(made, Learner):
        raise InvalidInputError(f"{name!r} made a value of type {type(made).__name__}, not a Learner")
    return made


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
    kind = find(name)
    if not (isinstance(kind, type) and issubclass(kind, Learner)):
        raise InvalidInputError(f"learner {name!r} is made by a function: restore it from its own class")
    return kind.restore(setting, state)


@functools.cache
def _registered() -> dict[str, str]:
    return {entry.name: entry.value for entry in importlib.metadata.entry_points(group=GROUP)}


def _imported(path: str) -> Callable[..., Learner]:
    """What a Python path such as ``package.module:Attribute`` stands for."""
    module, _, attribute = path.partition(":")
    try:
        found = functools.reduce(getattr, attribute.split("."), importlib.import_module(module))
    except (ImportError, AttributeError, ValueError) as problem:
        raise UnknownNameError(f"learner {path!r} can't be imported: {problem}") from None
    if not callable(found):
        raise UnknownNameError(f"learner {path!r} is a {type(found).__name__}: it must be a class or a function")
    made: Callable[..., Learner] = found
    return made
