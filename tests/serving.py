"""Real servers and real databases for tests and benchmarks."""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Self

import pytest
import sqlalchemy as sa

POSTGRES = "SCOREWRIGHT_TEST_POSTGRES"
"""Environment variable: the address of a PostgreSQL server where databases may be made."""

BACK_ENDS = ("sqlite", "postgresql")


@contextlib.contextmanager
def fresh_store(kind: str, folder: Path) -> Iterator[str]:
    """Give the address of an empty store, and clean up behind it."""
    if kind == "sqlite":
        yield str(folder / f"{uuid.uuid4().hex}.db")
        return
    address = os.environ.get(POSTGRES)
    if address is None:
        if os.environ.get("SCOREWRIGHT_CI"):
            pytest.fail(f"{POSTGRES} is not set: the gate runs these tests for real")
        pytest.skip(f"no PostgreSQL here; name one in {POSTGRES}")
    name = f"scorewright_test_{uuid.uuid4().hex}"
    admin = sa.create_engine(sa.make_url(address), isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
    with admin.connect() as connection:
        connection.execute(sa.text(f"CREATE DATABASE {name}"))
    try:
        yield sa.make_url(address).set(database=name).render_as_string(hide_password=False)
    finally:
        _drop(admin, name)


def _drop(admin: sa.Engine, name: str) -> None:
    """Drop a database; the test that fills a disk keeps the server from its checkpoints for a moment."""
    for last in (*[False] * 60, True):
        try:
            with admin.connect() as connection:
                connection.execute(sa.text(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)"))
            return
        except sa.exc.InternalError:
            if last:
                raise
            time.sleep(0.5)


def free_port() -> int:
    """Return a port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """`scorewright serve` as a process of its own.

    Parameters
    ----------
    store : str
    port : int
    log : Path
        Where its standard error goes.
    words : str
        More of the command line.
    """

    def __init__(self, store: str, port: int, log: Path, *words: str) -> None:
        command = "import sys; from scorewright.cli import main; main()"
        arguments = [sys.executable, "-c", command, "serve", "--store", store, "--port", str(port), "--json", *words]
        with log.open("a") as errors:
            self.process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=errors, text=True)
        self._listen(self.process.stdout.readline(), log)

    def _listen(self, said: str, log: Path) -> None:
        if not said:
            self.stop()
            raise RuntimeError(f"the server did not start: {log.read_text()[-2000:]}")
        self.facts = json.loads(said)
        self.url = self.facts["url"]

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self._gone()

    def stop(self) -> None:
        """End it politely."""
        self.process.terminate()
        self._gone()

    def _gone(self) -> None:
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class QuickServer(Server):
    """`scorewright serve` as a process of its own, forked from one that has imported everything: it starts at once."""

    def __init__(self, store: str, port: int, log: Path) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(
            ["psycopg", "scorewright.cli.serve", "scorewright.client", "scorewright.service"]
        )
        hears, says = context.Pipe(duplex=False)
        self.forked = context.Process(target=_serve, args=(store, port, str(log), says))
        self.forked.start()
        says.close()
        with os.fdopen(os.dup(hears.fileno())) as lines:
            said = lines.readline()
        hears.close()
        self._listen(said, log)

    def kill(self) -> None:
        """End it as a power cut would."""
        self.forked.kill()
        self._gone()

    def stop(self) -> None:
        """End it politely."""
        self.forked.terminate()
        self._gone()

    def _gone(self) -> None:
        self.forked.join(30)
        if self.forked.exitcode is None:
            self.forked.kill()
            self.forked.join()
        self.forked.close()


def _serve(store: str, port: int, log: str, says: Connection) -> None:
    from scorewright.cli import main

    sys.argv = ["scorewright", "serve", "--store", store, "--port", str(port), "--json"]
    with os.fdopen(os.dup(says.fileno()), "w") as sys.stdout, Path(log).open("a") as sys.stderr:
        main()
