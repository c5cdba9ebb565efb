"""Decisions in words, as the command line and study files say them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scorewright import document
from scorewright.errors import InvalidInputError
from scorewright.forecasts.decisions import Recipe, classify, invest, newsvendor
from scorewright.validation import member

NAMED: dict[str, Callable[..., Recipe]] = {"classify": classify, "invest": invest, "newsvendor": newsvendor}


def spoken(said: str) -> Any:
    """Read a decision in words: a name with its numbers, a matrix in JSON, or a JSON file.

    Examples
    --------
    >>> spoken("classify:healthy=2,disease=10")(("healthy", "disease"))[0].tolist()
    [[0.0, -10.0], [-2.0, 0.0]]
    >>> spoken("[[1, 0], [0, 1]]")
    [[1, 0], [0, 1]]
    """
    name, _, rest = said.partition(":")
    if name in NAMED:
        return _named(name, rest)
    if said.lstrip().startswith(("[", "{")):
        try:
            content = json.loads(said)
        except json.JSONDecodeError as problem:
            raise InvalidInputError(f"the utility is not JSON: {problem.msg}") from None
    elif Path(said).is_file():
        content = document.read(said)
    else:
        member(name, "decision (and there is no such file)", tuple(NAMED))
    return content["utility"] if isinstance(content, dict) and "utility" in content else content


def _named(name: str, rest: str) -> Recipe:
    """A named decision with its numbers: ``state=number`` or ``option=number``, separated by commas."""
    given: dict[str, float] = {}
    for part in filter(None, rest.split(",")):
        word, equals, value = part.rpartition("=")
        try:
            given[word.strip()] = float(value)
        except ValueError:
            equals = ""
        if not equals:
            raise InvalidInputError(f"{name}: {part!r} must read name=number")
    if name == "newsvendor":
        options = {word: given.pop(word) for word in ("price", "cost", "salvage") if word in given}
        missing = [word for word in ("price", "cost") if word not in options]
        if missing:
            raise InvalidInputError(f"newsvendor needs {missing[0]}, as in newsvendor:price=5,cost=3")
        return newsvendor(**options, demand=given or None)
    if name == "invest" and not given:
        raise InvalidInputError("invest needs what each state gains, as in invest:up=100,down=-80")
    return NAMED[name](given) if given else NAMED[name]()
