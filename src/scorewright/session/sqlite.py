"""SQLite: one file, no server.

The write-ahead log lets readers read while one writes; ``synchronous=FULL`` puts every transaction on the disk before
it counts. Writers of this process queue at a lock of ours, those of other processes at SQLite's own, for half a minute
if need be, so that "database is locked" is not something a user gets to see.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from scorewright.errors import StoreError
from scorewright.session.store import Store

_PATIENCE = 30.0
"""Seconds to wait for another process that writes."""

_WORDS = {
    "disk is full": "the disk is full; nothing was kept of this step: make room and try again",
    "readonly": "it is read-only; nothing was kept of this step: make it writable, or name another store",
    "unable to open": "it can't be opened; check that the folder exists and is writable",
    "not a database": "this file is not a scorewright store",
    "malformed": "this file is damaged; go back to a copy of it, or to an export",
    "disk i/o error": "the disk can't be read or written; nothing was kept of this step",
    "locked": "another process is writing, and does not stop; try again",
}


class SqliteStore(Store):
    """A store in one file (and its ``-wal`` and ``-shm`` companions while it is open).

    Parameters
    ----------
    path : Path
    create : bool
        Whether a file that is not there is made; for its owner's eyes only, as it holds what the principal knows.
    """

    def __init__(self, path: Path, *, create: bool) -> None:
        self.path = path.absolute()
        if path.is_dir():
            raise StoreError(f"{path} is a folder; a store is a file")
        if not path.exists():
            if not create:
                raise StoreError(f"there is no store at {path}; begin one with: scorewright session new")
            try:
                os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            except OSError as problem:
                raise StoreError(f"can't make a store at {path}: {(problem.strerror or '').lower()}") from None
        engine = sa.create_engine(
            sa.URL.create("sqlite", database=str(self.path)),
            connect_args={"timeout": _PATIENCE, "check_same_thread": False},
            pool_size=16,
            max_overflow=48,
            pool_timeout=_PATIENCE,
        )
        sa.event.listen(engine, "connect", _settle_in)
        sa.event.listen(engine, "begin", _begin)
        self._writers = engine.execution_options(writes=True)
        self._turn = threading.Lock()
        super().__init__(engine, str(path))

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """Give a connection in a transaction, when it is this writer's turn."""
        with self._in_words(), self._turn, self._writers.begin() as connection:
            yield connection

    def lock_name(self, connection: sa.Connection, name: str) -> None:
        """Do nothing: whoever writes is alone."""

    def backup(self, connection: sa.Connection, version: int) -> str:
        """Copy the file beside itself."""
        del connection  # it has begun to write; the copy is of what is on the disk
        copy = self.path.with_name(f"{self.path.name}.version-{version}.{time.strftime('%Y%m%d-%H%M%S')}.backup")
        try:
            os.close(os.open(copy, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
            with closing(sqlite3.connect(self.path)) as source, closing(sqlite3.connect(copy)) as target:
                source.backup(target)
        except (OSError, sqlite3.Error) as problem:
            raise StoreError(
                f"{self.where} must be migrated, and copied to {copy} before that, which can't be done: {problem}; "
                f"it is as it was"
            ) from None
        return str(copy)

    def reason(self, problem: DBAPIError) -> str | None:
        """Say what SQLite means."""
        text = str(problem.orig).lower()
        return next((words for sign, words in _WORDS.items() if sign in text), None)


def _settle_in(connection: Any, _: Any) -> None:
    connection.isolation_level = None  # transactions begin where we say so, not where the driver guesses
    for pragma in ("journal_mode=WAL", "synchronous=FULL", f"busy_timeout={int(1000 * _PATIENCE)}"):
        connection.execute(f"PRAGMA {pragma}").fetchall()


def _begin(connection: sa.Connection) -> None:
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
