"""What the pages ask of the API besides the rest of it."""

from __future__ import annotations

import numpy as np
import pytest
import sqlalchemy as sa

import scorewright as sw
from bulk import bulk_session
from scorewright.client import ServiceError
from scorewright.session import Session
from service.conftest import GAME


def test_lists_are_paged_by_key(service):
    """Pages of rounds, of those that await settlement and of an agent's own follow one another without a gap."""
    session = service.session(attester="agent")
    me, other = service.agent(session, "me"), service.agent(session, "other")
    principal = service.principal
    for number in range(1, 13):
        agent = me if number % 3 else other
        agent.answer(agent.ask().round, 1, effort=1)
        if number % 4 == 0:
            principal.settle(session, number, 0)
    first = principal.latest(session, most=5)
    assert [one.round for one in first] == [12, 11, 10, 9, 8]
    assert [one.round for one in principal.latest(session, before=4)] == [3, 2, 1]
    assert first[0].payment == first[0].pays[0]
    assert first[1].pays == principal.round(session, 11).payments[1]
    assert [one.round for one in principal.awaiting(session, most=4)] == [1, 2, 3, 5]
    assert [one.round for one in principal.awaiting(session, after=5)] == [6, 7, 9, 10, 11]
    assert [one.round for one in me.latest_payments(most=3)] == [11, 10, 8]
    assert [one.round for one in me.latest_payments(before=8)] == [7, 5, 4, 2, 1]
    assert me.latest_payments(most=100) == me.payments()[::-1]
    assert service.agent(session).latest_payments() == []


def test_recent_sessions(service):
    """The newest first, a page at a time."""
    made = [service.session(name=str(number)) for number in range(5)]
    seen: list[str] = []
    while page := service.principal.recent_sessions(seen[-1] if seen else None, most=2):
        seen += [one.id for one in page]
    assert sorted(seen) == sorted(made)
    created = [one.created for wanted in seen for one in service.principal.sessions() if one.id == wanted]
    assert created == sorted(created, reverse=True)
    with pytest.raises(ServiceError) as refused:
        service.principal.recent_sessions("0" * 16)
    assert refused.value.status == 404


def test_the_trail_of_a_round(service):
    """All that happened to a round and nothing else, as the log has it."""
    session = service.session()
    principal = service.principal
    for number in (1, 2, 3):
        principal.tell(session, principal.ask(session, f"question {number}").round, effort=1, report=1)
    principal.settle(session, 2, 0)
    trail = principal.trail(session, 2)
    assert [event.kind for event in trail] == ["asked", "told", "settled"]
    assert trail == [event for event in principal.events(session, follow=False) if event.round == 2]
    with pytest.raises(ServiceError) as refused:
        principal.trail(session, 4)
    assert refused.value.status == 404


def test_history_and_tokens(service):
    """Sums along the way end where the session stands; a session's tokens are listed by themselves."""
    session, other = service.session(), service.session()
    principal = service.principal
    sums = [(0, 0.0, 0.0)]
    for number in range(1, 8):
        principal.tell(session, principal.ask(session).round, effort=1, report=number % 5)
        done = principal.settle(session, number, number % 2)
        sums.append((number, sums[-1][1] + done.payment, sums[-1][2] + done.utility))
    history = principal.history(session)
    assert history.settled == [number for number, _, _ in sums]
    np.testing.assert_allclose([history.paid, history.utility], np.transpose(sums)[1:])
    assert principal.history(other).model_dump() == {"settled": [0], "paid": [0.0], "utility": [0.0]}
    service.secret("agent", session, "one")
    service.secret("meter", other, "two")
    assert [one.name for one in principal.tokens(session)] == ["one"]


def test_what_if(service):
    """The best rule at the estimates: as `solve` finds it, and another one under another utility or bound."""
    session = service.session()
    principal, http = service.principal, service.raw(service.token)
    path = f"/v1/sessions/{session}/what-if"
    refused = http.post(path)
    assert refused.status_code == 409
    assert refused.headers["content-type"] == "application/problem+json"
    rng = np.random.default_rng(0)
    for number in range(1, 61):
        rule = sw.Rule(principal.ask(session).payments, GAME.beliefs)
        effort = GAME.respond(rule)
        principal.tell(session, number, effort=effort, report=int(rng.choice(5, p=GAME.information[effort])))
    known = principal.learned(session)
    assert min(known.counts) > 0
    gaps = np.array(known.cost_gap)[:, 0]
    game = sw.Game(GAME.beliefs, known.information, gaps - gaps.min(), GAME.utility, GAME.bound)
    found = principal.what_if(session)
    assert found.profit == pytest.approx(sw.solve(game).profit)
    assert [one.effort for one in found.by_effort] == [0, 1, 2]
    assert sw.Rule(found.payments, GAME.beliefs).is_proper()
    poor = principal.what_if(session, bound=0.01)
    assert poor.effort == 0
    assert all(pay <= 0.01 + 1e-9 for row in poor.payments for pay in row)
    assert any(one.reason for one in poor.by_effort)
    assert principal.what_if(session, utility=[[10, 0], [0, 10], [4, 4]]).profit > found.profit
    for wrong in ({"bound": -1}, {"utility": [[1]]}, {"utility": []}, {"utility": [[1, "x"]]}, {"colour": 1}):
        assert http.post(path, json=wrong).status_code == 422
    assert principal.session(session).rounds == 60  # nothing was issued


def test_the_agents_desk(service):
    """An agent sees whether there is an offer, and whether it may ask for one; then exactly the offer."""
    session = service.session(pacer="principal")
    agent = service.agent(session)
    desk = agent.desk()
    assert (desk.offer, desk.asks, desk.events) == (None, False, 1)
    assert set(desk.model_dump()) == {"offer", "asks", "events", "unit", "terms"}
    service.principal.ask(session)
    assert agent.desk().offer == agent.offer()
    assert agent.desk().events == 2


def test_a_long_session_is_no_more_work(service):
    """Every part of the view of a session asks as much of the store for 3,000 rounds as for 300."""
    http = service.raw(service.token)
    parts = ("", "/history", "/learned", "/latest", "/awaiting?after=0")
    read: list[int] = []

    def count(*_):
        read.append(1)

    statements, sizes = [], []
    for rounds in (300, 3000):
        session = bulk_session(service.store, GAME, sw.learn.Haggler(GAME.setting, rng=0), rounds)
        http.get(f"/v1/sessions/{session}")
        read.clear()
        sa.event.listen(service.store.engine, "after_cursor_execute", count)
        answers = [http.get(f"/v1/sessions/{session}{part}", timeout=60) for part in parts]
        sa.event.remove(service.store.engine, "after_cursor_execute", count)
        assert all(answer.status_code == 200 for answer in answers)
        statements.append(len(read))
        sizes.append(len(answers[1].json()["settled"]))
        assert len(answers[3].json()) == 20
        opened = Session.open(service.store, session)
        with opened.reading() as book:
            assert book.to_dict() == opened.replay().to_dict()
    assert max(sizes) <= 402
    assert statements[1] <= statements[0] + 20  # at most one for each more round to settle on the first page
