"""`scorewright serve`: sessions over HTTP."""

from __future__ import annotations

import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scorewright.cli import screen
from scorewright.cli.session import STORE, StoreOption
from scorewright.errors import InvalidInputError

if TYPE_CHECKING:
    from scorewright.cli.bot import Bot
    from scorewright.session import Store

_WARM_UP = 60
"""Rounds that the demo has behind it when it starts."""


def command(
    store: StoreOption = STORE,
    host: Annotated[str, typer.Option(help="Where to listen; others can reach it only if you say so.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="0 takes any that is free.")] = 8000,
    certificate: Annotated[Path | None, typer.Option(metavar="FILE", help="For HTTPS.")] = None,
    private_key: Annotated[Path | None, typer.Option(metavar="FILE", help="For HTTPS.")] = None,
    demo: Annotated[
        bool, typer.Option("--demo", help="Serve a demo session, played by a bot, from a store that is then deleted.")
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
        bot, facts = _demo(kept) if demo else (None, _first_token(kept, host))
        over = threading.Event()
        stack.callback(over.set)

        def ready(url: str) -> None:
            links = _links(url, facts)
            if as_json:
                screen.say_line({"url": url, "store": kept.where, **facts, "links": links})
            else:
                _say_ready(url, kept.where, facts, links)
            sys.stdout.flush()  # whoever reads it from a file or a pipe waits for it
            log_to_stderr()
            if bot is not None:
                threading.Thread(target=bot.play, args=(url, facts, over), daemon=True).start()

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
        raise SystemExit(0)  # not an Exception: nothing on the way may take it for a problem of its own

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


def _demo(store: Store) -> tuple[Bot, dict[str, str]]:
    """Begin a session on the analyst game, let a bot play some rounds, and make a token for everybody in it."""
    from scorewright.cli.bot import Bot
    from scorewright.families import analyst
    from scorewright.learn import Haggler
    from scorewright.service import issue
    from scorewright.session import Session

    game = analyst()
    learner = Haggler(game.setting, rng=0)
    session = Session.create(store, learner, name="Demo: the analyst", unit=0.01, attester="meter")
    bot = Bot(game)
    bot.warm_up(session, _WARM_UP)
    made = {"session": session.config.id, "principal": issue(store, "principal", name="demo")[1] or ""}
    for role in ("agent", "meter"):
        made[role] = issue(store, role, session=session.config.id, name="demo")[1] or ""
    return bot, made


def _links(url: str, facts: dict[str, str]) -> dict[str, str]:
    """Return where people go in; the token is in the fragment, which a browser does not send."""
    at = f"&at=/sessions/{facts['session']}" if "session" in facts else ""
    ends = {"principal": at, "agent": ""}
    return {role: f"{url}/{role}#token={facts[role]}{end}" for role, end in ends.items() if role in facts}


def _say_ready(url: str, store: str, facts: dict[str, str], links: dict[str, str]) -> None:
    screen.say(("scorewright serves ", "bold"), (url, "bold"), f" from {store}. Ctrl-C ends it.")
    for role, link in links.items():
        screen.say((f"  {role:<12} ", "bold"), (link, "bold"))
    screen.say(f"  API          {url}/docs  ({url}/openapi.json)\n  health       {url}/health")
    if "session" in facts:
        screen.say(
            f"  session      {url}/v1/sessions/{facts['session']}\n  meter        {facts['meter']}\n"
            "A bot plays the session, a round every few seconds: open the principal's link to watch and settle, the\n"
            "agent's to answer an offer before the bot does. Programs send the token behind #token=:\n"
            f"  curl -H 'Authorization: Bearer {facts['agent']}' {url}/v1/agent\n"
            f"  {sys.executable} examples/forecaster.py {url} --agent {facts['agent']} --meter {facts['meter']}"
        )
    elif "principal" in facts:
        screen.say("This link has the first principal's token in it. Keep it: it is not shown again.")
