"""What an agent sends and sees: built from `Terms`, the rule issued and its own answers, and from nothing else.

No function here takes a setting, a learner or a whole round, so that a leak is a type error.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from scorewright.game import Terms
from scorewright.rules import Rule
from scorewright.service.wire import Effort, Report, Sent, Text


class TermsView(BaseModel):
    """The terms of trade: what both sides know."""

    beliefs: list[list[float]] = Field(description="The menu of reports: a distribution over the states per row.")
    bound: float
    penalty: float
    efforts: list[str] | None
    states: list[str] | None

    @classmethod
    def of(cls, terms: Terms) -> TermsView:
        """Return the view of the terms."""
        return cls(**terms.to_dict())


class OfferView(BaseModel):
    """The open offer: report row i, and when state w comes you are paid payments[i][w]."""

    round: int
    about: str | None
    opened: str
    unit: float = Field(description="Every payment is a whole multiple of this.")
    payments: list[list[float]]
    reported: bool = Field(description="Whether a report has been made, and only the effort is still to be attested.")
    attests: bool = Field(description="Whether the agent has to say which effort it made.")
    terms: TermsView

    @classmethod
    def of(
        cls, number: int, about: str | None, opened: str, rule: Rule, reported: bool, unit: float, attests: bool,
        terms: Terms,
    ) -> OfferView:  # fmt: skip
        """Return the view of an open offer."""
        return cls(
            round=number,
            about=about,
            opened=opened,
            unit=unit,
            payments=rule.payments.tolist(),
            reported=reported,
            attests=attests,
            terms=TermsView.of(terms),
        )


class DeskView(BaseModel):
    """What there is for an agent to do."""

    offer: OfferView | None
    asks: bool = Field(description="Whether the agent may ask for the next offer, or waits for the principal's.")
    events: int = Field(description="Where the event stream is now: watch after this number.")
    unit: float
    terms: TermsView


class PaymentView(BaseModel):
    """A round that this agent reported in."""

    round: int
    status: Literal["open", "answered", "settled", "abandoned"]
    report: int | list[float]
    row: int = Field(description="The belief in the menu that the report counts as, and is paid as.")
    pays: list[float] = Field(description="What it pays in each state.")
    state: int | None
    payment: float | None


class AgentAnswer(Sent):
    """An agent's answer."""

    report: Report
    effort: Effort | None = Field(None, description="The effort made; only where the agent attests it.", examples=[1])


class Declined(Sent):
    """Why an agent declines."""

    reason: Text | None = Field(None, examples=["not my field"])


class DeclinedView(BaseModel):
    """A round declined: it will not be paid."""

    round: int
    status: Literal["abandoned"]
