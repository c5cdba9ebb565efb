"""A learner by name and options in JSON, as the terminal and the service are told of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scorewright import learn, oracles
from scorewright.errors import InvalidInputError
from scorewright.game import Game, Setting
from scorewright.learn import Learner
from scorewright.rules import Rule
from scorewright.validation import member, whole

_PROCEDURES = {"random-sampling": oracles.RandomSampling, "linear-search": oracles.LinearSearch}


def make_learner(name: str, setting: Setting, options: Mapping[str, Any] | None = None, *, seed: int = 0) -> Learner:
    """Return a learner made from JSON.

    Parameters
    ----------
    name : str
        As `scorewright.learn.make` knows it.
    setting : Setting
    options : mapping, optional
        The learner's own, with rules as payment tables: ``oracle`` (one table or null per effort, {effort: table}, or
        {"procedure": "random-sampling" or "linear-search", ...}), ``rule`` (a table), ``radius`` (the scale),
        ``game`` (a game's document), and numbers such as ``horizon``.
    seed : int
    """
    needs = learn.needs(name)
    made: dict[str, Any] = {}
    for option, value in dict(options or {}).items():
        if option not in needs or option in ("rng", "mixing", "stop"):
            takes = ", ".join(sorted(needs - {"rng", "mixing", "stop"})) or "none"
            raise InvalidInputError(f"learner {name!r} has no option {str(option)[:40]!r}; it takes {takes}")
        made[option] = value if value is None else _READ.get(option, lambda value, _: value)(value, setting)
    if "rng" in needs:
        made["rng"] = whole(seed, "seed", least=0)
    missing = learn.needs(name, unless_told=True) - set(made)
    if missing:
        raise InvalidInputError(f"learner {name!r} must be told its {' and '.join(sorted(missing))}, in options")
    return learn.make(name, setting, **made)


def _rule(payments: Any, setting: Setting) -> Rule:
    return Rule(payments, setting.terms.beliefs)


def _oracle(value: Any, setting: Setting) -> Any:
    if isinstance(value, Mapping) and "procedure" in value:
        options = dict(value)
        kind = _PROCEDURES[member(options.pop("procedure"), "procedure", tuple(_PROCEDURES))]
        try:
            return kind(**options)
        except TypeError:
            raise InvalidInputError(
                f"oracle: {kind.__name__} does not take all of {', '.join(map(str, options))}"
            ) from None
    if isinstance(value, Mapping):
        # JSON has no whole-number keys
        return {int(k) if k.isdecimal() else k: _rule(payments, setting) for k, payments in value.items()}
    if not isinstance(value, list):
        raise InvalidInputError("oracle must be a list of payment tables, one per effort, or null where none is known")
    return [None if payments is None else _rule(payments, setting) for payments in value]


_READ: dict[str, Any] = {
    "oracle": _oracle,
    "rule": _rule,
    "radius": lambda value, _: learn.Radius(value),
    "game": lambda value, _: Game.from_dict(value),
}
