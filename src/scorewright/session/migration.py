"""Making and migrating the tables when a store is opened; before a migration everything is copied."""

from __future__ import annotations

import logging
from collections.abc import Callable

import sqlalchemy as sa

from scorewright.errors import StoreError
from scorewright.session import schema
from scorewright.session.store import Store

_log = logging.getLogger(__name__)


MIGRATIONS: dict[int, Callable[[sa.Connection], None]] = {1: schema.told_by.create, 2: schema.keys_by_age.create}
"""From each version to the next."""


def prepare(store: Store, *, create: bool) -> None:
    """Bring the tables to the present version, or say why they can't be."""
    with store.reading() as connection:
        found = _version(connection)
    if found == schema.VERSION:
        return
    if found is None and not create:
        raise StoreError(f"{store.where} is not a scorewright store; begin one with: scorewright session new")
    with store.writing() as connection:
        store.lock_name(connection, "scorewright migration")
        found = _version(connection)  # somebody may have been faster
        if found is None:
            schema.metadata.create_all(connection)
            connection.execute(sa.insert(schema.versions).values(version=schema.VERSION))
            return
        if found > schema.VERSION:
            raise StoreError(
                f"{store.where} has version {found}, written by a newer scorewright; this one reads up to version "
                f"{schema.VERSION}: upgrade it"
            )
        if found < schema.VERSION:
            copy = store.backup(connection, found)
            for version in range(found, schema.VERSION):
                MIGRATIONS[version](connection)
            connection.execute(sa.update(schema.versions).values(version=schema.VERSION))
            _log.warning("migrated %s from version %d to %d; copy: %s", store.where, found, schema.VERSION, copy)


def _version(connection: sa.Connection) -> int | None:
    if not sa.inspect(connection).has_table(schema.versions.name):
        return None
    return int(connection.execute(sa.select(schema.versions.c.version)).scalar_one())
