"""Server-sent events: the log as it grows, as far as the caller may see it.

Each stream looks at the store twice a second, so that it sees what other processes write too. It ends when its token is
revoked or expires or the service ends, and goes on where it stopped when the client says what it saw last
(Last-Event-ID).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from typing import Annotated

from fastapi import Header, Query
from fastapi.responses import StreamingResponse
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool

from scorewright.errors import StoreError
from scorewright.service.access import Caller
from scorewright.service.tokens import find_token
from scorewright.session import Event, Session

_PAUSE = 0.5
"""Seconds between two looks."""

_SILENCE = 15.0
"""Seconds after which a comment is sent, so that nobody takes the line for dead."""

_PAGE = 200

After = Annotated[int, Query(ge=0, lt=2**53, description="Events after this number.")]
LastEvent = Annotated[
    str | None,
    Header(alias="Last-Event-ID", description="The number of the last event seen.", pattern="^[0-9]{1,15}$"),
]
Shown = tuple[str, BaseModel] | None
Show = Callable[[list[Event]], list[Shown]]


def event_stream(
    caller: Caller, session: Session, show: Show, after: int, last: str | None, follow: bool
) -> StreamingResponse:
    """Return the stream of what `show` makes of the events, a page of them at a time."""
    start = max(after, int(last or 0))
    media_type = "text/event-stream"
    return StreamingResponse(_events(caller, session, show, start, follow), media_type=media_type)


async def _events(caller: Caller, session: Session, show: Show, after: int, follow: bool) -> AsyncIterator[str]:
    def look() -> tuple[list[tuple[int, Shown]], bool]:
        page = session.events(after, _PAGE)
        found = [(event.sequence, shown) for event, shown in zip(page, show(page), strict=True)]
        return found, find_token(caller.desk.store, caller.token.id).valid

    spoke = time.monotonic()
    while True:
        try:
            found, welcome = await run_in_threadpool(look)
        except StoreError:
            return  # the client comes back with the number of the last event
        if not welcome or caller.desk.ending():  # a stream never ends by itself: the server would wait for it
            return
        for sequence, shown in found:
            after = sequence
            if shown is not None:
                yield f"id: {sequence}\nevent: {shown[0]}\ndata: {shown[1].model_dump_json()}\n\n"
                spoke = time.monotonic()
        if len(found) < _PAGE and not follow:
            return
        if len(found) < _PAGE:
            if time.monotonic() - spoke > _SILENCE:
                yield ": still here\n\n"
                spoke = time.monotonic()
            await asyncio.sleep(_PAUSE)
