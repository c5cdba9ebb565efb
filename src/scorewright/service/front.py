"""Front: what happens to every request: a limit on its size, a line in the log, a count, and no stack for strangers."""

from __future__ import annotations

import logging
import re
import time
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Histogram
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from scorewright.service import problems

_log = logging.getLogger("scorewright.service")

LARGEST = 16 * 2**20
"""Bytes of a request: a setting of 5,000 beliefs takes about 2 MB."""

_TOO_LARGE = f"A request has at most {LARGEST:,} bytes."

_HEADERS = [(b"cache-control", b"no-store"), (b"x-content-type-options", b"nosniff")]


class Metrics:
    """What Prometheus reads: counts and times by route; no session, agent or amount is named."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        labels = ("method", "route")
        self.requests = Counter(
            "scorewright_requests", "Requests answered.", (*labels, "status"), registry=self.registry
        )
        self.seconds = Histogram(
            "scorewright_request_seconds",
            "Time to answer.",
            labels,
            registry=self.registry,
            buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
        )


class Front:
    """ASGI middleware.

    Parameters
    ----------
    app : ASGI application
    metrics : Metrics
    """

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app, self.metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start, status, arrived = time.perf_counter(), 0, 0

        async def counted() -> Message:
            nonlocal arrived
            message = await receive()
            arrived += len(message.get("body", b""))
            if arrived > LARGEST:
                raise HTTPException(413, _TOO_LARGE)
            return message

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                given = list(message.get("headers", []))
                named = {name for name, _ in given}
                message["headers"] = given + [header for header in _HEADERS if header[0] not in named]
            await send(message)

        try:
            if _declared(scope) > LARGEST:
                await problems.answer(413, _TOO_LARGE)(scope, receive, watched)
            else:
                await self.app(scope, counted, watched)
        except Exception:
            _log.exception("a request failed")
            if status:  # too late to say so
                raise
            response = problems.answer(500, "This request failed. The service's log says why.")
            await response(scope, receive, watched)
        finally:
            self._note(scope, status, time.perf_counter() - start)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "none")
        method = scope["method"] if scope["method"] in _METHODS else "other"
        self.metrics.requests.labels(method, route, str(status)).inc()
        self.metrics.seconds.labels(method, route).observe(seconds)
        token = scope.get("state", {}).get("token")
        facts: dict[str, Any] = {
            "method": method,
            "route": route,
            "status": status,
            "ms": round(1000 * seconds, 2),
            "token": None if token is None else token.id,
            "role": None if token is None else token.role,
            **{name: value for name, value in scope.get("path_params", {}).items() if _is_number(name, value)},
        }
        _log.info("request", extra={"facts": facts})


def _is_number(name: str, value: Any) -> bool:
    """Whether this part of a path is a session's or a round's number; what else was sent there may be a secret."""
    return name in ("session", "number") and re.fullmatch("[0-9a-f]{1,16}", str(value)) is not None


_METHODS = {"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"}


def _declared(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value) if value.isdigit() else 0
    return 0
