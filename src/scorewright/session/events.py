"""Event: one line of a session's log. The log is append-only, and all that a session is follows from it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import sqlalchemy as sa

from scorewright.errors import NotFoundError
from scorewright.session import schema

Kind = Literal["opened", "asked", "told", "settled", "abandoned"]

_PAGE = 2000
"""Events read at a time."""

_encode = json.JSONEncoder(allow_nan=False).encode

_row = schema.events.c

_OPENED = (
    sa.select(schema.events)
    .join(schema.sessions, schema.sessions.c.id == _row.session)
    .where(_row.session == sa.bindparam("which"), _row.sequence == 1)
)
_AFTER = (
    sa.select(schema.events)
    .where(_row.session == sa.bindparam("which"), _row.sequence > sa.bindparam("last"))
    .order_by(_row.sequence)
    .limit(sa.bindparam("most"))
)
_TIMES = (
    sa.select(_row.at)
    .where(_row.session == sa.bindparam("which"), _row.sequence >= sa.bindparam("first"))
    .order_by(_row.sequence)
    .limit(sa.bindparam("most"))
)
_OF_ROUNDS = (
    sa.select(schema.events)
    .where(_row.session == sa.bindparam("which"), _row.round.between(sa.bindparam("first"), sa.bindparam("last")))
    .order_by(_row.sequence)
)
_OF_ROUNDS_NUMBERED = (
    sa.select(schema.events)
    .where(_row.session == sa.bindparam("which"), _row.round.in_(sa.bindparam("numbers", expanding=True)))
    .order_by(_row.sequence)
)
_LAST_ROUND = sa.select(sa.func.max(_row.round)).where(_row.session == sa.bindparam("which"))
_MOVE = (
    sa.update(schema.sessions)
    .where(schema.sessions.c.id == sa.bindparam("which"))
    .values(sequence=sa.bindparam("last"))
)


@dataclass(frozen=True)
class Event:
    """What happened.

    Attributes
    ----------
    sequence : int
        Its number in the session, from 1, without gaps.
    kind : str
        "opened" (the session), "asked" (a round, with its rule as issued), "told" (a report, an effort, or both),
        "settled", "abandoned".
    round : int
        The round, from 1; 0 for "opened".
    at : str
        When: UTC, ISO 8601.
    by : str
        Who: the id of a token, or "local".
    body : dict
        The rest, by kind.
    """

    sequence: int
    kind: Kind
    round: int
    at: str
    by: str
    body: dict[str, Any]


def append(connection: sa.Connection, session: str, *new: Event) -> None:
    """Write events at the end of a log whose session is locked."""
    connection.execute(
        sa.insert(schema.events),
        [
            {
                "session": session,
                "sequence": event.sequence,
                "kind": event.kind,
                "round": event.round,
                "at": event.at,
                "by": event.by,
                "body": _encode(event.body),
            }
            for event in new
        ],
    )
    connection.execute(_MOVE, {"which": session, "last": new[-1].sequence})


def opened(connection: sa.Connection, session: str) -> Event:
    """Return the first event of a session."""
    found = connection.execute(_OPENED, {"which": session}).first()
    if found is None:
        raise NotFoundError(f"there is no session {session!r:.80}")
    return _event(found)


def after(connection: sa.Connection, session: str, sequence: int, most: int | None = None) -> Iterator[Event]:
    """Return the events after number `sequence`, in order, at most `most` of them."""
    left = most
    while left is None or left > 0:
        page = _PAGE if left is None else min(_PAGE, left)
        found = connection.execute(_AFTER, {"which": session, "last": sequence, "most": page}).all()
        for one in found:
            yield _event(one)
        if len(found) < page:
            return
        sequence = found[-1].sequence
        left = None if left is None else left - page


def times(connection: sa.Connection, session: str, first: int, most: int) -> list[str]:
    """Return when event number `first` was, and those after it, at most `most` of them."""
    return list(connection.execute(_TIMES, {"which": session, "first": first, "most": most}).scalars())


def of_rounds(connection: sa.Connection, session: str, first: int, last: int) -> list[Event]:
    """Return the events of rounds `first` to `last`, in order."""
    found = connection.execute(_OF_ROUNDS, {"which": session, "first": first, "last": last})
    return [_event(one) for one in found.all()]


def of_rounds_numbered(connection: sa.Connection, session: str, numbers: Collection[int]) -> list[Event]:
    """Return the events of the rounds with these numbers, in order."""
    found = connection.execute(_OF_ROUNDS_NUMBERED, {"which": session, "numbers": list(numbers)})
    return [_event(one) for one in found.all()]


def of_last_round(connection: sa.Connection, session: str) -> list[Event]:
    """Return the events of the round opened last; none if none was."""
    last = connection.execute(_LAST_ROUND, {"which": session}).scalar()
    return of_rounds(connection, session, last, last) if last else []


def rounds_told_by(connection: sa.Connection, session: str, by: str, after: int, most: int) -> list[int]:
    """Return the next rounds after `after` that `by` told something about."""
    chosen = sa.select(_row.round).where(
        _row.session == session, _row.by == by, _row.round > after, _row.kind == "told"
    )
    return [int(one) for one in connection.execute(chosen.distinct().order_by(_row.round).limit(most)).scalars()]


def last_rounds_told_by(connection: sa.Connection, session: str, by: str, before: int, most: int) -> list[int]:
    """Return the last rounds before `before` that `by` told something about, the newest first."""
    row = schema.events.c
    chosen = sa.select(row.round).where(row.session == session, row.by == by, row.round < before, row.kind == "told")
    return [int(one) for one in connection.execute(chosen.distinct().order_by(row.round.desc()).limit(most)).scalars()]


def _event(row: Any) -> Event:
    return Event(row.sequence, row.kind, row.round, row.at, row.by, json.loads(row.body))
