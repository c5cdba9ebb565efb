"""What principals and meters send and see. What agents see is in agent_views.py, and imports nothing from here."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, Field, FiniteFloat, WithJsonSchema

from scorewright import document
from scorewright.learn import Estimates, Recommendation
from scorewright.service.tokens import DAYS, Role, Token
from scorewright.service.wire import Effort, Label, Numbering, Report, Sent, Text
from scorewright.session import Entry, Event, Round, Standing
from scorewright.session.config import Attester, Config, Pacer
from scorewright.session.round import Status

Table = list[list[float]]

_SETTING: dict[str, Any] = {
    "schema": "scorewright/setting",
    "version": 1,
    "beliefs": [[0.5, 0.5], [0.9, 0.1], [0.1, 0.9]],
    "utility": [[1, 0], [0, 1]],
    "bound": 1,
    "efforts": ["guess", "look"],
    "states": ["down", "up"],
}


class NewSession(Sent):
    """A session to begin."""

    setting: Annotated[dict[str, Any], WithJsonSchema(document.schema("setting") | {"examples": [_SETTING]})] = Field(
        description="A setting's document (docs/files.md). A game's does as well: of it only the setting is used."
    )
    learner: str = Field("haggler", description="By name, as scorewright.learn.make knows it.", examples=["haggler"])
    options: dict[str, Any] = Field(
        default_factory=dict,
        description="The learner's own: rules are payment tables; oracle: one per effort, or null.",
        examples=[{"horizon": 1000}],
    )
    seed: Numbering = Field(0, description="Of the learner's own randomness.")
    name: Text = Field("", description="A label for people.", examples=["desk 7"])
    unit: FiniteFloat | None = Field(
        None,
        description="Payments are whole multiples of this; by default a power of ten, at most bound / 10,000.",
        examples=[0.01],
        gt=0,
    )
    attester: Attester = Field("principal", description="Who says which effort was made.")
    pacer: Pacer = Field("agent", description="Who may open the next round: also the agent, or the principal alone.")


class SessionView(BaseModel):
    """A session: what it was begun with."""

    id: str = Field(examples=["9f86d081884c7d65"])
    name: str
    created: str
    learner: str
    unit: float
    attester: Attester
    pacer: Pacer
    setting: dict[str, Any]

    @classmethod
    def of(cls, config: Config) -> SessionView:
        """Return the view of a session."""
        return cls(**_settled_entries(config))


class StandingView(SessionView):
    """A session, and where it stands."""

    events: int
    rounds: int
    answered: int
    settled: int
    abandoned: int
    missed: int = Field(description="Answers that the learner could not learn from, after an upgrade that changed it.")
    paid: float
    utility: float
    awaiting: int = Field(description="Rounds answered and not settled.")
    oldest: list[int] = Field(description="The first hundred of them.")
    open: RoundView | None
    discovered: dict[int, str] = Field(description="Labels of efforts that the setting does not name, by number.")

    @classmethod
    def at(cls, standing: Standing) -> StandingView:
        """Return the view of where a session stands."""
        counts = ("rounds", "answered", "settled", "abandoned", "missed", "paid", "utility", "awaiting")
        return cls(
            **_settled_entries(standing.config),
            **{name: getattr(standing, name) for name in counts},
            events=standing.sequence,
            oldest=list(standing.oldest),
            open=None if standing.open is None else RoundView.of(standing.open),
            discovered=standing.discovered,
        )


class EntryView(BaseModel):
    """A session in a list."""

    id: str
    name: str
    created: str
    events: int

    @classmethod
    def of(cls, entry: Entry) -> EntryView:
        """Return the view of an entry."""
        return cls(id=entry.id, name=entry.name, created=entry.created, events=entry.sequence)


class RoundFacts(BaseModel):
    """A round: what became of it."""

    round: int
    status: Status
    about: str | None
    opened: str
    changed: str
    target: int | None
    report: int | list[float] | None
    row: int | None = Field(description="The belief that the report counts as.")
    effort: int | str | None
    state: int | None
    decision: int | None
    utility: float | None
    payment: float | None
    reason: str | None


class RoundView(RoundFacts):
    """A round, with everything in it."""

    payments: Table = Field(description="The rule as it was issued: a row per report, a payment per state.")
    offer: int
    phase: str
    why: str
    reported: str | None = Field(description="The id of the token that reported.")
    attested: str | None = Field(description="The id of the token that attested the effort.")

    @classmethod
    def of(cls, one: Round) -> RoundView:
        """Return the view of a round."""
        same = set(cls.model_fields) - {"round", "payments"}
        entries = {name: getattr(one, name) for name in same}
        return cls(round=one.number, payments=one.rule.payments.tolist(), **entries)


class NewRound(Sent):
    """A round to open."""

    about: Text | None = Field(None, description="What it is about; the agent sees it.", examples=["rain on Friday?"])


class AnswerSent(Sent):
    """An answer, or the part of it that the principal knows."""

    effort: Effort | None = None
    report: Report | None = None


class EffortSent(Sent):
    """An effort, attested."""

    effort: Effort


class StateSent(Sent):
    """What came to be."""

    state: Numbering | Label = Field(description="A state's number or label.", examples=["up", 1])


class ReasonSent(Sent):
    """Why not."""

    reason: Text | None = Field(None, examples=["the market was closed"])


class MeterView(BaseModel):
    """What a meter needs to know of the open round, and no more."""

    round: int
    about: str | None
    attested: bool


class LearnedView(BaseModel):
    """What the learner makes of it; null stands for what is not known at all."""

    rounds: int
    information: Table
    radius: list[float | None]
    cost_gap: Table
    cost_radius: list[list[float | None]]
    counts: list[float]
    recommendation: RecommendationView | None

    @classmethod
    def of(cls, rounds: int, known: Estimates, best: Recommendation | None) -> LearnedView:
        """Return the view of estimates and a recommendation."""
        return cls(
            rounds=rounds,
            information=known.information.tolist(),
            radius=_finite(known.radius),
            cost_gap=known.cost_gap.tolist(),
            cost_radius=[_finite(row) for row in known.cost_radius],
            counts=known.counts.tolist(),
            recommendation=None if best is None else RecommendationView.of(best),
        )


class RecommendationView(BaseModel):
    """The rule to settle on."""

    payments: Table
    effort: int
    profit: float
    low: float
    high: float
    probability: float
    rounds: int
    evidence: str

    @classmethod
    def of(cls, best: Recommendation) -> RecommendationView:
        """Return the view of a recommendation."""
        names = ("effort", "profit", "low", "high", "probability", "rounds", "evidence")
        return cls(payments=best.rule.payments.tolist(), **{name: getattr(best, name) for name in names})


class EventView(BaseModel):
    """One line of the log."""

    sequence: int
    kind: Literal["opened", "asked", "told", "settled", "abandoned"]
    round: int
    at: str
    by: str
    body: dict[str, Any]

    @classmethod
    def of(cls, event: Event) -> EventView:
        """Return the view of an event."""
        return cls(**{name: getattr(event, name) for name in cls.model_fields})


class NewToken(Sent):
    """A token to make."""

    role: Role
    session: str | None = Field(
        None,
        description="For agents and meters: the session.",
        pattern="^[0-9a-f]{16}$",
        examples=["9f86d081884c7d65"],
    )
    name: Text = Field("", description="Whose it is, for people.")
    days: FiniteFloat = Field(DAYS, description="How long it is good for.", gt=0, le=3650)


class TokenView(BaseModel):
    """What is known of a token."""

    id: str
    role: Role
    session: str | None
    name: str
    created: str
    expires: str
    revoked: str | None

    @classmethod
    def of(cls, token: Token) -> TokenView:
        """Return the view of a token."""
        return cls(**{name: getattr(token, name) for name in TokenView.model_fields})


class TokenMade(TokenView):
    """A token just made."""

    token: str | None = Field(description="The token itself: shown this once, and null if the request came before.")


def _settled_entries(config: Config) -> dict[str, Any]:
    names = ("id", "name", "created", "learner", "unit", "attester", "pacer")
    return {name: getattr(config, name) for name in names} | {"setting": config.setting.to_dict()}


def _finite(values: Any) -> list[float | None]:
    return [float(value) if np.isfinite(value) else None for value in values]


StandingView.model_rebuild()
LearnedView.model_rebuild()
