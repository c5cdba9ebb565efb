"""What any durable service costs: a FastAPI endpoint that does one insert. benchmarks/service.py compares with it.

The store is opened as ours is (the same engine, WAL and fsync on SQLite), the body is a model, the answer is JSON.
`python benchmarks/bare.py STORE PORT`
"""

from __future__ import annotations

import sys
from typing import Any

import sqlalchemy as sa
import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel

from scorewright.session import open_store

metadata = sa.MetaData()
notes = sa.Table(
    "bare_notes",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
)


class Note(BaseModel):
    """Something to keep."""

    number: int
    text: str


def main() -> None:
    """Serve."""
    store = open_store(sys.argv[1])
    with store.writing() as connection:
        metadata.create_all(connection)
    app = FastAPI()

    @app.post("/notes")
    def keep(note: Note) -> dict[str, Any]:
        with store.writing() as connection:
            made = connection.execute(sa.insert(notes).values(number=note.number, text=note.text))
            return {"id": made.inserted_primary_key[0]}

    uvicorn.run(app, port=int(sys.argv[2]), log_level="warning", access_log=False)


if __name__ == "__main__":
    main()
