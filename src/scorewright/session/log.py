"""Log: a session as its log has it: rounds are looked at, settled and given up without any learner."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import sqlalchemy as sa

from scorewright.errors import NotFoundError, RoundError
from scorewright.session import events, keys
from scorewright.session.config import Config, read_text
from scorewright.session.events import Event
from scorewright.session.round import Round, settlement
from scorewright.session.store import Store, now
from scorewright.validation import whole

LOCAL = "local"
"""Who acts when nobody has a token: the terminal, or a program of the principal's."""

LAST_ROUND = 2**53
"""No session has more rounds, and a JSON number can say as much."""

_EVENTS_PER_SNAPSHOT = 1000
"""Whoever writes an event whose number is a multiple of this keeps a snapshot."""

Made = tuple[Round, Event | None]
"""A round as it is after a step, and the event that made it so; None where there was nothing left to do."""


class Log:
    """What a session's log alone is enough for.

    Parameters
    ----------
    store : Store
    config : Config
    """

    def __init__(self, store: Store, config: Config) -> None:
        self.store, self.config = store, config

    # -- what is known -----------------------------------------------------------------------------------------------

    def open_round(self) -> Round | None:
        """Return the open round, if there is one."""
        with self.store.reading() as connection:
            found = events.of_last_round(connection, self.config.id)
        last = Round.of(found, self.config.setting) if found else None
        return last if last is not None and last.status == "open" else None

    def round(self, number: int) -> Round:
        """Return one round, as it is now."""
        number = round_number(number)
        with self.store.reading() as connection:
            return self._find(connection, number)

    def rounds(self, after: int = 0, most: int = 100) -> list[Round]:
        """Return up to `most` rounds that follow round `after`."""
        with self.store.reading() as connection:
            found = events.of_rounds(connection, self.config.id, after + 1, after + most)
        return Round.several(found, self.config.setting)

    def rounds_reported_by(self, by: str, after: int = 0, most: int = 100) -> list[Round]:
        """Return up to `most` rounds after round `after` that `by` reported in."""
        with self.store.reading() as connection:
            numbers = events.rounds_told_by(connection, self.config.id, by, after, most)
        return list(self.rounds_numbered(numbers).values())

    def rounds_numbered(self, numbers: Collection[int]) -> dict[int, Round]:
        """Return the rounds with these numbers, as far as there are such, in order."""
        with self.store.reading() as connection:
            found = events.of_rounds_numbered(connection, self.config.id, numbers)
        made = {one.number: one for one in Round.several(found, self.config.setting)}
        return {number: made[number] for number in sorted(made)}

    def events(self, after: int = 0, most: int = 1000) -> list[Event]:
        """Return up to `most` events that follow event number `after`."""
        with self.store.reading() as connection:
            return list(events.after(connection, self.config.id, after, most))

    # -- steps that need no learner -----------------------------------------------------------------------------------

    def settle(self, which: int | Round, state: Any, *, by: str = LOCAL, key: str | None = None) -> Round:
        """Say which state came: this fixes decision, utility and payment. The same again does nothing."""
        number = round_number(which)
        came = self.config.setting.terms.state(state)

        def decide(connection: sa.Connection, last: int) -> Made:
            found = self._find(connection, number)
            if found.status == "settled" and found.state == came:
                return found, None
            if found.status != "answered":
                what = "settled before, in another state" if found.status == "settled" else found.status
                raise RoundError(f"round {number} can't be settled: it is {what}")
            event = Event(last + 1, "settled", number, now(), by, settlement(found, came, self.config.setting))
            return found.after(event), event

        return self._step(decide, by, key, "settle", number, came)

    def abandon(
        self, which: int | Round, reason: str | None = None, *, unreported: bool = False, by: str = LOCAL,
        key: str | None = None,
    ) -> Round:  # fmt: skip
        """Give a round up, open or answered: it is never paid. Of an open one nothing is learned.

        Parameters
        ----------
        which : int or Round
        reason : str, optional
        unreported : bool
            Only if no report has been made: what an agent may do who declines.
        by, key
        """
        number = round_number(which)
        reason = read_text(reason, "reason")

        def decide(connection: sa.Connection, last: int) -> Made:
            found = self._find(connection, number)
            if unreported and found.row is not None:  # first: whether it is settled is not for whoever declines
                raise RoundError(f"round {number} can't be declined any more: a report has been made")
            if found.status == "settled":
                raise RoundError(f"round {number} can't be abandoned: it is settled")
            if found.status == "abandoned":
                return found, None
            event = Event(last + 1, "abandoned", number, now(), by, {"reason": reason})
            return found.after(event), event

        return self._step(decide, by, key, "abandon", number, reason, unreported)

    # -- one step ----------------------------------------------------------------------------------------------------

    def _step(
        self, decide: Callable[[sa.Connection, int], Made], by: str, key: str | None, *request: Any
    ) -> Round:  # fmt: skip
        """Lock, decide, write: all of it or nothing. `decide` is told the number of the last event."""
        key = keys.read_key(key)
        mark = keys.fingerprint(self.config.id, *request) if key else ""
        with self.store.writing() as connection:
            last = self.store.lock_session(connection, self.config.id)
            done = keys.find(connection, by, key, mark)
            if done is not None:
                return self._find(connection, done.round, done.sequence)
            result, event = decide(connection, last)
            if event is not None:
                events.append(connection, self.config.id, event)
                last = event.sequence
            keys.keep(connection, by, key, mark, keys.Done(self.config.id, result.number, last))
        if event is not None and last % _EVENTS_PER_SNAPSHOT == 0:
            self._keep()
        return result

    def _keep(self) -> None:
        """Keep a snapshot, if that can be done."""

    def _find(self, connection: sa.Connection, number: int, until: int | None = None) -> Round:
        found = events.of_rounds(connection, self.config.id, number, number)
        if not found:
            raise NotFoundError(f"there is no round {number} in this session")
        return Round.of((one for one in found if until is None or one.sequence <= until), self.config.setting)


def round_number(which: Any) -> int:
    """Read which round is meant: the round itself, or its number."""
    number = which.number if isinstance(which, Round) else which
    return whole(number, "round", least=1, most=LAST_ROUND)
