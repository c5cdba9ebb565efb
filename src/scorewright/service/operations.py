"""For those who run the service: is it well, and what does it do."""

from __future__ import annotations

from typing import Literal

import sqlalchemy as sa
from fastapi import APIRouter, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from pydantic import BaseModel

from scorewright.service.access import Monitor, desk_of
from scorewright.service.front import Metrics
from scorewright.service.problems import responses
from scorewright.session import schema

router = APIRouter(tags=["operations"])


class HealthView(BaseModel):
    """The service answers, and so does its store."""

    status: Literal["ok"]
    version: str


@router.get("/health", responses=responses())
def health(request: Request) -> HealthView:
    """Say whether the service and its store are well; no token is needed."""
    with desk_of(request).store.reading() as connection:
        connection.execute(sa.select(schema.versions.c.version)).scalar_one()
    return HealthView(status="ok", version=request.app.version)


@router.get(
    "/metrics",
    response_class=Response,
    responses=responses(401, 403) | {200: {"content": {"text/plain": {}}, "description": "Prometheus metrics."}},
)
def read_metrics(request: Request, caller: Monitor) -> Response:
    """Read the metrics, as Prometheus does, with the token of a monitor or a principal."""
    del caller  # who has been let in
    metrics: Metrics = request.app.state.metrics
    return Response(generate_latest(metrics.registry), media_type=CONTENT_TYPE_LATEST)
