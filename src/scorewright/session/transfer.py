"""Export and import: a session as JSON Lines, one event a line, under a first line that says what it is.

The last line has the number of events and a digest of all of them, so that a file cut short is noticed. An import
checks every line against the schema, plays the session through, and checks every payment against the rule issued. It
writes as it reads, but nobody finds the session before the last line has been checked (staging.py).
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from scorewright import document, tolerance
from scorewright.errors import DocumentError, FileError, InvalidInputError, ScorewrightError, StoreError
from scorewright.learn import Learner
from scorewright.session import events
from scorewright.session.book import Book
from scorewright.session.config import Config, read_text, read_unit
from scorewright.session.events import Event
from scorewright.session.round import Round, settlement
from scorewright.session.session import Session
from scorewright.session.staging import Staging
from scorewright.session.store import Store, now

Progress = Callable[[int, int], None]

_PAGE = 1000
"""Events written at a time."""

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00")
_NAME = re.compile("[0-9A-Za-z_.-]{1,100}")


def export_lines(session: Session) -> Iterator[str]:
    """Return the lines of a session's log, without line ends."""
    digest = hashlib.sha256()
    written = 0
    yield _line(document.stamp("session", {"line": "head", "session": session.config.id}))
    with session.store.reading() as connection:
        for event in events.after(connection, session.config.id, 0):
            line = _line(document.stamp("session", {"line": "event"}) | asdict(event))
            digest.update(line.encode())
            written += 1
            yield line
    yield _line(document.stamp("session", {"line": "end", "events": written, "sha256": digest.hexdigest()}))


def export(session: Session, path: document.Path_) -> int:
    """Write a session's log to a file, whole or not at all; return the number of events."""
    where = Path(path)
    draft = where.with_name(f".{where.name}.{os.getpid()}.part")
    number = -2  # the first and the last line are no events
    try:
        try:
            with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
                for line in export_lines(session):
                    file.write(line + "\n")
                    number += 1
            draft.replace(where)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
    except StoreError:
        raise
    except OSError as problem:
        raise FileError(f"can't write {where}: {(problem.strerror or str(problem)).lower()}") from None
    return number


def import_session(
    store: Store, path: document.Path_, *, kind: type[Learner] | None = None, progress: Progress | None = None
) -> Session:
    """Read a file that `export` wrote into a store, all of it or nothing.

    Parameters
    ----------
    store : Store
    path : path
    kind : type of Learner, optional
        Needed only for a learner of your own.
    progress : callable, optional
        Called with bytes read and bytes in all, now and then.
    """
    try:
        with Path(path).open(encoding="utf-8") as file:
            size = os.fstat(file.fileno()).st_size
            config = _take_in(store, _ticking(file, size, progress), kind)
    except UnicodeError:  # in the file itself, or in a text that it spells out
        raise DocumentError(f"{path} is not a text file (UTF-8)") from None
    except ScorewrightError as problem:
        raise type(problem)(f"{path}: {problem}") from None
    except OSError as problem:
        raise FileError(f"can't read {path}: {(problem.strerror or str(problem)).lower()}") from None
    return Session(store, config, kind)


def _take_in(store: Store, lines: Iterable[str], kind: type[Learner] | None) -> Config:
    read = _checked(lines)
    opened = next(read, None)
    if opened is None:
        raise DocumentError("it has no events at all")
    try:
        book = Book(opened, kind)
        config = book.config
        read_text(config.name, "name")
        read_unit(config.unit, config.setting)
    except (InvalidInputError, KeyError, TypeError) as problem:
        raise DocumentError(f"its first event does not open a session: {problem!r:.200}") from None
    staging = Staging(store, config)
    try:
        waiting = [opened]
        for event in _played(read, book):
            waiting.append(event)
            if len(waiting) >= _PAGE:
                staging.add(waiting)
                waiting = []
        if waiting:
            staging.add(waiting)
        staging.finish(book)
    except BaseException:
        staging.discard()
        raise
    return config


