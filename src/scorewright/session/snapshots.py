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


def read(connection: sa.Connection, session: str, kind: type[Learner] | None = None) -> Book:
    """Return the book of a session as of its last event, from its newest readable snapshot."""
    opened = events.opened(connection, session)
    row = schema.snapshots.c
    chosen = sa.select(row.sequence, row.content).where(row.session == session).order_by(row.sequence.desc())
    for kept, content in connection.execute(chosen):
        try:
            book = Book(opened, kind, json.loads(zlib.decompress(content)))
            if catch_up(connection, book):
                book.kept = kept
                return book
            problem: object = "it is of another log"
        except (ScorewrightError, ArithmeticError, LookupError, TypeError, ValueError, zlib.error) as caught:
            problem = caught
        _log.warning("session %s: a snapshot can't be read and is passed over: %r", session, problem)
    return replay(connection, session, kind)


def replay(connection: sa.Connection, session: str, kind: type[Learner] | None = None) -> Book:
    """Return the book of a session from its log alone."""
    book = Book(events.opened(connection, session), kind)
    catch_up(connection, book)
    return book


def catch_up(connection: sa.Connection, book: Book) -> bool:
    """Take in what was written since; False if the log is not the one that the book was read from.

    That is so when the store has been put back to an earlier day, whatever was written since.
    """
    times = events.times(connection, book.config.id, book.sequence, 2)
    if not times or times[0] != book.at:
        return False
    if len(times) > 1:
        for event in events.after(connection, book.config.id, book.sequence):
            book.apply(event)
    return True


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
    finally:
        book.thought = 0.0  # or every step would try again
    book.kept = book.sequence
    return True
