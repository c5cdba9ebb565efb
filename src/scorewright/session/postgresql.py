"""PostgreSQL: several processes, perhaps on several machines, serve one store.

A session's rounds are serialised by a lock on its row, so that different sessions never wait for each other.
"""

from __future__ import annotations

import time

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from scorewright.errors import MissingExtraError
from scorewright.session import schema
from scorewright.session.store import Store

_LIMITS = "-c lock_timeout=30s -c idle_in_transaction_session_timeout=120s"
"""A process that hangs must not hold up the others for ever."""

_WORDS = {
    "53100": "its disk is full; nothing was kept of this step: make room and try again",
    "25006": "it is read-only; nothing was kept of this step: make it writable, or name another store",
    "42501": "this user may not do that; grant it the rights on the tables and the schema",
    "53300": "it has no connection left; raise max_connections or start fewer processes",
    "28P01": "it refuses this user and password",
    "28000": "it refuses this user",
    "3D000": "there is no such database; make one with createdb",
    "55P03": "another process holds this session, and does not let go; try again",
    "57P03": "it is starting up or shutting down; try again",
}


class PostgresStore(Store):
    """A store in a PostgreSQL database.

    Parameters
    ----------
    url : sqlalchemy.URL
    """

    def __init__(self, url: sa.URL) -> None:
        limits = {} if "options" in url.query else {"options": _LIMITS}
        try:
            engine = sa.create_engine(
                url, connect_args=limits, pool_size=16, max_overflow=0, pool_timeout=30, pool_use_lifo=True
            )
        except ImportError:
            raise MissingExtraError("PostgreSQL needs psycopg: pip install 'scorewright[postgres]'") from None
        super().__init__(engine, url.render_as_string(hide_password=True))

    def lock_name(self, connection: sa.Connection, name: str) -> None:
        """Take an advisory lock that ends with the transaction."""
        connection.execute(sa.text("SELECT pg_advisory_xact_lock(hashtextextended(:name, 0))"), {"name": name})

    def backup(self, connection: sa.Connection, version: int) -> str:
        """Copy the tables into a schema of their own, in the transaction that migrates them."""
        name = f"scorewright_version_{version}_{time.strftime('%Y%m%d_%H%M%S')}"
        connection.execute(sa.text(f"CREATE SCHEMA {name}"))
        present = sa.inspect(connection).get_table_names()
        for table in schema.metadata.sorted_tables:
            if table.name in present:
                connection.execute(sa.text(f"CREATE TABLE {name}.{table.name} AS TABLE {table.name}"))
        return f"schema {name} of {self.where}"

    def reason(self, problem: DBAPIError) -> str | None:
        """Say what PostgreSQL means."""
        state = getattr(problem.orig, "sqlstate", None)
        if state is None or problem.connection_invalidated or state.startswith("08"):
            return "it can't be reached, or has gone away; check its address, or try again"
        return _WORDS.get(state)
