"""Round: one offer and what became of it, as its events tell it.

open -> answered (an effort and a report are known: the learner has learned) -> settled (the state is known: so are
decision, utility and payment); abandoned from open or answered. The rule is the one that was issued, read back from the
log: nothing ever computes it again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

from scorewright.errors import DocumentError
from scorewright.game import Setting
from scorewright.rules import Rule
from scorewright.session.events import Event

Status = Literal["open", "answered", "settled", "abandoned"]


@dataclass(frozen=True, eq=False)
class Round:
    """A round of a session.

    Attributes
    ----------
    number : int
        From 1.
    status : "open", "answered", "settled" or "abandoned"
    rule : Rule
        As issued, in whole units.
    offer : int
        The learner's number of the offer; several rounds have the same one if all but the last were abandoned.
    target, phase, why
        The learner's reasons.
    about : str or None
        What the round is about, in the principal's words.
    opened : str
        When.
    reported, attested : str or None
        Who reported, and who attested the effort.
    report : int, list of float or None
        As the agent gave it.
    row : int or None
        The belief that it counts as.
    effort : int, str or None
    state, decision : int or None
    utility, payment : float or None
    reason : str or None
        Why it was abandoned.
    changed : str
        When its last event was.
    """

    number: int
    status: Status
    rule: Rule
    offer: int
    target: int | None
    phase: str
    why: str
    about: str | None
    opened: str
    changed: str
    reported: str | None = None
    attested: str | None = None
    report: Any = None
    row: int | None = None
    effort: int | str | None = None
    state: int | None = None
    decision: int | None = None
    utility: float | None = None
    payment: float | None = None
    reason: str | None = None

    @classmethod
    def of(cls, events: Iterable[Event], setting: Setting) -> Round:
        """Return the round that these events, the first an "asked", have made."""
        events = iter(events)
        asked = next(events)
        body = asked.body
        made = cls(
            number=asked.round,
            status="open",
            rule=Rule(body["payments"], setting.terms.beliefs),
            offer=body["offer"],
            target=body["target"],
            phase=body["phase"],
            why=body["why"],
            about=body["about"],
            opened=asked.at,
            changed=asked.at,
        )
        for event in events:
            made = made.after(event)
        return made

    @classmethod
    def several(cls, events: Iterable[Event], setting: Setting) -> list[Round]:
        """Return the rounds that these events have made."""
        by_number: dict[int, list[Event]] = {}
        for event in events:
            by_number.setdefault(event.round, []).append(event)
        return [cls.of(of_one, setting) for of_one in by_number.values()]

    def after(self, event: Event) -> Round:
        """Return the round as it is after one more event."""
        known: dict[str, Any] = {"changed": event.at}
        if event.kind == "told" and self.status == "open":
            if "effort" in event.body:
                known |= {"effort": event.body["effort"], "attested": event.by}
            if "report" in event.body:
                known |= {"report": event.body["report"], "row": event.body["row"], "reported": event.by}
            done = replace(self, **known)
            return done if done.effort is None or done.row is None else replace(done, status="answered")
        if event.kind == "settled" and self.status == "answered":
            return replace(self, status="settled", **known, **event.body)
        if event.kind == "abandoned" and self.status in ("open", "answered"):
            return replace(self, status="abandoned", **known, **event.body)
        raise DocumentError(f"event {event.sequence} can't be: round {self.number} is {self.status}, not {event.kind}")


def settlement(round_: Round, state: int, setting: Setting) -> dict[str, Any]:
    """Return what the state fixes: her decision at the belief reported, its utility, and the payment."""
    if round_.row is None:
        raise DocumentError(f"round {round_.number} has no report yet")
    decision = int(setting.decision[round_.row])
    return {
        "state": state,
        "decision": decision,
        "utility": float(setting.utility[decision, state]),
        "payment": round_.rule.pay(round_.row, state),
    }
