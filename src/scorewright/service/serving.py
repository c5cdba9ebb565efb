"""Serving: from an address to a running server, safe by default."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable

import uvicorn

from scorewright.errors import InvalidInputError
from scorewright.service.app import make_app
from scorewright.service.tokens import tokens
from scorewright.session import Store

_WAITING = 2048
"""Connections that may wait to be taken up."""


def serve(
    store: Store,
    host: str = "127.0.0.1",
    port: int = 8000,
    *,
    certificate: str | None = None,
    private_key: str | None = None,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Serve a store over HTTP until somebody interrupts.

    Parameters
    ----------
    store : Store
    host : str
        An address that others can reach is refused while the store has no principal's token.
    port : int
        0 takes any that is free.
    certificate, private_key : str, optional
        Files, for HTTPS.
    ready : callable, optional
        Called with the service's address when it listens.
    """
    check_address(store, host)
    listener = _listen(host, port)
    scheme = "http" if certificate is None else "https"
    shown = f"[{host}]" if ":" in host else host
    app = make_app(store)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        ssl_certfile=certificate,
        ssl_keyfile=private_key,
        timeout_graceful_shutdown=10,
        server_header=False,
    )
    server = uvicorn.Server(config)
    app.state.desk.ending = lambda: server.should_exit
    if ready is not None:
        ready(f"{scheme}://{shown}:{listener.getsockname()[1]}")
    try:
        server.run(sockets=[listener])
    finally:
        listener.close()


def check_address(store: Store, host: str) -> None:
    """Raise unless the address is this machine's own, or a principal's token guards what is there."""
    if is_loopback(host) or any(token.role == "principal" and token.valid for token in tokens(store)):
        return
    raise InvalidInputError(
        f"{host} can be reached by others, and this store has no principal's token yet: make one first "
        f"(scorewright session token principal), or serve 127.0.0.1"
    )


def is_loopback(host: str) -> bool:
    """Whether an address can be reached from this machine only."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # The protocol must be named: asyncio sends small answers at once (TCP_NODELAY) only where it is.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen(_WAITING)
    except (OSError, OverflowError) as problem:
        listener.close()
        raise InvalidInputError(f"can't listen at {host} port {port}: {problem}") from None
    return listener
