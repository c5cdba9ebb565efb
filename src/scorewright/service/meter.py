"""What a meter does: the system that runs the tests, or bills the compute, attests the effort of the open round."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from scorewright.errors import NotFoundError
from scorewright.service.access import Key, Meter
from scorewright.service.problems import ProblemError, responses
from scorewright.service.views import EffortSent, MeterView
from scorewright.session import Round

router = APIRouter(prefix="/v1/meter", tags=["meter"], responses=responses(401, 403, 404))


@router.get("/round")
def see_round(caller: Meter) -> MeterView:
    """See which round is open."""
    found = caller.session.open_round()
    if found is None:
        raise NotFoundError("there is no open round")
    return _view(found)


@router.post("/rounds/{number}/effort", responses=responses(401, 403, 404, 409))
def attest(caller: Meter, number: Annotated[int, Path(ge=1, lt=2**53)], sent: EffortSent, key: Key = None) -> MeterView:
    """Attest which effort the agent made in the open round."""
    session = caller.session
    if session.config.attester != "meter":
        raise ProblemError(403, f"The efforts of this session are attested by the {session.config.attester}.")
    return _view(session.tell(number, effort=sent.effort, by=caller.token.id, key=key))


def _view(one: Round) -> MeterView:
    return MeterView(round=one.number, about=one.about, attested=one.effort is not None)
