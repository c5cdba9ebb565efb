"""Access: from a request's token to who is calling, and whether that role may."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Header, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from scorewright.service.desk import Desk
from scorewright.service.problems import ProblemError
from scorewright.service.tokens import Role, Token, authenticate
from scorewright.session import Session
from scorewright.session.keys import LONGEST

_bearer = HTTPBearer(auto_error=False, description="A token, such as sw_agent_…")

Secret = Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)]

Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        description="Any text of your own, new for each request: sent again, the request is not done again.",
        min_length=1,
        max_length=LONGEST,
        pattern=r"^[\x20-\x7e]+$",
        examples=["5f0c2a34-tell-7"],
    ),
]


@dataclass(frozen=True)
class Caller:
    """Who is calling, and the desk to serve them at."""

    desk: Desk
    token: Token

    @property
    def session(self) -> Session:
        """The session that an agent's or a meter's token is for."""
        if self.token.session is None:
            raise ProblemError(403, "This token is for no session.")
        return self.desk.session(self.token.session)


def desk_of(request: Request) -> Desk:
    """Return the desk of the app that serves this request."""
    desk: Desk = request.app.state.desk
    return desk


class Only:
    """A dependency that lets only some roles through.

    Parameters
    ----------
    roles : str
    """

    def __init__(self, *roles: Role) -> None:
        self.roles = roles

    def __call__(self, request: Request, secret: Secret) -> Caller:
        """Return the caller, or refuse."""
        desk = desk_of(request)
        if secret is None:
            raise ProblemError(401, "Send a token: Authorization: Bearer sw_…")
        token = authenticate(desk.store, secret.credentials)
        if token is None:
            raise ProblemError(401, "This token is unknown, expired or revoked.")
        request.state.token = token
        if token.role not in self.roles:
            raise ProblemError(403, f"This is not for the token of a{'n' * (token.role == 'agent')} {token.role}.")
        return Caller(desk, token)


Principal = Annotated[Caller, Depends(Only("principal"))]
Agent = Annotated[Caller, Depends(Only("agent"))]
Meter = Annotated[Caller, Depends(Only("meter"))]
Monitor = Annotated[Caller, Depends(Only("monitor", "principal"))]
