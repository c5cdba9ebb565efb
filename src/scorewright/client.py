"""A typed client of the service, one class per role.

Every write carries an idempotency key of its own, so that it can be sent again when the line breaks or the service is
restarted: it is done once. What comes back are the service's own views.

>>> from scorewright.client import AgentClient
>>> AgentClient("http://127.0.0.1:8000", "sw_agent_0").url
'http://127.0.0.1:8000'
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator
from typing import Any, Self, TypeVar

from scorewright.errors import MissingExtraError, ServiceError

try:
    import httpx
    from pydantic import BaseModel
except ImportError as problem:
    raise MissingExtraError(f"the client needs {problem.name}: pip install 'scorewright[service]'") from None

from scorewright.game import Setting
from scorewright.rules import Rule
from scorewright.service.agent_views import DeclinedView, DeskView, OfferView, PaymentView
from scorewright.service.dashboard_views import HistoryView, RoundLine, WhatIfView
from scorewright.service.views import (
    EntryView,
    EventView,
    LearnedView,
    MeterView,
    RoundView,
    SessionView,
    StandingView,
    TokenMade,
    TokenView,
)

__all__ = ["AgentClient", "MeterClient", "PrincipalClient", "ServiceError", "rule_of"]

_AGAIN = (429, 502, 503, 504)
"""Statuses after which the same request may be sent again."""

View = TypeVar("View", bound=BaseModel)


def rule_of(offer: OfferView) -> Rule:
    """Return the rule that an offer pays by."""
    return Rule(offer.payments, offer.terms.beliefs)


class _Client:
    """A connection to the service.

    Parameters
    ----------
    url : str
        The service's address.
    token : str
    patience : float
        Seconds to go on trying while the service can't be reached.
    transport : httpx transport, optional
        Another way to reach it, such as a proxy's.
    """

    def __init__(
        self, url: str, token: str, *, patience: float = 30.0, transport: httpx.BaseTransport | None = None
    ) -> None:
        self.url, self.patience = url.rstrip("/"), patience
        try:
            headers = {"Authorization": "Bearer " + token.encode("ascii", "replace").decode()}
            self._http = httpx.Client(base_url=self.url, headers=headers, timeout=60.0, transport=transport)
        except httpx.InvalidURL as problem:
            raise ServiceError(f"{url!r:.100} is no address of a service: {problem}") from None

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _get(self, path: str, **query: Any) -> Any:
        return self._send("GET", path, params=query).json()

    def _write(self, method: str, path: str, key: str | None, content: Any = None) -> Any:
        headers = {"Idempotency-Key": key or uuid.uuid4().hex}
        return self._send(method, path, json=content, headers=headers).json()

    def _send(self, method: str, path: str, **request: Any) -> httpx.Response:
        end, pause = time.monotonic() + self.patience, 0.05
        while True:
            try:
                answer = self._http.request(method, path, **request)
            except (httpx.TransportError, httpx.UnsupportedProtocol) as problem:
                last = ServiceError(f"{self.url} can't be reached: {str(problem) or type(problem).__name__}")
                if isinstance(problem, httpx.UnsupportedProtocol):
                    raise last from None
            else:
                if answer.is_success:
                    return answer
                last = _refusal(answer)
                if answer.status_code not in _AGAIN:
                    raise last
            if time.monotonic() + pause > end:
                raise last
            time.sleep(pause)
            pause = min(2 * pause, 1.0)

    def _watch(self, path: str, after: int, follow: bool) -> Iterator[tuple[int, str, Any]]:
        """Return events as they come; come back where it stopped when the line breaks."""
        end = time.monotonic() + self.patience
        while True:
            try:
                query = {"after": after, "follow": follow}
                with self._http.stream("GET", path, params=query, timeout=httpx.Timeout(60.0)) as answer:
                    if not answer.is_success:
                        answer.read()
                        raise _refusal(answer)
                    for after, kind, data in _parsed(answer.iter_lines()):
                        end = time.monotonic() + self.patience
                        yield after, kind, data
            except httpx.TransportError as problem:
                if time.monotonic() > end:
                    raise ServiceError(
                        f"{self.url} can't be reached: {str(problem) or type(problem).__name__}"
                    ) from None
            if not follow:
                return
            time.sleep(0.2)


class PrincipalClient(_Client):
    """What a principal does."""

    def create_session(
        self, setting: Setting, learner: str = "haggler", *, key: str | None = None, **options: Any
    ) -> SessionView:
        """Begin a session; `options`: name, unit, attester, pacer, seed, and the learner's own `options`."""
        content = {"setting": setting.to_dict(), "learner": learner, **options}
        return SessionView.model_validate(self._write("POST", "/v1/sessions", key, content))

    def sessions(self, after: str = "", most: int = 100) -> list[EntryView]:
        """List sessions."""
        return _views(EntryView, self._get("/v1/sessions", after=after, most=most))

    def recent_sessions(self, before: str | None = None, most: int = 20) -> list[EntryView]:
        """List sessions, the newest first."""
        after = {} if before is None else {"before": before}
        return _views(EntryView, self._get("/v1/recent-sessions", most=most, **after))

    def session(self, session: str) -> StandingView:
        """See where a session stands."""
        return StandingView.model_validate(self._get(f"/v1/sessions/{session}"))

    def learned(self, session: str) -> LearnedView:
        """See what the learner has made of it."""
        return LearnedView.model_validate(self._get(f"/v1/sessions/{session}/learned"))

    def history(self, session: str) -> HistoryView:
        """See what was paid and what it was worth, in all, along the way."""
        return HistoryView.model_validate(self._get(f"/v1/sessions/{session}/history"))

    def what_if(
        self, session: str, *, utility: Any = None, bound: float | None = None, penalty: float | None = None
    ) -> WhatIfView:
        """See the best rule under another utility or bound, were the estimates so far exact."""
        content = {"utility": utility, "bound": bound, "penalty": penalty}
        return WhatIfView.model_validate(self._send("POST", f"/v1/sessions/{session}/what-if", json=content).json())

    def export(self, session: str) -> str:
        """Return the session's log as JSON Lines."""
        return self._send("GET", f"/v1/sessions/{session}/log").text

    def events(self, session: str, after: int = 0, *, follow: bool = True) -> Iterator[EventView]:
        """Watch the session's log."""
        for _, _, data in self._watch(f"/v1/sessions/{session}/events", after, follow):
            yield EventView.model_validate(data)

    def ask(self, session: str, about: str | None = None, *, key: str | None = None) -> RoundView:
        """Open the next round, or see the open one."""
        return RoundView.model_validate(self._write("POST", f"/v1/sessions/{session}/rounds", key, {"about": about}))

    def rounds(self, session: str, after: int = 0, most: int = 100) -> list[RoundView]:
        """List rounds."""
        return _views(RoundView, self._get(f"/v1/sessions/{session}/rounds", after=after, most=most))

    def latest(self, session: str, before: int | None = None, most: int = 20) -> list[RoundLine]:
        """List the last rounds, the newest first."""
        after = {} if before is None else {"before": before}
        return _views(RoundLine, self._get(f"/v1/sessions/{session}/latest", most=most, **after))

    def awaiting(self, session: str, after: int = 0, most: int = 20) -> list[RoundLine]:
        """List the rounds that await settlement, the oldest first."""
        return _views(RoundLine, self._get(f"/v1/sessions/{session}/awaiting", after=after, most=most))

    def trail(self, session: str, number: int) -> list[EventView]:
        """See all that happened to a round."""
        return _views(EventView, self._get(f"/v1/sessions/{session}/rounds/{number}/events"))

    def round(self, session: str, number: int) -> RoundView:
        """See one round."""
        return RoundView.model_validate(self._get(f"/v1/sessions/{session}/rounds/{number}"))

    def tell(
        self, session: str, number: int, *, effort: Any = None, report: Any = None, key: str | None = None
    ) -> RoundView:
        """Say how the open round was answered."""
        return self._step(session, number, "answer", key, {"effort": effort, "report": report})

    def settle(self, session: str, number: int, state: int | str, *, key: str | None = None) -> RoundView:
        """Say which state came."""
        return self._step(session, number, "settle", key, {"state": state})

    def abandon(self, session: str, number: int, reason: str | None = None, *, key: str | None = None) -> RoundView:
        """Give a round up."""
        return self._step(session, number, "abandon", key, {"reason": reason})

    def make_token(
        self, role: str, session: str | None = None, *, name: str = "", days: float = 90, key: str | None = None
    ) -> TokenMade:
        """Make a token; it is shown once."""
        content = {"role": role, "session": session, "name": name, "days": days}
        return TokenMade.model_validate(self._write("POST", "/v1/tokens", key, content))

    def tokens(self, session: str | None = None) -> list[TokenView]:
        """List tokens, or one session's."""
        return _views(TokenView, self._get("/v1/tokens", **({} if session is None else {"session": session})))

    def revoke(self, token: str) -> TokenView:
        """Revoke a token, by its id."""
        return TokenView.model_validate(self._write("DELETE", f"/v1/tokens/{token}", None))

    def _step(self, session: str, number: int, step: str, key: str | None, content: Any) -> RoundView:
        path = f"/v1/sessions/{session}/rounds/{number}/{step}"
        return RoundView.model_validate(self._write("POST", path, key, content))


