"""Book: what a session's log adds up to. Applying the events in order gives it; so does a snapshot and the rest.

The learner is asked and told again as the events say, and what it offers is compared with what was issued. The log is
right: where a learner would now offer another rule (another release, say), the round keeps the rule that was issued,
and the learner, which can't learn from the answer to a rule that it did not propose, misses that one (`missed`).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from decimal import Decimal
from typing import Any

from scorewright import learn
from scorewright.errors import DocumentError, InvalidInputError
from scorewright.learn import Learner, Offer
from scorewright.rules import Rule
from scorewright.session.config import Config
from scorewright.session.events import Event
from scorewright.session.history import History
from scorewright.session.round import Round
from scorewright.session.spans import Spans

MOST_EFFORTS = 32
"""A learner prepares for every effort up to the largest number; more would be a slip, and take its time."""


class Book:
    """A session as of event number `sequence`.

    Parameters
    ----------
    opened : Event
        The first event.
    kind : type of Learner, optional
        Needed only for a learner that `scorewright.learn` does not know by name.
    content : dict, optional
        What `to_dict` returned, to go on from there.
    """

    def __init__(self, opened: Event, kind: type[Learner] | None = None, content: dict[str, Any] | None = None) -> None:
        self.config = Config.of(opened)
        state = opened.body["learner"] if content is None else content["learner"]
        restore = learn.restore if kind is None else kind.restore
        self.learner = restore(self.config.setting, state)
        self.sequence, self.at = opened.sequence, opened.at
        self.kept = 0
        """The last event of the snapshot that the store has of this book; 0 if it has none."""
        self.rounds = self.answered = self.settled = self.abandoned = self.missed = 0
        self.paid = 0
        """In units."""
        self.utility = 0.0
        self.awaiting = Spans()
        self.history = History()
        self.thought = 0.0
        """Seconds that the learner took since this book was read: what a snapshot would save the next reader."""
        self.ahead = False
        """Whether the learner has been asked for an offer that no event speaks of yet."""
        self._open: tuple[Event, ...] = ()
        self.open: Round | None = None
        self._agreed = False
        self._issued: tuple[Offer, Rule] | None = None
        if content is not None:
            self._load(content)

    # -- reading the log ---------------------------------------------------------------------------------------------

    def apply(self, event: Event) -> Round | None:
        """Take in the next event; return the open round that it made or changed. An error leaves the book as it was."""
        if event.sequence != self.sequence + 1:
            raise DocumentError(f"event {event.sequence} follows event {self.sequence}: the log has a gap")
        start = time.perf_counter()
        changed = {
            "asked": self._asked,
            "told": self._told,
            "settled": self._settled,
            "abandoned": self._abandoned,
        }[event.kind](event)
        self.thought += time.perf_counter() - start
        self.sequence, self.at = event.sequence, event.at
        return changed

    def _asked(self, event: Event) -> Round:
        if self.open is not None or event.round != self.rounds + 1:
            raise DocumentError(f"event {event.sequence} opens round {event.round}, which is not the next one")
        round_ = Round.of([event], self.config.setting)
        offer = self.learner.ask()
        self._agreed = offer.number == round_.offer and self.issued(offer) == round_.rule
        self.rounds, self._open, self.open, self.ahead = event.round, (event,), round_, False
        return round_

    def _told(self, event: Event) -> Round:
        if self.open is None or event.round != self.open.number:
            raise DocumentError(f"event {event.sequence} answers round {event.round}, which is not open")
        round_ = self.open.after(event)
        if round_.status == "open":
            self._open, self.open = (*self._open, event), round_
            return round_
        if self._agreed:
            self.learner.tell(self.learner.ask(), round_.effort, round_.row)
        else:
            self.missed += 1
        self._close()
        self.awaiting.add(event.round)
        self.answered += 1
        return round_

    def _settled(self, event: Event) -> None:
        self._take(event)
        self.settled += 1
        self.paid += round(event.body["payment"] / self.config.unit)
        self.utility += event.body["utility"]
        self.history.note(self.settled, self.paid, self.utility)

    def _abandoned(self, event: Event) -> None:
        if self.open is not None and event.round == self.open.number:
            self._close()
        else:
            self._take(event)
        self.abandoned += 1

    def _take(self, event: Event) -> None:
        if event.round not in self.awaiting:
            raise DocumentError(f"event {event.sequence}: round {event.round} does not await settlement")
        self.awaiting.remove(event.round)

    def _close(self) -> None:
        self._open, self.open, self._agreed = (), None, False

    def effort(self, effort: Any) -> int | str:
        """Read an effort, by number or label, as the log keeps it."""
        made = self.learner.effort_number(effort)
        if self.config.setting.terms.efforts is not None:
            return made
        most = max(MOST_EFFORTS, self.learner.efforts)
        if made >= most:
            raise InvalidInputError(
                f"effort {effort!r:.40} would be one of {made + 1}; a session whose setting does not name its efforts "
                f"tells {most} apart, numbered from 0: use smaller numbers, or the labels of efforts known already"
            )
        return effort if isinstance(effort, str) else made

    # -- what is next ------------------------------------------------------------------------------------------------

    def issued(self, offer: Offer) -> Rule:
        """Return the rule in whole units that is issued for an offer."""
        if self._issued is None or self._issued[0] is not offer:
            self._issued = offer, self.config.issue(offer.rule)
        return self._issued[1]

    def think(self) -> None:
        """Let the learner find its next offer, if one will be needed."""
        if self.open is None:
            start = time.perf_counter()
            self.ahead = True
            self.issued(self.learner.ask())
            self.thought += time.perf_counter() - start

    def next_round(self, about: str | None) -> dict[str, Any]:
        """Return the body of the event that opens the next round."""
        self.ahead = True
        offer = self.learner.ask()
        return {
            "offer": offer.number,
            "payments": self.issued(offer).payments.tolist(),
            "target": offer.target,
            "phase": offer.phase,
            "why": offer.why,
            "about": about,
        }

    @property
    def total_paid(self) -> float:
        """All payments settled so far, to the unit."""
        return self.amount(self.paid)

    def amount(self, units: int) -> float:
        """Return so many units of payment as an amount."""
        return float(units * Decimal(repr(self.config.unit)))

    # -- snapshots ---------------------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the config, JSON-able."""
        return {
            "sequence": self.sequence,
            "at": self.at,
            **{name: getattr(self, name) for name in _COUNTS},
            "awaiting": self.awaiting.pack(),
            "history": self.history.to_dict(),
            "open": [asdict(event) for event in self._open],
            "agreed": self._agreed,
            "learner": self.learner.state(),
        }

    def _load(self, content: dict[str, Any]) -> None:
        for name in _COUNTS:
            setattr(self, name, content[name])
        self.awaiting = Spans(content["awaiting"])
        self.history = History(**content["history"])
        self._open = tuple(Event(**entries) for entries in content["open"])
        self.open = Round.of(self._open, self.config.setting) if self._open else None
        self._agreed, self.sequence, self.at = content["agreed"], content["sequence"], content["at"]


_COUNTS: Sequence[str] = ("rounds", "answered", "settled", "abandoned", "missed", "paid", "utility")
