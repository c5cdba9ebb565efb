"""The tables of a store: an append-only log of events per session, and what makes it fast and safe to use.

``events`` is the truth. ``sessions`` has one row per session: the row to lock, and the number of its last event.
``snapshots`` can be thrown away at any time. ``keys`` remembers which request led to which event, ``tokens`` who may
do what (a token itself is not kept, only its digest).
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, Integer, LargeBinary, MetaData, Table, Text

VERSION = 3
"""Of the tables. A store of an older version is migrated when it is opened (migration.py)."""

metadata = MetaData()

versions = Table("scorewright_version", metadata, Column("version", Integer, nullable=False))

sessions = Table(
    "scorewright_sessions",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("created", Text, nullable=False),
    Column("sequence", BigInteger, nullable=False),
)

events = Table(
    "scorewright_events",
    metadata,
    Column("session", Text, primary_key=True),
    Column("sequence", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    Column("round", BigInteger, nullable=False),
    Column("at", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("body", Text, nullable=False),
    Index("scorewright_events_of_round", "session", "round", "sequence"),
)

told_by = Index("scorewright_events_told_by", events.c.session, events.c.by, events.c.round)
"""Since version 2: an agent's own rounds among a million of others."""

snapshots = Table(
    "scorewright_snapshots",
    metadata,
    Column("session", Text, primary_key=True),
    Column("sequence", BigInteger, primary_key=True, autoincrement=False),
    Column("content", LargeBinary, nullable=False),
)

keys = Table(
    "scorewright_keys",
    metadata,
    Column("by", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("request", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("round", BigInteger, nullable=False),
    Column("sequence", BigInteger, nullable=False),
    Column("at", Text, nullable=False),
)

keys_by_age = Index("scorewright_keys_by_age", keys.c.at)
"""Since version 3: old keys are forgotten as new ones come."""

tokens = Table(
    "scorewright_tokens",
    metadata,
    Column("id", Text, primary_key=True),
    Column("digest", Text, nullable=False, unique=True),
    Column("role", Text, nullable=False),
    Column("session", Text),
    Column("name", Text, nullable=False),
    Column("created", Text, nullable=False),
    Column("expires", Text),
    Column("revoked", Text),
)
