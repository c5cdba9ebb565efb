"""Idempotency keys: a request that comes twice is done once.

The key is kept in the transaction that does the work, with what it led to: the session, the round and the event after
which the round was as the answer said. The answer is a function of those, so the second time it is the same.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa

from scorewright.errors import InvalidInputError, KeyReusedError
from scorewright.session import schema
from scorewright.session.store import Store, now

LONGEST = 200
"""Characters of a key."""

KEPT = timedelta(days=30)
"""How long a key is remembered."""


_AT_A_TIME = 2
"""Old keys forgotten for each new one: few enough to cost nothing, enough to keep up."""

_row = schema.keys.c
_FIND = sa.select(schema.keys).where(_row.by == sa.bindparam("who"), _row.key == sa.bindparam("which"))
_OLD = sa.select(_row.by, _row.key).where(_row.at < sa.bindparam("then")).order_by(_row.at).limit(_AT_A_TIME)
_FORGET = sa.delete(schema.keys).where(sa.tuple_(_row.by, _row.key).in_(_OLD.with_for_update(skip_locked=True)))


@dataclass(frozen=True)
class Done:
    """What a request with a key led to."""

    subject: str
    round: int
    sequence: int


def read_key(key: Any) -> str | None:
    """Read a key: a short printable text, or None."""
    if key is None:
        return None
    if not isinstance(key, str) or not 0 < len(key) <= LONGEST or not key.isascii() or not key.isprintable():
        raise InvalidInputError(f"an idempotency key must be 1 to {LONGEST} printable ASCII characters")
    return key


def fingerprint(*request: Any) -> str:
    """Return what tells a request from any other."""
    return hashlib.sha256(json.dumps(request, sort_keys=True, default=str).encode()).hexdigest()


def lock(store: Store, connection: sa.Connection, by: str, key: str | None) -> None:
    """Let the same request that comes twice at once wait for itself; steps of a session are locked by its row."""
    if key is not None:
        store.lock_name(connection, f"{by} {key}")


def find(connection: sa.Connection, by: str, key: str | None, request: str) -> Done | None:
    """Return what the request led to when it came before, or None."""
    if key is None:
        return None
    found = connection.execute(_FIND, {"who": by, "which": key}).first()
    if found is None:
        return None
    if found.request != request:
        raise KeyReusedError("this idempotency key came before with another request; use a new key for each request")
    return Done(found.subject, found.round, found.sequence)


def keep(connection: sa.Connection, by: str, key: str | None, request: str, done: Done) -> None:
    """Remember what a request led to, and forget some of those that are too old."""
    if key is not None:
        entries = {"subject": done.subject, "round": done.round, "sequence": done.sequence, "at": now()}
        connection.execute(sa.insert(schema.keys), {"by": by, "key": key, "request": request, **entries})
        then = (datetime.now(UTC) - KEPT).isoformat(timespec="milliseconds")
        connection.execute(_FORGET, {"then": then})
