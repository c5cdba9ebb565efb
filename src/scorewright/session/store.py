"""Store: where sessions are kept. One contract, two back ends: SQLite (sqlite.py) and PostgreSQL (postgresql.py).

The contract. `writing` is one transaction: all of it is on the disk when it ends, or none. Of two writers of one
session the second waits for the first (`lock_session`), and reads what the first wrote. A reader never waits for a
writer. Whatever goes wrong is a `StoreError` in words; nothing of the driver's gets out.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from scorewright.errors import InvalidInputError, NotFoundError, StoreError
from scorewright.session import schema

_LAST = sa.select(schema.sessions.c.sequence).where(schema.sessions.c.id == sa.bindparam("session")).with_for_update()


class Store(ABC):
    """A database of sessions.

    Parameters
    ----------
    engine : sqlalchemy.Engine
    where : str
        The place in words, without any password.
    """

    def __init__(self, engine: sa.Engine, where: str) -> None:
        self.engine, self.where = engine, where

    # -- transactions ------------------------------------------------------------------------------------------------

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """Give a connection that sees one state of the store throughout."""
        with self._in_words(), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """Give a connection in a transaction that is on the disk when the block ends, or was never there."""
        with self._in_words(), self.engine.begin() as connection:
            yield connection

    @abstractmethod
    def lock_name(self, connection: sa.Connection, name: str) -> None:
        """Let nobody else past this point with the same name until the transaction ends."""

    def lock_session(self, connection: sa.Connection, session: str) -> int:
        """Lock a session's row until the transaction ends; return the number of its last event."""
        found = connection.execute(_LAST, {"session": session}).scalar()
        if found is None:
            raise NotFoundError(f"there is no session {session!r:.80}")
        return int(found)

    # -- for the back ends -------------------------------------------------------------------------------------------

    @abstractmethod
    def backup(self, connection: sa.Connection, version: int) -> str:
        """Copy everything, as of `version`, before a migration; return in words where to."""

    @abstractmethod
    def reason(self, problem: DBAPIError) -> str | None:
        """Say in words what a driver's error means; None if it is none of the expected."""

    # -- life --------------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Give all connections back."""
        self.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        try:
            yield
        except PoolTimeoutError:
            crowded = "it has no connection left; too many requests at once, try again"
            raise StoreError(f"{self.where}: {crowded}", crowded) from None
        except DBAPIError as problem:
            reason = self.reason(problem)
            words = reason or " ".join(f"{type(problem.orig).__name__}: {problem.orig}".split())[:300]
            raise StoreError(f"{self.where}: {words}", reason) from problem
        except SQLAlchemyError as problem:
            raise StoreError(f"{self.where}: {type(problem).__name__}") from problem


def open_store(where: str | os.PathLike[str], *, create: bool = True) -> Store:
    """Open a store, migrating it if an older scorewright wrote it.

    Parameters
    ----------
    where : path or URL
        A file name (SQLite), or ``postgresql+psycopg://user:password@host/database``.
    create : bool
        Make an empty store where there is none.
    """
    from scorewright.session.migration import prepare

    store = _connect(where, create)
    try:
        prepare(store, create=create)
    except BaseException:
        store.close()
        raise
    return store


def _connect(where: str | os.PathLike[str], create: bool) -> Store:
    from scorewright.session.postgresql import PostgresStore
    from scorewright.session.sqlite import SqliteStore

    if not isinstance(where, str | os.PathLike):
        raise InvalidInputError(f"a store is a file name or a URL, not a value of type {type(where).__name__}")
    text = os.fspath(where)
    if "://" not in text:
        return SqliteStore(Path(text), create=create)
    try:
        url = sa.make_url(text)
    except (SQLAlchemyError, ValueError):
        raise InvalidInputError("this store's address can't be read as a URL: postgresql+psycopg://...") from None
    if url.drivername in ("postgresql", "postgres", "postgresql+psycopg"):
        return PostgresStore(url.set(drivername="postgresql+psycopg"))
    if url.drivername == "sqlite" and url.database and url.database != ":memory:":
        return SqliteStore(Path(url.database), create=create)
    raise InvalidInputError(
        f"a store is a file (SQLite) or postgresql+psycopg://..., not {url.drivername!r:.40}; "
        f"and it is durable, so not in memory"
    )


def now() -> str:
    """Return the time as all tables keep it: UTC, ISO 8601, so that texts compare as times do."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")
