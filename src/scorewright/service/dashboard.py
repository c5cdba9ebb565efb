"""What the principal's pages ask for besides the rest of the API: pages of lists, sums along the way, what-if."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from scorewright.errors import NothingLearnedError, SolverError
from scorewright.service.access import Principal
from scorewright.service.dashboard_views import HistoryView, RoundLine, WhatIfSent, WhatIfView
from scorewright.service.principal import AfterRound, Most, RoundNumber, SessionId
from scorewright.service.problems import ProblemError, responses
from scorewright.service.views import EntryView, EventView
from scorewright.service.what_if import what_if
from scorewright.session import browsing, latest_sessions
from scorewright.session.session import LAST_ROUND

_THERE = responses(401, 403, 404)

router = APIRouter(prefix="/v1", tags=["principal"], responses=_THERE)

BeforeRound = Annotated[int, Query(ge=1, le=LAST_ROUND, description="Rounds before this one.")]


@router.get("/recent-sessions")
def list_recent_sessions(
    caller: Principal,
    before: Annotated[str | None, Query(description="Older than this session.", pattern="^[0-9a-f]{16}$")] = None,
    most: Most = 20,
) -> list[EntryView]:
    """List the sessions, the newest first."""
    return [EntryView.of(entry) for entry in latest_sessions(caller.desk.store, before, most)]


@router.get("/sessions/{session}/history")
def see_history(caller: Principal, session: SessionId) -> HistoryView:
    """See the money over time: running sums at some hundred settlements."""
    with caller.desk.session(session).reading() as book:
        return HistoryView.of(book)


@router.get("/sessions/{session}/latest")
def list_latest(
    caller: Principal, session: SessionId, before: BeforeRound = LAST_ROUND, most: Most = 20
) -> list[RoundLine]:
    """List the last rounds, the newest first."""
    return [RoundLine.of(one) for one in browsing.latest(caller.desk.session(session), before, most)]


@router.get("/sessions/{session}/awaiting")
def list_awaiting(caller: Principal, session: SessionId, after: AfterRound = 0, most: Most = 20) -> list[RoundLine]:
    """List the rounds that await settlement, the oldest first."""
    return [RoundLine.of(one) for one in browsing.awaiting(caller.desk.session(session), after, most)]


@router.get("/sessions/{session}/rounds/{number}/events")
def see_trail(caller: Principal, session: SessionId, number: RoundNumber) -> list[EventView]:
    """See all that happened to a round, as the log has it."""
    return [EventView.of(event) for event in browsing.trail(caller.desk.session(session), number)]


@router.post("/sessions/{session}/what-if", responses=responses(401, 403, 404, 409))
def ask_what_if(caller: Principal, session: SessionId, sent: WhatIfSent | None = None) -> WhatIfView:
    """See the best rule under another utility or bound, were the estimates so far exact; nothing is changed."""
    wanted = sent or WhatIfSent.model_validate({})
    with caller.desk.session(session).reading() as book:
        setting, known = book.config.setting, book.learner.estimates()
    try:  # outside: nobody waits for it
        found = what_if(setting, known, utility=wanted.utility, bound=wanted.bound, penalty=wanted.penalty)
    except NothingLearnedError as problem:
        raise ProblemError(409, str(problem)) from None
    except SolverError as problem:
        raise ProblemError(422, f"no rule can be found for these figures: {problem}") from None
    return WhatIfView.of(found)
