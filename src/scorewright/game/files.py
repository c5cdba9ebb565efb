"""Reading what was saved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scorewright import document
from scorewright.errors import DocumentError, ScorewrightError
from scorewright.game.game import Game
from scorewright.game.setting import Setting
from scorewright.rules import Rule

_KINDS: dict[str, Callable[[Any], Game | Setting | Rule]] = {
    "game": Game.from_dict,
    "setting": Setting.from_dict,
    "rule": Rule.from_dict,
}


def load(path: document.Path_) -> Game | Setting | Rule:
    """Read a game, setting or rule from a JSON file; the file says which it is.

    Raises
    ------
    FileError
        The file can't be read.
    DocumentError
        It is not JSON, not a scorewright document, or of a newer version.
    InvalidInputError
        It says something that can't be, such as probabilities that do not sum to one.
    """
    content = document.read(path)
    try:
        kind = document.check(content)[0]
        if kind == "session":
            raise DocumentError("this is an exported session; read it into a store with scorewright session import")
        if kind not in _KINDS:
            raise DocumentError(f"this is the state of a {kind}; give it to that learner's restore, with its setting")
        return _KINDS[kind](content)
    except ScorewrightError as problem:
        raise type(problem)(f"{path}: {problem}") from None
