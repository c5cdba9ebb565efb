"""Long sessions for tests and benchmarks: true ones, of a real learner and the rational agent, written in bulk."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import numpy as np

import scorewright as sw
from scorewright.session import Book, Event, Session, Store, events, snapshots
from scorewright.session.round import Round, settlement

_PAGE = 30_000
"""Events per transaction."""

_BEGUN = datetime(2026, 1, 1, tzinfo=UTC)


def bulk_session(
    store: Store, game: sw.Game, learner: sw.learn.Learner, rounds: int, *, name: str = "", unsettled: int = 100
) -> str:
    """Write a session of so many rounds, a minute each, all settled but every `unsettled`-th; return its id.

    The log is one that the session itself would have written, and its replay gives the snapshot that is kept. A
    learner that repeats a rule (Haggler, a fixed rule) plays those rounds in the kernel: a million take minutes.
    """
    session = Session.create(store, learner, name=name)
    with session.reading() as book:
        waiting: list[Event] = []
        for event in _played(book, game, rounds, unsettled):
            waiting.append(event)
            if len(waiting) == _PAGE:
                _write(store, book, waiting)
        if waiting:
            _write(store, book, waiting)
        snapshots.write(store, book)
    return session.config.id


def _write(store: Store, book: Book, waiting: list[Event]) -> None:
    with store.writing() as connection:  # nobody else knows of it yet
        events.append(connection, book.config.id, *waiting)
    waiting.clear()


def _played(book: Book, game: sw.Game, rounds: int, unsettled: int) -> Iterator[Event]:
    """Return the events of so many more rounds, and let the book count them as if it had applied them one by one."""
    rng = np.random.default_rng(0)
    while book.rounds < rounds:
        body = book.next_round(None)
        asked = Event(book.sequence + 1, "asked", book.rounds + 1, "", "local", body)
        rule = Round.of([asked], book.config.setting)
        due: dict[tuple[int, int], dict[str, float]] = {}
        for effort, row, state in _answers(book.learner, game, rounds - book.rounds, rng):
            number = book.rounds + 1
            at = (_BEGUN + timedelta(minutes=number)).isoformat(timespec="milliseconds")
            told = Event(book.sequence + 2, "told", number, at, "local", {"effort": effort, "report": row, "row": row})
            yield Event(book.sequence + 1, "asked", number, at, "local", body)
            yield told
            book.rounds = book.answered = number
            book.sequence, book.at = book.sequence + 2, at
            body = body | {"offer": body["offer"] + 1}
            book.awaiting.add(number)
            if number % unsettled:
                if (row, state) not in due:
                    due[row, state] = settlement(rule.after(told), state, book.config.setting)
                settled = Event(book.sequence + 1, "settled", number, at, "local", due[row, state])
                book.apply(settled)
                yield settled


def _answers(
    learner: sw.learn.Learner, game: sw.Game, most: int, rng: np.random.Generator
) -> Iterator[tuple[int, int, int]]:
    """Play the offer that the learner would make now, and again for as long as it is sure to repeat it."""
    offer = learner.ask()
    effort = sw.agents.Rational().start(game, rng).choose(offer.rule.expected)
    row = _draw(game.information[effort], rng)
    learner.tell(offer, effort, row)
    yield effort, row, _draw(game.beliefs[row], rng)
    alike = min(most - 1, _PAGE, learner.alone()) if isinstance(learner, sw.learn.Haggler | sw.learn.FixedRule) else 0
    if alike > 0:
        run = sw.simulate(game, learner, alike, rng=rng)
        yield from zip(run.effort.tolist(), run.report.tolist(), run.state.tolist(), strict=True)


def _draw(chances: np.ndarray, rng: np.random.Generator) -> int:
    return int(np.searchsorted(np.cumsum(chances), rng.random() * chances.sum(), side="right"))
