"""The app: one router per role. Whatever else is to be served by the same process is added here, as one more router."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import APIRouter, FastAPI
from starlette.concurrency import run_in_threadpool

import scorewright
from scorewright.service import agent, dashboard, meter, operations, pages, principal, problems
from scorewright.service.desk import Desk
from scorewright.service.front import Front, Metrics
from scorewright.service.problems import ProblemView
from scorewright.session import Store

ROUTERS: tuple[APIRouter, ...] = (
    principal.router,
    dashboard.router,
    agent.router,
    meter.router,
    operations.router,
    pages.router,
)

_ABOUT = """Durable rounds of offers, answers and payments. Every request but /health needs a token
(`Authorization: Bearer sw_…`), and every write takes an `Idempotency-Key`. Errors are application/problem+json."""


def make_app(store: Store) -> FastAPI:
    """Return the ASGI app that serves a store, which stays the caller's to close."""
    desk, metrics = Desk(store), Metrics()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await run_in_threadpool(desk.close)

    app = FastAPI(
        title="scorewright",
        version=scorewright.__version__,
        description=_ABOUT,
        lifespan=lifespan,
        generate_unique_id_function=lambda route: f"{(route.tags or ['other'])[0]}_{route.name}",
    )
    app.state.desk, app.state.metrics = desk, metrics
    app.add_middleware(Front, metrics=metrics)
    problems.install(app)
    for router in ROUTERS:
        app.include_router(router)
    _describe_problems(app)
    return app


def _describe_problems(app: FastAPI) -> None:
    """Let the OpenAPI document say what a problem looks like."""
    describe = app.openapi

    def described() -> dict[str, Any]:
        content = describe()
        parts = content["components"]["schemas"]
        if "ProblemView" not in parts:
            made = ProblemView.model_json_schema(ref_template="#/components/schemas/{model}")
            parts |= made.pop("$defs", {}) | {"ProblemView": made}
        return content

    app.openapi = described  # type: ignore[method-assign]
