"""Browsing: a session's rounds a page at a time, by the number where it begins; nothing here reads a whole log."""

from __future__ import annotations

import itertools

import sqlalchemy as sa

from scorewright.errors import NotFoundError
from scorewright.session import events, schema
from scorewright.session.events import Event
from scorewright.session.round import Round
from scorewright.session.session import LAST_ROUND, Session


def latest(session: Session, before: int = LAST_ROUND, most: int = 100) -> list[Round]:
    """Return the last rounds before round `before`, the newest first."""
    with session.store.reading() as connection:
        newest = events.of_last_round(connection, session.config.id)
        last = min(newest[0].round if newest else 0, before - 1)
        found = events.of_rounds(connection, session.config.id, max(1, last - most + 1), last)
    return Round.several(found, session.config.setting)[::-1]


def awaiting(session: Session, after: int = 0, most: int = 100) -> list[Round]:
    """Return the rounds after round `after` that await settlement, the oldest first."""
    with session.reading() as book:
        numbers = list(itertools.islice(book.awaiting.after(after), most))
    return list(session.rounds_numbered(numbers).values())


def latest_reported_by(session: Session, by: str, before: int = LAST_ROUND, most: int = 100) -> list[Round]:
    """Return the last rounds before round `before` that `by` reported in, the newest first."""
    with session.store.reading() as connection:
        numbers = events.last_rounds_told_by(connection, session.config.id, by, before, most)
    return [one for one in reversed(session.rounds_numbered(numbers).values()) if one.reported == by]


def last_event(session: Session) -> int:
    """Return the number of the last event."""
    with session.store.reading() as connection:
        row = schema.sessions.c
        return int(connection.execute(sa.select(row.sequence).where(row.id == session.config.id)).scalar_one())


def trail(session: Session, number: int) -> list[Event]:
    """Return all that happened to a round, in order."""
    with session.store.reading() as connection:
        found = events.of_rounds(connection, session.config.id, number, number)
    if not found:
        raise NotFoundError(f"there is no round {number} in this session")
    return found
