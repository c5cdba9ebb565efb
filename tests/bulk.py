"""Long sessions for tests and benchmarks, made as a real learner would have, but written many rounds at a time."""

from __future__ import annotations

import numpy as np

import scorewright as sw
from scorewright.session import Event, Session, Store, events, snapshots
from scorewright.session.round import settlement


def bulk_session(
    store: Store, game: sw.Game, oracle: tuple[sw.Rule | None, ...], rounds: int, *, name: str = ""
) -> str:
    """Write a session of OSRL-UCB with so many rounds, all settled but every hundredth; return its id."""
    learner = sw.learn.OsrlUcb(game.setting, oracle, radius=sw.learn.Radius(0.03))
    session = Session.create(store, learner, name=name)
    config = session.config
    rng = np.random.default_rng(0)
    draws = rng.random(rounds)
    states = rng.random(rounds)
    cumulated = np.cumsum(game.information, axis=1)
    with session.reading() as book, store.writing() as connection:  # nobody else knows of it yet
        waiting: list[Event] = []

        def add(kind: str, number: int, body: dict[str, object]) -> object:
            event = Event(book.sequence + 1, kind, number, "2026-01-01T00:00:00.000+00:00", "local", body)
            waiting.append(event)
            return book.apply(event)

        for number in range(1, rounds + 1):
            opened = add("asked", number, book.next_round(None))
            effort = game.respond(opened.rule)
            row = int(
                np.searchsorted(cumulated[effort], draws[number - 1], side="right").clip(0, len(game.beliefs) - 1)
            )
            told = add("told", number, {"effort": effort, "report": row, "row": row})
            if number % 100:
                state = int(np.searchsorted(np.cumsum(game.beliefs[row]), states[number - 1]).clip(0, 1))
                add("settled", number, settlement(told, state, config.setting))
            if len(waiting) > 3000:
                events.append(connection, config.id, *waiting)
                waiting.clear()
        if waiting:
            events.append(connection, config.id, *waiting)
    with session.reading() as book:
        snapshots.write(store, book)
    return config.id
