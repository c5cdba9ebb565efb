"""A full disk and a read-only store: a clear error, the step undone, nothing corrupted, and on it goes after repair."""

from __future__ import annotations

import contextlib
import os
import subprocess
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

import scorewright as sw
from scorewright.errors import InvalidInputError, StoreError
from scorewright.session import Session, Store, open_store
from serving import POSTGRES, fresh_store

GAME = sw.families.make("three_efforts")


def begin(store: Store) -> Session:
    """Return a session with a round to settle and one open."""
    session = Session.create(store, sw.learn.FixedRule(GAME.setting, sw.solve(GAME).rule))
    session.tell(session.ask().number, effort=1, report=1)
    session.ask()
    return session


def fill(session: Session) -> str:
    """Play until there is no room; return what was said."""
    with pytest.raises(StoreError) as said:  # noqa: PT012 - any of the steps may be the one
        for _ in range(100_000):
            session.tell(session.ask("x" * 2000).number, effort=1, report=1)
    return str(said.value)


def intact(session: Session) -> None:
    """Check that memory and log agree, and that the log has no half round."""
    with session.reading() as book:
        assert book.to_dict() == session.replay().to_dict()
    again = Session.open(session.store, session.config.id)
    with again.reading() as book:
        assert book.to_dict() == session.replay().to_dict()


@contextlib.contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """Give a folder on a small disk of its own, where that can be had."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("only root can make a small disk to fill")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)
        folder.rmdir()


def test_full_file(tmp_path):
    """SQLite may grow no more: the step is refused in words; with room again, the same step is done."""
    with open_store(tmp_path / "desk.db") as store:
        session = begin(store)
        pages = 0

        def limit(connection: object, *_: object) -> None:
            connection.execute(f"PRAGMA max_page_count={pages or 2**30}")

        sa.event.listen(store.engine, "checkout", limit)
        with store.reading() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar() + 8
        assert "disk is full" in fill(session)
        intact(session)
        before = session.standing()
        pages = 0
        session.ask()
        assert session.settle(1, 0).status == "settled"
        assert session.standing().settled == before.settled + 1
        intact(session)


def test_full_disk(tmp_path):
    """A disk of its own, filled to the last byte."""
    with small_disk(tmp_path / "disk", "600k") as disk:
        with open_store(disk / "desk.db") as store:
            session = begin(store)
            said = fill(session)
            assert "disk is full" in said
            intact(session)
            rounds = session.standing().rounds
        subprocess.run(["mount", "-o", "remount,size=8m", disk], check=True)
        with open_store(disk / "desk.db") as store:
            session = Session.open(store, session.config.id)
            assert session.standing().rounds >= rounds - 1
            session.tell(session.ask().number, effort=1, report=1)
            intact(session)


def test_full_postgresql(tmp_path):
    """A database whose tablespace is on a small disk."""
    address = os.environ.get(POSTGRES)
    with fresh_store("postgresql", tmp_path), contextlib.ExitStack() as stack:
        url = sa.make_url(address)
        disk = stack.enter_context(small_disk(Path("/tmp", f"scorewright-{uuid.uuid4().hex}"), "14m"))
        home = disk / "here"
        home.mkdir()
        subprocess.run(["chown", "postgres", home, disk], check=True)
        name = f"small_{uuid.uuid4().hex}"
        engine = sa.create_engine(url, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
        admin = stack.enter_context(engine.connect())
        admin.execute(sa.text(f"CREATE TABLESPACE {name} LOCATION '{home}'"))
        stack.callback(lambda: admin.execute(sa.text(f"DROP TABLESPACE {name}")))
        admin.execute(sa.text(f"CREATE DATABASE {name} TABLESPACE {name}"))
        stack.callback(lambda: admin.execute(sa.text(f"DROP DATABASE {name} WITH (FORCE)")))
        with open_store(url.set(database=name).render_as_string(hide_password=False)) as store:
            session = begin(store)
            free = os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize
            with store.writing() as connection:
                connection.execute(sa.text("CREATE TABLE ballast (text text)"))
                connection.execute(
                    sa.text("INSERT INTO ballast SELECT repeat('x', 1900) FROM generate_series(1, :rows)"),
                    {"rows": max(0, free - 500_000) // 2048},
                )
            assert "disk is full" in fill(session)
            intact(session)
            subprocess.run(["mount", "-o", "remount,size=40m", disk], check=True)
            session.tell(session.ask().number, effort=1, report=1)
            intact(session)


def test_read_only_disk(tmp_path):
    """A file that can't be written: refused in words, read all the same, as it was."""
    with small_disk(tmp_path / "disk", "4m") as disk:
        with open_store(disk / "desk.db") as store:
            session = begin(store)
            before = session.replay().to_dict()
            subprocess.run(["mount", "-o", "remount,ro", disk], check=False)
            if os.access(disk, os.W_OK):  # files are open for writing: it can't be remounted under them
                store.close()
                subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
            with pytest.raises(StoreError, match=r"read-only|can't be opened"):
                session.settle(1, 0)
            with pytest.raises(StoreError, match=r"read-only|can't be opened"):
                open_store(disk / "other.db")
        subprocess.run(["mount", "-o", "remount,rw", disk], check=True)
        with open_store(disk / "desk.db") as store:
            session = Session.open(store, session.config.id)
            assert session.replay().to_dict() == before
            assert session.settle(1, 0).status == "settled"
            intact(session)


def test_read_only_postgresql(tmp_path):
    """A database set read-only: refused in words, read all the same; then writable again."""
    with fresh_store("postgresql", tmp_path) as address:
        name = sa.make_url(address).database
        with open_store(address) as store:
            session = begin(store)
            with store.writing() as connection:
                connection.execute(sa.text(f"ALTER DATABASE {name} SET default_transaction_read_only = on"))
            store.close()
            with pytest.raises(StoreError, match="read-only"):
                session.settle(1, 0)
            assert session.standing().awaiting == 1
            intact(session)
            with store.engine.connect() as connection:
                connection.execute(sa.text("SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE"))
                connection.commit()
                connection.execute(sa.text(f"ALTER DATABASE {name} RESET default_transaction_read_only"))
                connection.commit()
            store.close()
            assert session.settle(1, 0).status == "settled"
            intact(session)


def test_places_that_are_no_store(tmp_path):
    """Folders, other files, other addresses, servers that are not there: one sentence each."""
    (tmp_path / "text.db").write_text("not a database at all, whatever its name may say\n" * 40)
    for place, word in {
        tmp_path: "folder",
        tmp_path / "text.db": "not a scorewright store",
        tmp_path / "no" / "such" / "folder.db": "can't make a store",
        "postgresql+psycopg://nobody@127.0.0.1:1/none": "can't be reached",
    }.items():
        with pytest.raises(StoreError, match=word):
            open_store(place)
    for place in ("sqlite:///:memory:", "mysql://x/y", "://", 7):
        with pytest.raises(InvalidInputError):
            open_store(place)
    with pytest.raises(StoreError, match="there is no store"):
        open_store(tmp_path / "none.db", create=False)
    (tmp_path / "empty.db").touch()
    with pytest.raises(StoreError, match="not a scorewright store"):
        open_store(tmp_path / "empty.db", create=False)


def test_passwords_are_not_shown():
    """Where the store can't be reached, the error says where, without the password."""
    with pytest.raises(StoreError) as said:
        open_store("postgresql+psycopg://somebody:hunter2@127.0.0.1:1/none")
    assert "hunter2" not in str(said.value)
    assert "somebody" in str(said.value)