class AgentClient(_Client):
    """What an agent does."""

    def desk(self) -> DeskView:
        """See the open offer, if there is one, and whether one may be asked for."""
        return DeskView.model_validate(self._get("/v1/agent"))

    def offer(self) -> OfferView | None:
        """See the open offer, if there is one."""
        try:
            return OfferView.model_validate(self._get("/v1/agent/offer"))
        except ServiceError as problem:
            if problem.status == 404:
                return None
            raise

    def ask(self, *, key: str | None = None) -> OfferView:
        """See the open offer, or have the next one opened."""
        return OfferView.model_validate(self._write("POST", "/v1/agent/offer", key))

    def answer(self, number: int, report: Any, effort: Any = None, *, key: str | None = None) -> PaymentView:
        """Answer an offer."""
        content = {"report": report, "effort": effort}
        return PaymentView.model_validate(self._write("POST", f"/v1/agent/rounds/{number}/answer", key, content))

    def decline(self, number: int, reason: str | None = None, *, key: str | None = None) -> DeclinedView:
        """Decline an offer."""
        content = {"reason": reason}
        return DeclinedView.model_validate(self._write("POST", f"/v1/agent/rounds/{number}/decline", key, content))

    def payments(self, after: int = 0, most: int = 100) -> list[PaymentView]:
        """See one's own rounds and payments."""
        return _views(PaymentView, self._get("/v1/agent/payments", after=after, most=most))

    def latest_payments(self, before: int | None = None, most: int = 20) -> list[PaymentView]:
        """See one's last rounds, the newest first."""
        after = {} if before is None else {"before": before}
        return _views(PaymentView, self._get("/v1/agent/payments/latest", most=most, **after))

    def events(self, after: int = 0, *, follow: bool = True) -> Iterator[tuple[str, BaseModel]]:
        """Watch for offers, withdrawals and one's own payments: pairs of the kind and the view."""
        kinds: dict[str, type[BaseModel]] = {"offer": OfferView, "payment": PaymentView, "withdrawn": DeclinedView}
        for _, kind, data in self._watch("/v1/agent/events", after, follow):
            yield kind, kinds[kind].model_validate(data)


