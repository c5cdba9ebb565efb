"""Problems: every error as application/problem+json (RFC 9457), in words that give nothing away.

An error names what the caller did wrong; what lies behind it (a path, a driver's message, a stack) goes to the log.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from scorewright.errors import KeyReusedError, NotFoundError, RoundError, ScorewrightError, StoreError

_log = logging.getLogger("scorewright.service")

MEDIA_TYPE = "application/problem+json"

_TITLES = {
    400: "This request can't be read",
    401: "A token is needed",
    403: "This token does not allow that",
    404: "There is no such thing",
    405: "This can't be done here",
    409: "Not now",
    413: "Too large",
    422: "This can't be",
    500: "Something is wrong with the service",
    503: "The store can't be used",
}


class Detail(BaseModel):
    """One thing that is wrong with a request."""

    where: str = Field(examples=["body.report"])
    what: str = Field(examples=["Field required"])


class ProblemView(BaseModel):
    """What went wrong."""

    type: str = Field(description="A URN that names the kind of problem.", examples=["urn:scorewright:problem:409"])
    title: str = Field(examples=[_TITLES[409]])
    status: int = Field(examples=[409])
    detail: str = Field(examples=["round 7 was answered before; an answer can't be changed"])
    errors: list[Detail] | None = Field(None, description="What is wrong with the request, one by one.")


class ProblemError(Exception):
    """An answer other than the one hoped for.

    Parameters
    ----------
    status : int
    detail : str
    """

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status, self.detail = status, detail


def responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return how the OpenAPI document describes these problems, and those that any request may meet."""
    schema = {"$ref": "#/components/schemas/ProblemView"}
    return {
        status: {
            "description": _TITLES[status],
            "content": {MEDIA_TYPE: {"schema": schema, "example": _example(status)}},
        }
        for status in sorted({*statuses, 400, 413, 422, 500, 503})
    }


def _example(status: int) -> dict[str, Any]:
    return {"type": _type(status), "title": _TITLES[status], "status": status, "detail": _TITLES[status] + "."}


def answer(
    status: int,
    detail: str,
    *,
    errors: list[dict[str, str]] | None = None,
    headers: Mapping[str, str] | None = None,
) -> JSONResponse:
    """Return a problem as a response."""
    content: dict[str, Any] = {
        "type": _type(status),
        "title": _TITLES.get(status, "Problem"),
        "status": status,
        "detail": _clean(detail),
    }
    if errors is not None:
        content["errors"] = errors
    return JSONResponse(content, status, headers, MEDIA_TYPE)


def install(app: FastAPI) -> None:
    """Let an app answer every error this way."""
    app.add_exception_handler(ProblemError, _problem)
    app.add_exception_handler(ScorewrightError, _ours)
    app.add_exception_handler(RequestValidationError, _unreadable)
    app.add_exception_handler(HTTPException, _http)


def _problem(_: Request, problem: Exception) -> JSONResponse:
    assert isinstance(problem, ProblemError)
    headers = {"WWW-Authenticate": "Bearer"} if problem.status == 401 else None
    return answer(problem.status, problem.detail, headers=headers)


def _ours(_: Request, problem: Exception) -> JSONResponse:
    if isinstance(problem, StoreError):
        _log.error("the store failed: %s", problem)
        detail = problem.reason or "The store failed; nothing was kept of this step."
        return answer(503, detail, headers={"Retry-After": "1"})
    if isinstance(problem, NotFoundError):
        return answer(404, str(problem))
    if isinstance(problem, RoundError):
        return answer(409, str(problem))
    if isinstance(problem, KeyReusedError | ValueError | LookupError):
        return answer(422, str(problem))
    _log.error("a step failed", exc_info=problem)
    return answer(500, "This step failed; nothing was kept of it. The service's log says why.")


def _unreadable(_: Request, problem: Exception) -> JSONResponse:
    assert isinstance(problem, RequestValidationError)
    errors = [{"where": ".".join(map(str, one["loc"])), "what": one["msg"]} for one in problem.errors()[:20]]
    errors = [{name: _clean(text) for name, text in one.items()} for one in errors]
    return answer(422, "; ".join(f"{one['where']}: {one['what']}" for one in errors[:3]), errors=errors)


def _http(_: Request, problem: Exception) -> JSONResponse:
    assert isinstance(problem, HTTPException)
    return answer(problem.status_code, problem.detail, headers=problem.headers)


def _type(status: int) -> str:
    return f"urn:scorewright:problem:{status}"


def _clean(text: str) -> str:
    """Return a text that any encoder takes."""
    return text.encode("utf-8", "replace").decode()[:1000]
