"""Session: any learner in durable rounds.

What a method returns is on the disk. What it raises has left the session as it was. Any number of threads and processes
may hold a `Session` of the same id: each step locks the session's row, reads what others have written meanwhile, and
only then decides. Asking and telling need the learner, which is read from the store when it is first needed; settling,
giving up and looking at rounds need the log alone.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa

from scorewright.errors import InvalidInputError, RoundError
from scorewright.learn import Learner
from scorewright.session import events, keys, schema, snapshots
from scorewright.session.book import Book
from scorewright.session.config import Config, read_roles, read_text, read_unit
from scorewright.session.events import Event
from scorewright.session.log import LAST_ROUND, LOCAL, Log, Made, round_number
from scorewright.session.round import Round
from scorewright.session.standing import Standing
from scorewright.session.store import Store, now

__all__ = ["LAST_ROUND", "LOCAL", "Session"]

_THOUGHT_PER_SNAPSHOT = 0.25
"""Seconds of a learner's time that whoever opens the session next should not have to wait for."""

_log = logging.getLogger(__name__)


class Session(Log):
    """Durable rounds; make one with `Session.create` or `Session.open`.

    Examples
    --------
    >>> import tempfile, pathlib, scorewright as sw
    >>> from scorewright.session import Session, open_store
    >>> game = sw.families.make("three_efforts")
    >>> store = open_store(pathlib.Path(tempfile.mkdtemp(), "desk.db"))
    >>> session = Session.create(store, sw.learn.Haggler(game.setting, rng=0))
    >>> session.ask().number
    1
    >>> session.tell(1, effort="skim", report=[0.7, 0.3]).status
    'answered'
    >>> session.settle(1, state="down").status
    'settled'
    >>> store.close()
    """

    def __init__(self, store: Store, config: Config, kind: type[Learner] | None = None) -> None:
        super().__init__(store, config)
        self._kind = kind
        self._book: Book | None = None
        self._lock = threading.RLock()

    @classmethod
    def create(
        cls,
        store: Store,
        learner: Learner,
        *,
        name: str = "",
        unit: float | None = None,
        attester: str = "principal",
        pacer: str = "agent",
        by: str = LOCAL,
        key: str | None = None,
    ) -> Session:
        """Begin a session with a learner, which stays the caller's: the session goes on with a copy.

        Parameters
        ----------
        store : Store
        learner : Learner
        name : str
            A label for people.
        unit : float, optional
            Payments are whole multiples of this; by default a power of ten, at most a ten-thousandth of the bound.
        attester : "principal", "meter" or "agent"
            Who says which effort was made, over HTTP.
        pacer : "agent" or "principal"
            Who may open the next round, over HTTP.
        by, key
            Who asks for it, and an idempotency key.
        """
        if not isinstance(learner, Learner):
            raise InvalidInputError(f"learner must be a Learner, not a value of type {type(learner).__name__}")
        setting, state = learner.setting, learner.state()
        who, opener = read_roles(attester, pacer)
        fresh = Config(
            secrets.token_hex(8), read_text(name, "name") or "", setting, read_unit(unit, setting), who, opener,
            learner.name, now(),
        )  # fmt: skip
        body = fresh.body() | {"learner": state}
        opened = Event(1, "opened", 0, fresh.created, by, body)
        Book(opened, type(learner))  # what can't be read back is refused now
        request = keys.fingerprint("create", body | {"session": None})
        key = keys.read_key(key)
        with store.writing() as connection:
            keys.lock(store, connection, by, key)
            done = keys.find(connection, by, key, request)
            if done is None:
                connection.execute(
                    sa.insert(schema.sessions).values(id=fresh.id, name=fresh.name, created=fresh.created, sequence=1)
                )
                events.append(connection, fresh.id, opened)
                keys.keep(connection, by, key, request, keys.Done(fresh.id, 0, 1))
        return cls(store, fresh, type(learner)) if done is None else cls.open(store, done.subject, type(learner))

    @classmethod
    def open(cls, store: Store, session: str, kind: type[Learner] | None = None) -> Session:
        """Go on with a session.

        Parameters
        ----------
        store : Store
        session : str
            Its id.
        kind : type of Learner, optional
            Needed only for a learner of your own, that `scorewright.learn.make` does not know.
        """
        with store.reading() as connection:
            return cls(store, Config.of(events.opened(connection, session)), kind)

    # -- steps -------------------------------------------------------------------------------------------------------

    def ask(self, about: str | None = None, *, by: str = LOCAL, key: str | None = None) -> Round:
        """Return the open round, or open the next one; `about` says what it is about, to the agent too."""
        about = read_text(about, "about")

        def decide(book: Book, _: sa.Connection) -> Made:
            if book.open is not None:
                return book.open, None
            event = Event(book.sequence + 1, "asked", book.rounds + 1, now(), by, book.next_round(about))
            return Round.of([event], self.config.setting), event

        with self._lock:
            try:
                self._current().think()  # here, where nobody waits for it but those who wait for this session anyway
                return self._learn(decide, by, key, "ask", about)
            finally:
                if self._book is not None and self._book.ahead:  # refused: no event speaks of what was thought of
                    self._book = None

    def tell(
        self, which: int | Round, effort: Any = None, report: Any = None, *, own: bool = False, by: str = LOCAL,
        key: str | None = None,
    ) -> Round:  # fmt: skip
        """Say how the open round was answered: the effort, the report, or both; it is answered when both are known.

        Telling the same again does nothing, telling otherwise raises.

        Parameters
        ----------
        which : int or Round
            The round that is answered.
        effort : int or str, optional
            The effort made, by number or label.
        report : int or sequence of float, optional
            The belief reported, by number or as a distribution.
        own : bool
            Only if nobody else has reported, even the same: what an agent may do, who is paid for its own reports.
        by, key
            Who says so, and an idempotency key.
        """
        number = round_number(which)
        if effort is None and report is None:
            raise InvalidInputError("an answer has an effort, a report, or both; this one has neither")
        said = None if report is None else _plain(report)

        def decide(book: Book, connection: sa.Connection) -> Made:
            is_open = book.open is not None and book.open.number == number
            found = (is_open and book.open) or self._find(connection, number)
            if own and found.reported not in (None, by):  # whatever it said: nobody may find out by trying
                raise RoundError(f"round {number} was answered before; an answer can't be changed")
            if not is_open:
                return self._told_again(book, found, effort, report), None
            body: dict[str, Any] = {}
            if effort is not None:
                made = book.effort(effort)
                if found.effort not in (None, made):
                    raise RoundError(f"another effort was attested for round {number} before; it can't be changed")
                body |= {"effort": made} if found.effort is None else {}
            if report is not None:
                row = found.rule.row(report)
                if found.row not in (None, row):
                    raise RoundError(f"another report was made in round {number} before; it can't be changed")
                body |= {"report": said, "row": row} if found.row is None else {}
            if not body:
                return found, None
            event = Event(book.sequence + 1, "told", number, now(), by, body)
            return found.after(event), event

        return self._learn(decide, by, key, "tell", number, effort, said)

    # -- what is known -----------------------------------------------------------------------------------------------

    def standing(self) -> Standing:
        """Return where the session stands."""
        with self.reading() as book:
            return Standing.of(book)

    @contextmanager
    def reading(self) -> Iterator[Book]:
        """Give the book as of now, such as for its learner's estimates; nothing in it may be changed."""
        with self._lock:
            with self.store.reading() as connection:
                book = self._caught_up(connection)
            yield book

    def replay(self) -> Book:
        """Return the book that the log alone gives, snapshots aside."""
        with self.store.reading() as connection:
            return snapshots.replay(connection, self.config.id, self._kind)

    def snapshot(self) -> bool:
        """Keep a snapshot now; whether that could be done."""
        with self.reading() as book:
            return book.sequence == book.kept or snapshots.write(self.store, book)

    def leave(self) -> None:
        """Keep a snapshot of what is in memory, if that can be done, so that the next to come need not wait."""
        with self._lock:
            if self._book is not None:
                self._keep()

    # -- one step ----------------------------------------------------------------------------------------------------

    def _learn(self, decide: Callable[[Book, sa.Connection], Made], by: str, key: str | None, *request: Any) -> Round:
        """Make a step that the learner takes part in."""
        changed = False

        def decided(connection: sa.Connection, _: int) -> Made:
            nonlocal changed
            book = self._caught_up(connection)
            result, event = decide(book, connection)
            if event is not None:
                changed = True
                book.apply(event)
            return result, event

        with self._lock:
            self._current()  # a long log is read here, where nobody waits for the store
            try:
                result = self._step(decided, by, key, *request)
            except BaseException:
                if changed:  # and not on the disk: the next step reads the store again
                    self._book = None
                raise
            if changed and self._book is not None and self._book.thought > _THOUGHT_PER_SNAPSHOT:
                self._keep()
            return result

    def _keep(self) -> None:
        """Keep a snapshot, if that can be done: the step before it is on the disk, and must not seem to have failed."""
        try:
            self.snapshot()
        except Exception as problem:  # whatever a learner of somebody's own may raise
            _log.warning("session %s: no snapshot, so that opening it takes longer: %s", self.config.id, problem)

    def _current(self) -> Book:
        """Return the book in memory, which may be behind; read it if there is none."""
        if self._book is None:
            with self.store.reading() as connection:
                return self._caught_up(connection)
        return self._book

    def _caught_up(self, connection: sa.Connection) -> Book:
        """Return the book as of the last event."""
        book, self._book = self._book, None  # an error below leaves none
        if book is None or not snapshots.catch_up(connection, book):
            book = snapshots.read(connection, self.config.id, self._kind)
        self._book = book
        return book

    def _told_again(self, book: Book, found: Round, effort: Any, report: Any) -> Round:
        """Return a round that is not open any more if this is the answer that it got."""
        if found.status == "abandoned":
            raise RoundError(f"round {found.number} was abandoned; it can't be answered")
        same_effort = effort is None or book.effort(effort) == found.effort
        if same_effort and (report is None or found.rule.row(report) == found.row):
            return found
        raise RoundError(f"round {found.number} was answered before; an answer can't be changed")


def _plain(report: Any) -> Any:
    """Return a report as JSON says it."""
    if hasattr(report, "tolist"):
        report = report.tolist()
    return list(report) if isinstance(report, tuple) else report
