"""`scorewright serve`: sessions over HTTP."""

from __future__ import annotations

import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scorewright.cli import screen
from scorewright.cli.session import STORE, StoreOption
from scorewright.errors import InvalidInputError

if TYPE_CHECKING:
    from scorewright.session import Store


def command(
    store: StoreOption = STORE,
    host: Annotated[str, typer.Option(help="Where to listen; others can reach it only if you say so.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="0 takes any that is free.")] = 8000,
    certificate: Annotated[Path | None, typer.Option(metavar="FILE", help="For HTTPS.")] = None,
    private_key: Annotated[Path | None, typer.Option(metavar="FILE", help="For HTTPS.")] = None,
    demo: Annotated[
        bool, typer.Option("--demo", help="Serve a demo session from a store that is then deleted.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print address and tokens as JSON.")] = False,
) -> None:
    """Serve sessions to principals, agents and meters, until interrupted; the log goes to standard error."""
    from scorewright.service import serve
    from scorewright.service.logs import log_to_stderr
    from scorewright.session import open_store

    for file in (certificate, private_key):
        if file is not None and not file.is_file():
            raise InvalidInputError(f"there is no file {file}")
    if (certificate is None) != (private_key is None):
        raise InvalidInputError("HTTPS needs both: --certificate and --private-key")
    with ExitStack() as stack:
        stack.enter_context(_ended_politely())
        if demo:
            store = str(Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="scorewright-")), "demo.db"))
        kept = stack.enter_context(open_store(store))
        facts = _demo(kept) if demo else _first_token(kept, host)

        def ready(url: str) -> None:
            if as_json:
                screen.say_line({"url": url, "store": kept.where, **facts})
            else:
                _say_ready(url, kept.where, facts)
            log_to_stderr()

        serve(
            kept,
            host,
            port,
            certificate=None if certificate is None else str(certificate),
            private_key=None if private_key is None else str(private_key),
            ready=ready,
        )


@contextmanager
def _ended_politely() -> Iterator[None]:
    """Let SIGTERM end the command as the end of a block does: connections are closed, a demo's folder is removed."""

    def leave(*_: object) -> None:
        raise typer.Exit

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _first_token(store: Store, host: str) -> dict[str, str]:
    """Make the first principal's token, where nobody but this machine can reach the service."""
    from scorewright.service import issue
    from scorewright.service.serving import is_loopback
    from scorewright.service.tokens import tokens

    if not is_loopback(host) or any(token.role == "principal" and token.valid for token in tokens(store)):
        return {}
    return {"principal": issue(store, "principal", name="the first")[1] or ""}


def _demo(store: Store) -> dict[str, str]:
    """Begin a session on the analyst game, and make a token for everybody in it."""
    from scorewright.families import analyst
    from scorewright.learn import Haggler
    from scorewright.service import issue
    from scorewright.session import Session

    session = Session.create(
        store, Haggler(analyst().setting, rng=0), name="demo: the analyst", attester="meter"
    ).config
    made = {"session": session.id, "principal": issue(store, "principal", name="demo")[1] or ""}
    for role in ("agent", "meter"):
        made[role] = issue(store, role, session=session.id, name="demo")[1] or ""
    return made


def _say_ready(url: str, store: str, facts: dict[str, str]) -> None:
    screen.say(("scorewright serves ", "bold"), (url, "bold"), f" from {store}. Ctrl-C ends it.")
    screen.say(f"  API          {url}/docs  ({url}/openapi.json)\n  health       {url}/health")
    if "session" in facts:
        screen.say(f"  session      {url}/v1/sessions/{facts['session']}")
    for role in ("principal", "agent", "meter"):
        if role in facts:
            screen.say(f"  {role:<12} {facts[role]}")
    if "session" in facts:
        screen.say(
            "Try it (the agent asks for an offer; the forecaster answers ten):\n"
            f"  curl -X POST -H 'Authorization: Bearer {facts['agent']}' {url}/v1/agent/offer\n"
            f"  {sys.executable} examples/forecaster.py {url} --agent {facts['agent']} --meter {facts['meter']}"
        )
    elif "principal" in facts:
        screen.say("This is the first principal's token. Keep it: it is not shown again.")
