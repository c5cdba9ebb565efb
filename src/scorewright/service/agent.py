"""What an agent does, with a token for one session: see the open offer, answer or decline it, see its own payments."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response
from fastapi.responses import StreamingResponse

from scorewright.errors import (
    InvalidInputError,
    KeyReusedError,
    NotFoundError,
    RoundError,
    ScorewrightError,
    StoreError,
    UnknownNameError,
)
from scorewright.service.access import Agent, Key
from scorewright.service.agent_views import (
    AgentAnswer,
    Declined,
    DeclinedView,
    DeskView,
    OfferView,
    PaymentView,
    TermsView,
)
from scorewright.service.problems import ProblemError, responses
from scorewright.service.stream import After, LastEvent, Shown, event_stream
from scorewright.session import Config, Event, Round, Session
from scorewright.session.browsing import last_event, latest_reported_by
from scorewright.session.session import LAST_ROUND

router = APIRouter(prefix="/v1/agent", tags=["agent"], responses=responses(401, 403, 404))

RoundNumber = Annotated[int, Path(ge=1, lt=2**53, description="The round that is answered.")]

_NOW = responses(401, 403, 404, 409)


@router.get("")
def see_desk(caller: Agent) -> DeskView:
    """See the open offer, if there is one, and whether one may be asked for."""
    session = caller.session
    config, seen = session.config, last_event(session)  # before the offer: what comes after it is streamed
    found = session.open_round()
    return DeskView(
        offer=None if found is None else offer_view(found, config),
        asks=config.pacer == "agent",
        events=seen,
        unit=config.unit,
        terms=TermsView.of(config.setting.terms),
    )


@router.get("/offer")
def see_offer(caller: Agent) -> OfferView:
    """See the open offer."""
    session = caller.session
    found = session.open_round()
    if found is None:
        raise NotFoundError("there is no open offer")
    return offer_view(found, session.config)


@router.post("/offer", responses=_NOW)
def ask_offer(caller: Agent, key: Key = None) -> OfferView:
    """See the open offer; where the principal lets agents set the pace, the next one is opened if there is none."""
    session = caller.session
    if session.config.pacer != "agent":
        return see_offer(caller)
    try:
        return offer_view(session.ask(by=caller.token.id, key=key), session.config)
    except (KeyReusedError, StoreError):
        raise
    except ScorewrightError:  # a learner's reasons are the principal's
        raise ProblemError(409, "No offer can be made now.") from None


@router.post("/rounds/{number}/answer", responses=_NOW)
def answer(caller: Agent, number: RoundNumber, sent: AgentAnswer, key: Key = None) -> PaymentView:
    """Answer the open offer: make a report (and attest the effort, where that is up to the agent)."""
    session = caller.session
    attests = session.config.attester == "agent"
    if sent.effort is not None and not attests:
        raise ProblemError(
            403, f"The efforts of this session are attested by the {session.config.attester}: send none."
        )
    if sent.effort is None and attests:
        raise ProblemError(422, "In this session the agent attests its effort: send it with the report.")
    try:
        told = session.tell(number, effort=sent.effort, report=sent.report, own=True, by=caller.token.id, key=key)
    except (InvalidInputError, KeyReusedError, NotFoundError, RoundError, StoreError, UnknownNameError):
        raise
    except ScorewrightError:
        raise ProblemError(409, "This answer can't be taken.") from None
    return payment_view(told)


@router.post("/rounds/{number}/decline", responses=_NOW)
def decline(caller: Agent, number: RoundNumber, sent: Declined | None = None, key: Key = None) -> DeclinedView:
    """Decline the open offer; nothing is paid for it."""
    reason = None if sent is None else sent.reason
    caller.session.abandon(number, reason, unreported=True, by=caller.token.id, key=key)
    return DeclinedView(round=number, status="abandoned")


@router.get("/payments")
def see_payments(
    caller: Agent,
    after: Annotated[int, Query(ge=0, lt=2**53, description="Rounds after this one.")] = 0,
    most: Annotated[int, Query(ge=1, le=1000, description="How many at the most.")] = 100,
) -> list[PaymentView]:
    """See the rounds that this agent reported in, and what each pays."""
    rounds = caller.session.rounds_reported_by(caller.token.id, after, most)
    return [payment_view(one) for one in rounds if one.reported == caller.token.id]


@router.get("/payments/latest")
def see_latest_payments(
    caller: Agent,
    before: Annotated[int, Query(ge=1, le=LAST_ROUND, description="Rounds before this one.")] = LAST_ROUND,
    most: Annotated[int, Query(ge=1, le=1000, description="How many at the most.")] = 20,
) -> list[PaymentView]:
    """See the last rounds that this agent reported in, the newest first."""
    return [payment_view(one) for one in latest_reported_by(caller.session, caller.token.id, before, most)]


@router.get(
    "/events",
    response_class=Response,
    responses={200: {"content": {"text/event-stream": {}}, "description": "Events as they come."}},
)
def watch(caller: Agent, after: After = 0, last: LastEvent = None, follow: bool = True) -> StreamingResponse:
    """Watch for offers, for offers withdrawn, and for one's own payments; follow=false ends with what there is."""
    session, me = caller.session, caller.token.id
    return event_stream(caller, session, lambda found: agent_events(found, session, me), after, last, follow)


def agent_events(found: list[Event], session: Session, me: str) -> list[Shown]:
    """Return what an agent is told of each event, or None: the open offer, and what concerns its own rounds."""
    rounds = session.rounds_numbered({event.round for event in found if event.round})
    return [_agent_event(event, rounds[event.round], session.config, me) if event.round else None for event in found]


def _agent_event(event: Event, found: Round, config: Config, me: str) -> Shown:
    if event.kind not in ("asked", "settled", "abandoned"):
        return None
    if event.kind == "asked":  # the offers of the past would tell a newcomer how the learner came to this one
        return ("offer", offer_view(found, config)) if found.status == "open" else None
    if found.reported == me:
        return "payment", payment_view(found)
    if event.kind == "abandoned" and found.reported is None:
        return "withdrawn", DeclinedView(round=event.round, status="abandoned")
    return None


def offer_view(one: Round, config: Config) -> OfferView:
    """Return what an agent sees of the open round."""
    attests, terms = config.attester == "agent", config.setting.terms
    return OfferView.of(one.number, one.about, one.opened, one.rule, one.row is not None, config.unit, attests, terms)


def payment_view(one: Round) -> PaymentView:
    """Return what an agent sees of a round that it reported in."""
    return PaymentView(
        round=one.number,
        status=one.status,
        report=one.report,
        row=one.row or 0,
        pays=one.rule.payments[one.row or 0].tolist(),
        state=one.state,
        payment=one.payment,
    )
