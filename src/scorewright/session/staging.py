"""Staging: a session on its way into a store, a page at a time, found by nobody until it is whole.

Its events are written before its row is, and whoever looks for a session looks for its row. Each page is a transaction
of its own, so that nobody waits long for the store. A ticket, kept among the idempotency keys, says whose pages these
are: an import that begins later takes over and clears away what an earlier one, killed perhaps, has left.
"""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterator, Sequence

import sqlalchemy as sa

from scorewright.errors import KeyReusedError, ScorewrightError, StoreError
from scorewright.session import events, keys, schema, snapshots
from scorewright.session.book import Book
from scorewright.session.config import Config
from scorewright.session.events import Event
from scorewright.session.store import Store

_PAGE = 5000
"""Events cleared away at a time."""

_BY = "import"
"""No token has this id."""

_row = schema.events.c
_CLEAR = sa.delete(schema.events).where(
    _row.session == sa.bindparam("which"),
    _row.sequence.in_(sa.select(_row.sequence).where(_row.session == sa.bindparam("which")).limit(_PAGE)),
)


class Staging:
    """A session that is being read into a store.

    Parameters
    ----------
    store : Store
    config : Config
        Of a session that the store does not have.
    """

    def __init__(self, store: Store, config: Config) -> None:
        self.store, self.config = store, config
        self._ticket = secrets.token_hex(16)
        with self._alone() as connection:
            row = schema.sessions.c
            if connection.execute(sa.select(row.id).where(row.id == config.id)).first() is not None:
                raise StoreError(f"session {config.id} is already in this store; import it into another")
            self._give_back(connection)
            keys.keep(connection, _BY, config.id, self._ticket, keys.Done(config.id, 0, 0))
        self._clear()

    def add(self, page: Sequence[Event]) -> None:
        """Write the next events."""
        with self._mine() as connection:
            events.append(connection, self.config.id, *page)

    def finish(self, book: Book) -> None:
        """Let the session be found, with all its events and a snapshot."""
        snapshots.write(self.store, book)
        config = self.config
        with self._mine() as connection:
            entries = {"name": config.name, "created": config.created, "sequence": book.sequence}
            connection.execute(sa.insert(schema.sessions).values(id=config.id, **entries))
            self._give_back(connection)

    def discard(self) -> None:
        """Clear away what was written, if that can be done; nobody would find it anyway."""
        with contextlib.suppress(ScorewrightError):
            self._clear()
            with self._mine() as connection:
                self._give_back(connection)

    @contextlib.contextmanager
    def _alone(self) -> Iterator[sa.Connection]:
        with self.store.writing() as connection:
            self.store.lock_name(connection, f"{_BY} {self.config.id}")
            yield connection

    @contextlib.contextmanager
    def _mine(self) -> Iterator[sa.Connection]:
        """Give a connection while nobody else has taken over."""
        with self._alone() as connection:
            try:
                held = keys.find(connection, _BY, self.config.id, self._ticket)
            except KeyReusedError:
                held = None
            if held is None:
                raise StoreError(
                    f"another import of session {self.config.id} has begun since; this one gives way to it"
                )
            yield connection

    def _give_back(self, connection: sa.Connection) -> None:
        row = schema.keys.c
        connection.execute(sa.delete(schema.keys).where(row.by == _BY, row.key == self.config.id))

    def _clear(self) -> None:
        left = _PAGE
        while left == _PAGE:
            with self._mine() as connection:
                left = connection.execute(_CLEAR, {"which": self.config.id}).rowcount
        with self._mine() as connection:
            connection.execute(sa.delete(schema.snapshots).where(schema.snapshots.c.session == self.config.id))
