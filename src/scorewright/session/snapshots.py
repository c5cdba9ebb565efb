"""Snapshots: a book as of some event, so that opening a long session does not read its whole log.

They are a convenience: one that can't be read (another release wrote it) is passed over, and so is one that can't be
written.
"""

from __future__ import annotations

import json
import logging
import zlib

import sqlalchemy as sa

from scorewright.errors import ScorewrightError
from scorewright.learn import Learner
from scorewright.session import events, schema
from scorewright.session.book import Book
from scorewright.session.store import Store

_log = logging.getLogger(__name__)

KEPT = 2
"""Snapshots kept per session: the last, and one more in case that can't be read."""


def read(connection: sa.Connection, session: str, kind: type[Learner] | None = None) -> Book | None:
    """Return the book of a session as of its last event, from its newest readable snapshot; None if it is unknown."""
    opened = next(events.after(connection, session, 0, 1), None)
    if opened is None:
        return None
    book = Book(opened, kind)
    row = schema.snapshots.c
    chosen = sa.select(row.content).where(row.session == session).order_by(row.sequence.desc())
    for content in connection.execute(chosen).scalars():
        try:
            book.load(json.loads(zlib.decompress(content)))
            break
        except (ScorewrightError, ArithmeticError, LookupError, TypeError, ValueError, zlib.error) as problem:
            _log.warning("session %s: a snapshot can't be read and is passed over: %r", session, problem)
            book = Book(opened, kind)
    catch_up(connection, book)
    return book


def replay(connection: sa.Connection, session: str, kind: type[Learner] | None = None) -> Book | None:
    """Return the book of a session from its log alone."""
    opened = next(events.after(connection, session, 0, 1), None)
    if opened is None:
        return None
    book = Book(opened, kind)
    catch_up(connection, book)
    return book


def catch_up(connection: sa.Connection, book: Book) -> None:
    """Take in what was written since."""
    for event in events.after(connection, book.config.id, book.sequence):
        book.apply(event)


def write(store: Store, book: Book) -> bool:
    """Keep a snapshot of a book that agrees with the store; whether it could be kept."""
    session, row = book.config.id, schema.snapshots.c
    try:
        content = zlib.compress(json.dumps(book.to_dict(), allow_nan=False).encode(), 1)
        with store.writing() as connection:
            there = set(connection.execute(sa.select(row.sequence).where(row.session == session)).scalars())
            if book.sequence not in there:
                new = {"session": session, "sequence": book.sequence, "content": content}
                connection.execute(sa.insert(schema.snapshots), new)
            old = sorted(there | {book.sequence})[:-KEPT]
            if old:
                connection.execute(sa.delete(schema.snapshots).where(row.session == session, row.sequence.in_(old)))
    except Exception as problem:  # whatever it is, the step before it is on the disk and must not seem to have failed
        _log.warning("session %s: no snapshot, so that opening it takes longer: %s", session, problem)
        return False
    return True
