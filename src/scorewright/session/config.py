"""Config: what a session was opened with, for good."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from scorewright import tolerance
from scorewright.errors import InvalidInputError
from scorewright.game import Setting
from scorewright.rules import Rule
from scorewright.session.events import Event
from scorewright.validation import member, number

Attester = Literal["principal", "meter", "agent"]
"""Who says which effort was made."""

Pacer = Literal["agent", "principal"]
"""Who may open the next round: also the agent, or the principal alone."""

ATTESTERS: tuple[Attester, ...] = ("principal", "meter", "agent")
PACERS: tuple[Pacer, ...] = ("agent", "principal")

_LONGEST_TEXT = 2000
"""Characters of a name, a question or a reason."""


@dataclass(frozen=True, eq=False)
class Config:
    """What does not change while a session lives.

    Attributes
    ----------
    id : str
    name : str
        A label for people; it need not differ from other sessions'.
    setting : Setting
    unit : float
        Payments are whole multiples of this.
    attester : "principal", "meter" or "agent"
        Who says which effort was made. A learner learns from nothing but that, so an agent that attests its own effort
        can teach it anything.
    pacer : "agent" or "principal"
        Who may open the next round.
    learner : str
        The learner's name.
    created : str
    """

    id: str
    name: str
    setting: Setting
    unit: float
    attester: Attester
    pacer: Pacer
    learner: str
    created: str

    def issue(self, rule: Rule) -> Rule:
        """Return the rule that is issued for one that a learner proposes: proper, and payable in whole units."""
        return rule.rounded(self.unit)

    def body(self) -> dict[str, Any]:
        """Return the entries that the "opened" event keeps, besides the learner's state."""
        return {
            "session": self.id,
            "name": self.name,
            "setting": self.setting.to_dict(),
            "unit": self.unit,
            "attester": self.attester,
            "pacer": self.pacer,
        }

    @classmethod
    def of(cls, opened: Event) -> Config:
        """Return what the "opened" event says."""
        body = opened.body
        return cls(
            id=body["session"],
            name=body["name"],
            setting=Setting.from_dict(body["setting"]),
            unit=body["unit"],
            attester=body["attester"],
            pacer=body["pacer"],
            learner=body["learner"]["learner"],
            created=opened.at,
        )


def read_unit(unit: Any, setting: Setting) -> float:
    """Read the unit of payment, by default the largest power of ten that is at most a ten-thousandth of the bound.

    A learner is told of the answers to its own rules, not to the rounded ones that were issued; the difference, at most
    a unit in expectation, must be small against the costs that it is to find.
    """
    bound = setting.terms.bound
    if unit is None:
        return max(tolerance.SMALLEST, float(f"1e{math.floor(math.log10(bound)) - 4}")) if bound else 0.01
    read = number(unit, "unit", least=tolerance.SMALLEST)
    if bound and read > bound:
        raise InvalidInputError(f"unit is {read:g}; it can't be more than the largest payment, {bound:g}")
    if bound > read * 2.0**52:  # no rule could be issued (see `Rule.rounded`)
        raise InvalidInputError(f"unit is {read:g}; too small to count payments up to {bound:g} in")
    return read


def read_roles(attester: Any, pacer: Any) -> tuple[Attester, Pacer]:
    """Read who attests efforts and who opens rounds."""
    who = ATTESTERS[ATTESTERS.index(member(attester, "attester", ATTESTERS))]
    return who, PACERS[PACERS.index(member(pacer, "pacer", PACERS))]


def read_text(text: Any, name: str) -> str | None:
    """Read a text for people: printable, and not too long."""
    if text is None:
        return None
    if not isinstance(text, str) or not all(letter.isprintable() or letter == "\n" for letter in text):
        raise InvalidInputError(f"{name} must be printable text")
    if len(text) > _LONGEST_TEXT:
        raise InvalidInputError(f"{name} has {len(text):,} characters; at most {_LONGEST_TEXT:,} are kept")
    return text
