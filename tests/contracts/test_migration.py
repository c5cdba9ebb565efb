"""Making and migrating the tables, on every store."""

from __future__ import annotations

from pathlib import Path

import pytest
import sqlalchemy as sa

from desks import learner, play
from scorewright.errors import (
    StoreError,
)
from scorewright.session import (
    Session,
    open_store,
    schema,
)


def test_migration(address, caplog):
    """A store of version 1 is copied, then brought up to date; what it holds stays; a newer one is refused."""
    with open_store(address) as store:
        session = Session.create(store, learner())
        play(session, 5)
        before = session.replay().to_dict()
        with store.writing() as connection:
            schema.told_by.drop(connection)
            schema.keys_by_age.drop(connection)
            connection.execute(sa.update(schema.versions).values(version=1))
    with open_store(address) as store:
        assert Session.open(store, session.config.id).replay().to_dict() == before
        with store.reading() as connection:
            for index in (schema.told_by, schema.keys_by_age):
                assert index.name in {one["name"] for one in sa.inspect(connection).get_indexes(index.table.name)}
            assert connection.execute(sa.select(schema.versions.c.version)).scalar() == schema.VERSION
        copy = caplog.text.split("copy: ")[1].strip()
        if address.startswith("postgresql"):
            name = copy.split()[1]
            with store.reading() as connection:
                kept = connection.execute(sa.text(f"SELECT count(*) FROM {name}.scorewright_events")).scalar()
        else:
            with open_store(Path(copy)) as copied:
                kept = len(Session.open(copied, session.config.id).events())
        assert kept == before["sequence"]
        with store.writing() as connection:
            connection.execute(sa.update(schema.versions).values(version=99))
    with pytest.raises(StoreError, match="newer scorewright"):
        open_store(address)


def test_a_store_that_can_not_be_copied_is_not_migrated(tmp_path, monkeypatch):
    """One sentence, and everything is as it was."""
    with open_store(tmp_path / "desk.db") as store, store.writing() as connection:
        schema.told_by.drop(connection)
        schema.keys_by_age.drop(connection)
        connection.execute(sa.update(schema.versions).values(version=1))
    with monkeypatch.context() as patched:
        patched.setattr("time.strftime", lambda _: "x" * 300)  # no file has such a name
        with pytest.raises(StoreError, match="it is as it was"):
            open_store(tmp_path / "desk.db")
    with open_store(tmp_path / "desk.db") as store, store.reading() as connection:
        assert connection.execute(sa.select(schema.versions.c.version)).scalar() == schema.VERSION