class MeterClient(_Client):
    """What a meter does."""

    def round(self) -> MeterView | None:
        """See which round is open, if one is."""
        try:
            return MeterView.model_validate(self._get("/v1/meter/round"))
        except ServiceError as problem:
            if problem.status == 404:
                return None
            raise

    def attest(self, number: int, effort: int | str, *, key: str | None = None) -> MeterView:
        """Attest the effort of the open round."""
        return MeterView.model_validate(
            self._write("POST", f"/v1/meter/rounds/{number}/effort", key, {"effort": effort})
        )


def _views(kind: type[View], found: list[Any]) -> list[View]:
    return [kind.model_validate(one) for one in found]


def _refusal(answer: httpx.Response) -> ServiceError:
    try:
        detail = str(answer.json()["detail"])
    except (ValueError, LookupError, TypeError):
        detail = answer.text[:200] or answer.reason_phrase
    return ServiceError(detail, answer.status_code)


def _parsed(lines: Iterator[str]) -> Iterator[tuple[int, str, Any]]:
    """Return the events of a server-sent stream: number, kind and data."""
    entries: dict[str, str] = {}
    for line in lines:
        if line:
            name, _, value = line.partition(": ")
            entries[name] = value
        elif "data" in entries:
            yield int(entries["id"]), entries["event"], json.loads(entries["data"])
            entries = {}
