"""Which sessions a store holds."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from scorewright.errors import NotFoundError
from scorewright.session import schema
from scorewright.session.store import Store


@dataclass(frozen=True)
class Entry:
    """One session: its id, its name, when it was created, and how many events it has."""

    id: str
    name: str
    created: str
    sequence: int


def catalogue(store: Store, after: str = "", most: int = 1000) -> list[Entry]:
    """Return the sessions of a store in the order of their ids, up to `most` that follow `after`."""
    row = schema.sessions.c
    chosen = sa.select(row.id, row.name, row.created, row.sequence).where(row.id > after).order_by(row.id).limit(most)
    with store.reading() as connection:
        return [Entry(*found) for found in connection.execute(chosen).all()]


def latest_sessions(store: Store, before: str | None = None, most: int = 100) -> list[Entry]:
    """Return the sessions of a store, the newest first, up to `most` that are older than session `before`."""
    row = schema.sessions.c
    chosen = sa.select(row.id, row.name, row.created, row.sequence)
    with store.reading() as connection:
        if before is not None:
            created = connection.execute(sa.select(row.created).where(row.id == before)).scalar()
            if created is None:
                raise NotFoundError(f"there is no session {before!r:.80}")
            chosen = chosen.where((row.created < created) | ((row.created == created) & (row.id < before)))
        found = connection.execute(chosen.order_by(row.created.desc(), row.id.desc()).limit(most)).all()
    return [Entry(*one) for one in found]


def find(store: Store, wanted: str | None = None) -> str:
    """Return the id of the session with this id or name; without either, of the only one there is."""
    row = schema.sessions.c
    chosen = sa.select(row.id, row.name).limit(11)
    if wanted is not None:
        chosen = chosen.where((row.id == wanted) | (row.name == wanted))
    with store.reading() as connection:
        found = connection.execute(chosen.order_by(row.created, row.id)).all()
    exact = [one for one in found if one.id == wanted]
    if len(exact or found) == 1:
        return str((exact or found)[0].id)
    if found:
        some = ", ".join(f"{one.id} {one.name}".strip() for one in found[:10])
        raise NotFoundError(f"{store.where} has more than one session{_called(wanted)}; say which by its id: {some}")
    raise NotFoundError(f"there is no session{_called(wanted)} in {store.where}; begin one: scorewright session new")


def _called(wanted: str | None) -> str:
    return "" if wanted is None else f" {wanted[:80]!r}"
