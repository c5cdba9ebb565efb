"""Where a learner is kept between two rounds: one file, whole or not at all, on the disk before anything goes on."""

from __future__ import annotations

import contextlib
import json
import os
import stat
import tempfile
from pathlib import Path
from typing import Any

from scorewright import document
from scorewright.errors import DocumentError, FileError, ScorewrightError
from scorewright.game import Setting
from scorewright.learn import Learner

_INSTEAD = "move it away to begin afresh, or name another file with --state"


class Keeper:
    """The state file of one learner.

    Parameters
    ----------
    path : Path

    Attributes
    ----------
    rounds : int
        Rounds answered, according to the file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.rounds = 0
        self._mark: tuple[int, ...] | None = None

    def restore(self, fresh: Learner, setting: Setting, given: dict[str, Any]) -> Learner | None:
        """Return the learner that was kept, one like `fresh`; None if there is no file yet.

        Parameters
        ----------
        fresh : Learner
            Made with the options that the user gave.
        setting : Setting
        given : {option: entry of the learner's options}
            Options that the user named: what was kept must have been made with the same.
        """
        if not os.path.lexists(self.path):
            return None
        try:
            self._mark = _mark(self.path)
            state = document.read(self.path)
            kept = document.check(state, "learner")[1]
        except ScorewrightError as problem:
            named = "" if str(self.path) in str(problem) else f"{self.path}: "
            raise type(problem)(f"{named}{problem}; {_INSTEAD}") from None
        if kept["learner"] != fresh.name:
            raise DocumentError(
                f"{self.path} is the state of {kept['learner']!r:.60}: say --learner {kept['learner']!s:.60} to go on, "
                f"or name another file with --state"
            )
        try:
            learner = type(fresh).restore(setting, state)
        except ScorewrightError as problem:
            raise DocumentError(f"can't go on from {self.path}: {problem}; {_INSTEAD}") from None
        except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as problem:
            raise DocumentError(f"{self.path} is damaged ({type(problem).__name__}): {_INSTEAD}") from None
        before, now = kept["options"], fresh.state()["options"]
        for option, entry in given.items():
            if before.get(entry) != now.get(entry):
                raise DocumentError(
                    f"{self.path} was begun with another --{option}: leave --{option} out to go on, or {_INSTEAD}"
                )
        self.rounds = kept["number"] - 1
        return learner

    def keep(self, learner: Learner) -> None:
        """Write the learner's state: on the disk when this returns, and never half of it."""
        state = learner.state()
        if self._mark != _mark(self.path):
            raise FileError(
                f"{self.path} was changed by somebody else meanwhile, perhaps another session: begin again to go on "
                f"from what it says now"
            )
        text = json.dumps(state, allow_nan=False) + "\n"
        where = self.path.resolve()  # through a link, to the file that it stands for
        try:
            descriptor, name = tempfile.mkstemp(dir=where.parent, prefix=f".{where.name}.")
            draft = Path(name)
            try:
                with os.fdopen(descriptor, "w", encoding="ascii") as file:
                    file.write(text)
                    file.flush()
                    os.fsync(file.fileno())
                if where.exists():  # a new one is for its owner's eyes; who opened it to others keeps it so
                    draft.chmod(stat.S_IMODE(where.stat().st_mode))
                mark = _mark(draft)
                draft.replace(where)
            except BaseException:
                draft.unlink(missing_ok=True)
                raise
        except OSError as problem:
            raise FileError(f"can't write {self.path}: {(problem.strerror or str(problem)).lower()}") from None
        self._mark, self.rounds = mark, state["number"] - 1
        with contextlib.suppress(OSError):  # where folders can't be opened, the name follows when the system likes
            _sync_folder(where.parent)


def _mark(path: Path) -> tuple[int, ...] | None:
    """What changes whenever somebody writes the file; None if there is none."""
    try:
        about = path.stat()
    except OSError:
        return None
    return about.st_ino, about.st_mtime_ns, about.st_size


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
