"""What principals do: begin sessions, see everything, settle, hand out tokens."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, Path, Query, Response
from fastapi.responses import StreamingResponse

from scorewright.errors import DocumentError, NothingLearnedError
from scorewright.game import Game, Setting
from scorewright.service import tokens
from scorewright.service.access import Key, Principal
from scorewright.service.problems import ProblemError, responses
from scorewright.service.stream import After, LastEvent, event_stream
from scorewright.service.views import (
    AnswerSent,
    EntryView,
    EventView,
    LearnedView,
    NewRound,
    NewSession,
    NewToken,
    ReasonSent,
    RoundView,
    SessionView,
    StandingView,
    StateSent,
    TokenMade,
    TokenView,
)
from scorewright.session import Session, catalogue, export_lines, make_learner

router = APIRouter(prefix="/v1", tags=["principal"], responses=responses(401, 403))

SessionId = Annotated[
    str, Path(description="A session's id.", pattern=r"^[0-9a-f]{16}$", examples=["9f86d081884c7d65"])
]
TokenId = Annotated[str, Path(description="A token's id.", pattern=r"^[0-9a-f]{16}$", examples=["65ff9ce3b95e60bd"])]
RoundNumber = Annotated[int, Path(ge=1, lt=2**53, description="A round's number, from 1.")]
Most = Annotated[int, Query(ge=1, le=1000, description="How many at the most.")]
AfterRound = Annotated[int, Query(ge=0, lt=2**53, description="Rounds after this one.")]

_THERE = responses(401, 403, 404)
_NOW = responses(401, 403, 404, 409)


@router.post("/sessions", status_code=201)
def create_session(caller: Principal, new: NewSession, key: Key = None) -> SessionView:
    """Begin a session."""
    learner = make_learner(new.learner, _setting(new.setting), new.options, seed=new.seed)
    session = Session.create(
        caller.desk.store, learner, name=new.name, unit=new.unit, attester=new.attester, pacer=new.pacer,
        by=caller.token.id, key=key,
    )  # fmt: skip
    return SessionView.of(caller.desk.keep(session).config)


@router.get("/sessions")
def list_sessions(
    caller: Principal,
    after: Annotated[str, Query(description="Ids after this one.", max_length=16, pattern="^[0-9a-f]*$")] = "",
    most: Most = 100,
) -> list[EntryView]:
    """List the sessions, in the order of their ids."""
    return [EntryView.of(entry) for entry in catalogue(caller.desk.store, after, most)]


@router.get("/sessions/{session}", responses=_THERE)
def see_session(caller: Principal, session: SessionId) -> StandingView:
    """See where a session stands."""
    return StandingView.at(caller.desk.session(session).standing())


@router.get("/sessions/{session}/learned", responses=_THERE)
def see_learned(caller: Principal, session: SessionId) -> LearnedView:
    """See what the learner has made of the answers so far, and the rule that it would settle on."""
    with caller.desk.session(session).reading() as book:
        try:
            best = book.learner.recommend()
        except NothingLearnedError:
            best = None
        return LearnedView.of(book.answered, book.learner.estimates(), best)


@router.get("/sessions/{session}/log", responses=_THERE | {200: {"content": {"application/x-ndjson": {}}}})
def export_session(caller: Principal, session: SessionId) -> StreamingResponse:
    """Export the session as JSON Lines, for scorewright session import."""
    found = caller.desk.session(session)

    def lines() -> Iterator[str]:
        for line in export_lines(found):
            yield line + "\n"

    return StreamingResponse(lines(), media_type="application/x-ndjson")


@router.get(
    "/sessions/{session}/events",
    response_class=Response,
    responses=_THERE | {200: {"content": {"text/event-stream": {}}, "description": "Events as they come."}},
)
def watch_session(
    caller: Principal, session: SessionId, after: After = 0, last: LastEvent = None, follow: bool = True
) -> StreamingResponse:
    """Watch the log as server-sent events; follow=false ends with what there is."""
    return event_stream(
        caller, caller.desk.session(session), lambda found: [(event.kind, EventView.of(event)) for event in found],
        after, last, follow,
    )  # fmt: skip


# -- rounds ----------------------------------------------------------------------------------------------------------


@router.post("/sessions/{session}/rounds", responses=_NOW)
def ask(caller: Principal, session: SessionId, new: NewRound | None = None, key: Key = None) -> RoundView:
    """Open the next round, or return the one that is open."""
    about = None if new is None else new.about
    return RoundView.of(caller.desk.session(session).ask(about, by=caller.token.id, key=key))


@router.get("/sessions/{session}/rounds", responses=_THERE)
def list_rounds(caller: Principal, session: SessionId, after: AfterRound = 0, most: Most = 100) -> list[RoundView]:
    """List rounds in order."""
    return [RoundView.of(one) for one in caller.desk.session(session).rounds(after, most)]


@router.get("/sessions/{session}/rounds/{number}", responses=_THERE)
def see_round(caller: Principal, session: SessionId, number: RoundNumber) -> RoundView:
    """See one round."""
    return RoundView.of(caller.desk.session(session).round(number))


@router.post("/sessions/{session}/rounds/{number}/answer", responses=_NOW)
def tell(caller: Principal, session: SessionId, number: RoundNumber, sent: AnswerSent, key: Key = None) -> RoundView:
    """Say how the open round was answered: the effort, the report, or both."""
    found = caller.desk.session(session)
    if sent.effort is not None and found.config.attester != "principal":
        raise ProblemError(403, f"The efforts of this session are attested by the {found.config.attester}.")
    told = found.tell(number, effort=sent.effort, report=sent.report, by=caller.token.id, key=key)
    return RoundView.of(told)


@router.post("/sessions/{session}/rounds/{number}/settle", responses=_NOW)
def settle(caller: Principal, session: SessionId, number: RoundNumber, sent: StateSent, key: Key = None) -> RoundView:
    """Say which state came; this fixes decision, utility and payment."""
    return RoundView.of(caller.desk.session(session).settle(number, sent.state, by=caller.token.id, key=key))


@router.post("/sessions/{session}/rounds/{number}/abandon", responses=_NOW)
def abandon(
    caller: Principal, session: SessionId, number: RoundNumber, sent: ReasonSent | None = None, key: Key = None
) -> RoundView:
    """Give a round up, open or answered: it is never paid."""
    reason = None if sent is None else sent.reason
    return RoundView.of(caller.desk.session(session).abandon(number, reason, by=caller.token.id, key=key))


# -- tokens ----------------------------------------------------------------------------------------------------------


@router.post("/tokens", status_code=201, responses=_THERE)
def make_token(caller: Principal, new: NewToken, key: Key = None) -> TokenMade:
    """Make a token. It is shown once."""
    token, secret = tokens.issue(
        caller.desk.store, new.role, session=new.session, name=new.name, days=new.days, by=caller.token.id, key=key
    )
    return TokenMade(**TokenView.of(token).model_dump(), token=secret)


@router.get("/tokens")
def list_tokens(
    caller: Principal,
    session: Annotated[str | None, Query(description="Only this session's.", pattern=r"^[0-9a-f]{16}$")] = None,
) -> list[TokenView]:
    """List what is known of all tokens, or of one session's."""
    return [TokenView.of(token) for token in tokens.tokens(caller.desk.store, session=session)]


@router.delete("/tokens/{token}", responses=_THERE)
def revoke_token(caller: Principal, token: TokenId, key: Key = None) -> TokenView:
    """Revoke a token, from now on; again does nothing."""
    del key  # it is idempotent by nature
    return TokenView.of(tokens.revoke(caller.desk.store, token))


def _setting(content: dict[str, object]) -> Setting:
    kind = content.get("schema")
    if kind == "scorewright/game":
        return Game.from_dict(content).setting
    if kind == "scorewright/setting":
        return Setting.from_dict(content)
    raise DocumentError("setting must be a scorewright/setting document, or a scorewright/game")
