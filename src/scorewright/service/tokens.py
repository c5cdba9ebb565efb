"""Tokens: who may do what.

A token is 256 random bits, shown once and kept only as its SHA-256 digest (of so many random bits no slow hash is
needed). It is looked up by its digest, so that nothing is compared byte by byte. It expires, and can be revoked.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import sqlalchemy as sa

from scorewright.errors import InvalidInputError, NotFoundError
from scorewright.session import Store, schema
from scorewright.session import keys as idempotency
from scorewright.session.config import read_text
from scorewright.session.session import LOCAL
from scorewright.session.store import now
from scorewright.validation import member, number

Role = Literal["principal", "agent", "meter", "monitor"]

ROLES: tuple[Role, ...] = ("principal", "agent", "meter", "monitor")
"""A principal sees and does everything; an agent answers the offers of one session; a meter attests the efforts of one
session; a monitor reads the metrics."""

DAYS = 90.0
"""A token's life unless somebody says otherwise."""

_MOST_DAYS = 3650.0


@dataclass(frozen=True)
class Token:
    """What is kept of a token.

    Attributes
    ----------
    id : str
        To name it by; it opens nothing.
    role : str
    session : str or None
        The only session that it is for (agents and meters).
    name : str
        Whose it is, for people.
    created, expires : str
    revoked : str or None
        When it was revoked.
    """

    id: str
    role: Role
    session: str | None
    name: str
    created: str
    expires: str
    revoked: str | None

    @property
    def valid(self) -> bool:
        """Whether it opens anything now."""
        return self.revoked is None and now() < self.expires


def issue(
    store: Store,
    role: str,
    *,
    session: str | None = None,
    name: str = "",
    days: float = DAYS,
    by: str = LOCAL,
    key: str | None = None,
) -> tuple[Token, str | None]:
    """Make a token; return it and its secret, which is None if this very request came before: it is shown once.

    Parameters
    ----------
    store : Store
    role : "principal", "agent", "meter" or "monitor"
    session : str, optional
        The id of the session; agents and meters need one, others have none.
    name : str
    days : float
        How long it is good for.
    by, key
        Who asks for it, and an idempotency key.
    """
    kind = ROLES[ROLES.index(member(role, "role", ROLES))]
    if (kind in ("agent", "meter")) != (session is not None):
        wants = "is for one session: say which" if session is None else "is for no session in particular: name none"
        raise InvalidInputError(f"the token of a {kind} {wants}")
    life = timedelta(days=number(days, "days", above=0, most=_MOST_DAYS))
    label, key = read_text(name, "name") or "", idempotency.read_key(key)
    request = idempotency.fingerprint("issue", kind, session, label, life.total_seconds())
    secret = f"sw_{kind}_{secrets.token_urlsafe(32)}"
    created = now()
    made = Token(
        secrets.token_hex(8), kind, session, label, created,
        (datetime.now(UTC) + life).isoformat(timespec="milliseconds"), None,
    )  # fmt: skip
    with store.writing() as connection:
        idempotency.lock(store, connection, by, key)
        done = idempotency.find(connection, by, key, request)
        if done is not None:
            return _one(connection, schema.tokens.c.id == done.subject), None
        if session is not None:
            store.lock_session(connection, session)  # which must exist
        entries = {name: getattr(made, name) for name in Token.__dataclass_fields__}
        connection.execute(sa.insert(schema.tokens), entries | {"digest": digest(secret)})
        idempotency.keep(connection, by, key, request, idempotency.Done(made.id, 0, 0))
    return made, secret


def authenticate(store: Store, secret: str) -> Token | None:
    """Return the token with this secret, if it is good."""
    with store.reading() as connection:
        found = connection.execute(_BY_DIGEST, {"seen": digest(secret)}).first()
    token = None if found is None else Token(*found)
    return token if token is not None and token.valid else None


def revoke(store: Store, token: str) -> Token:
    """Make a token useless from now on; again does nothing."""
    row = schema.tokens.c
    with store.writing() as connection:
        chosen = sa.update(schema.tokens).where(row.id == token, row.revoked.is_(None))
        connection.execute(chosen.values(revoked=now()))
        return _one(connection, row.id == token)


def find_token(store: Store, token: str) -> Token:
    """Return what is known of a token."""
    with store.reading() as connection:
        return _one(connection, schema.tokens.c.id == token)


def tokens(store: Store, *, session: str | None = None) -> list[Token]:
    """Return what is known of all tokens, or of one session's."""
    chosen = _SELECT if session is None else _SELECT.where(schema.tokens.c.session == session)
    with store.reading() as connection:
        return [Token(*found) for found in connection.execute(chosen.order_by(schema.tokens.c.created)).all()]


def digest(secret: str) -> str:
    """Return what is kept of a secret."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


_SELECT = sa.select(*(schema.tokens.c[name] for name in Token.__dataclass_fields__))
_BY_DIGEST = _SELECT.where(schema.tokens.c.digest == sa.bindparam("seen"))


def _one(connection: sa.Connection, which: Any) -> Token:
    found = connection.execute(_SELECT.where(which)).first()
    if found is None:
        raise NotFoundError("there is no such token")
    return Token(*found)