def _played(read: Iterable[Event], book: Book) -> Iterator[Event]:
    """Return the events that follow, each checked and taken in by the book."""
    rounds: dict[int, Round] = {}  # open or awaiting settlement
    for event in read:
        try:
            if event.kind == "asked":
                rounds[event.round] = Round.of([event], book.config.setting)
                _check_step(rounds[event.round], event, book)
            elif event.round in rounds:
                _check_step(rounds[event.round], event, book)
                rounds[event.round] = rounds[event.round].after(event)
                if rounds[event.round].status in ("settled", "abandoned"):
                    del rounds[event.round]
            book.apply(event)
        except (ScorewrightError, KeyError, TypeError, ValueError) as problem:
            raise DocumentError(f"event {event.sequence} can't be: {problem}") from None
        yield event


def _check_step(round_: Round, event: Event, book: Book) -> None:
    """Raise unless the event says what a session would have written, and what follows from the round as issued."""
    for name in ("about", "phase", "reason", "why"):
        read_text(event.body.get(name), name)
    if event.kind == "asked":
        counts = round_.rule.payments / book.config.unit
        if np.abs(counts - np.rint(counts)).max() > tolerance.PROPER * tolerance.scale(float(np.abs(counts).max())):
            raise DocumentError(f"its payments are not whole multiples of the unit, {book.config.unit:g}")
    if "effort" in event.body:
        book.effort(event.body["effort"])
    if event.kind == "told" and "report" in event.body and round_.rule.row(event.body["report"]) != event.body["row"]:
        raise DocumentError(f"its report counts as row {round_.rule.row(event.body['report'])}, not as its row says")
    if event.kind == "settled":
        due = settlement(round_, book.config.setting.terms.state(event.body["state"]), book.config.setting)
        if due != event.body:
            wrong = next(name for name in due if due[name] != event.body.get(name))
            raise DocumentError(f"its {wrong} is not what the rule and the setting say: {due[wrong]}")


def _checked(lines: Iterable[str]) -> Iterator[Event]:
    """Return the events of a file whose every line is what it should be, down to the last one."""
    digest = hashlib.sha256()
    wanted, named = "head", ""
    for number, text in enumerate(lines, start=1):
        line = text.rstrip("\n")
        try:
            entries = document.check(json.loads(line, parse_constant=_no_number), "session")[1]
        except (ValueError, RecursionError) as problem:
            broken = problem if isinstance(problem, ScorewrightError) else "it is not JSON"
            raise DocumentError(f"line {number}: {broken}") from None
        if wanted == "nothing" or (entries["line"] == "head") != (wanted == "head"):
            raise DocumentError(f"line {number}: a session's file has one head, its events, and one end")
        if entries["line"] == "head":
            named = entries["session"]
        if entries["line"] == "event":
            digest.update(line.encode())
            event = _event(entries, number - 1)
            if event.kind == "opened" and event.body["session"] != named:
                raise DocumentError(f"its head says session {named}, its first event {event.body['session']}")
            yield event
        is_last = entries["line"] == "end"
        if is_last and (entries["events"], entries["sha256"]) != (number - 2, digest.hexdigest()):
            raise DocumentError("its events are not those that were exported: it has been changed, or cut")
        wanted = "nothing" if is_last else "event"
    if wanted != "nothing":
        raise DocumentError("it has no last line: it was cut short")


def _event(entries: dict[str, Any], expected: int) -> Event:
    event = Event(**{name: entries[name] for name in Event.__dataclass_fields__})
    if event.sequence != expected or (event.kind == "opened") != (expected == 1):
        raise DocumentError(f"line {expected + 1}: event {event.sequence} {event.kind!r} is not the next one")
    if not _TIME.fullmatch(event.at) or not _NAME.fullmatch(event.by):
        raise DocumentError(f"line {expected + 1}: 'at' must be a time such as {now()}, 'by' a token's id or local")
    return event


def _no_number(text: str) -> None:
    raise ValueError(text)  # NaN and Infinity are not JSON


def _line(content: dict[str, Any]) -> str:
    return json.dumps(content, allow_nan=False)


def _ticking(file: Any, size: int, progress: Progress | None) -> Iterator[str]:
    done = 0
    for number, line in enumerate(file):
        done += len(line)
        if progress is not None and number % 1000 == 0:
            progress(done, size)
        yield line
