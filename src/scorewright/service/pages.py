"""The pages for people: files of this package, from memory, under a policy that lets them load nothing else.

They hold no data: a page asks the API for it with the token that its user brought, in the address's fragment, which a
browser never sends. The agent's page and its scripts are others than the principal's.
"""

from __future__ import annotations

import hashlib
from importlib import resources

from fastapi import APIRouter, Request, Response

from scorewright.errors import NotFoundError

_TYPES = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}

_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",  # no text ever becomes markup
        "trusted-types 'none'",
    )
)

_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-cache",  # may be kept, but is asked about each time
}

FILES = {
    file.name: file.read_bytes()
    for file in resources.files("scorewright.service").joinpath("site").iterdir()
    if file.name.rpartition(".")[2] in _TYPES
}

_TAGS = {name: f'"{hashlib.sha256(content).hexdigest()[:32]}"' for name, content in FILES.items()}

router = APIRouter(tags=["pages"], include_in_schema=False)


@router.get("/")
def sign_in(request: Request) -> Response:
    """Sign in with a token."""
    return _page(request, "index.html")


@router.get("/principal")
def principal(request: Request) -> Response:
    """The principal's pages."""
    return _page(request, "principal.html")


@router.get("/agent")
def agent(request: Request) -> Response:
    """The agent's page."""
    return _page(request, "agent.html")


@router.get("/site/{name}")
def part(request: Request, name: str) -> Response:
    """A script, a style or a picture."""
    if name not in FILES or name.endswith(".html"):
        raise NotFoundError("there is no such file")
    return _page(request, name)


def _page(request: Request, name: str) -> Response:
    headers = _HEADERS | {"ETag": _TAGS[name]}
    if request.headers.get("if-none-match") == _TAGS[name]:
        return Response(status_code=304, headers=headers)
    return Response(FILES[name], headers=headers, media_type=_TYPES[name.rpartition(".")[2]])
