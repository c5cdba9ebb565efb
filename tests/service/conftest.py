"""A service in a thread of its own, and clients of every role."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
import uvicorn

import scorewright as sw
from scorewright.client import AgentClient, MeterClient, PrincipalClient
from scorewright.service import issue, make_app
from scorewright.service.serving import _listen
from scorewright.session import Store

GAME = sw.families.make("three_efforts")
ORACLE = sw.oracles.best_margin(GAME)
OPTIONS = {"oracle": [rule.payments.tolist() for rule in ORACLE], "radius": 0.03}


@dataclass
class Service:
    """A running service and its first principal."""

    url: str
    store: Store
    token: str
    clients: list[Any] = field(default_factory=list)

    @property
    def principal(self) -> PrincipalClient:
        """A principal's client."""
        return self._kept(PrincipalClient(self.url, self.token, patience=1))

    def session(self, **options: Any) -> str:
        """Begin a session with a quick learner; return its id."""
        given = {"learner": "osrl-ucb", "options": OPTIONS} | options
        return self.principal.create_session(GAME.setting, **given).id

    def agent(self, session: str, name: str = "") -> AgentClient:
        """Return an agent's client."""
        return self._kept(AgentClient(self.url, self.secret("agent", session, name), patience=1))

    def meter(self, session: str) -> MeterClient:
        """Return a meter's client."""
        return self._kept(MeterClient(self.url, self.secret("meter", session), patience=1))

    def secret(self, role: str, session: str | None = None, name: str = "") -> str:
        """Make a token."""
        return self.principal.make_token(role, session, name=name).token

    def raw(self, token: str | None = None) -> httpx.Client:
        """Return a plain HTTP client."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        return self._kept(httpx.Client(base_url=self.url, headers=headers, timeout=60))

    def _kept(self, client: Any) -> Any:
        self.clients.append(client)
        return client


@contextmanager
def running(store: Store, port: int = 0) -> Iterator[Service]:
    """Serve a store in a thread of its own."""
    listener = _listen("127.0.0.1", port)
    config = uvicorn.Config(make_app(store), log_config=None, access_log=False, timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    served = Service(f"http://127.0.0.1:{listener.getsockname()[1]}", store, issue(store, "principal")[1] or "")
    try:
        yield served
    finally:
        for client in served.clients:
            client.close()
        server.should_exit = True
        thread.join(20)
        listener.close()


@pytest.fixture
def service(store: Store) -> Iterator[Service]:
    """Give a running service, on each back end."""
    with running(store) as served:
        yield served
