"""Rounds over HTTP, with the typed client: every role does what it may, once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import sqlalchemy as sa

import scorewright as sw
from scorewright.client import ServiceError, rule_of
from scorewright.service import make_app
from scorewright.session import Book, Session, schema
from service.conftest import GAME, ORACLE


def refused(status, call, *arguments, **options):
    """Check that a call is refused with this status; return the words."""
    with pytest.raises(ServiceError) as said:
        call(*arguments, **options)
    assert said.value.status == status, said.value
    return str(said.value)


def test_a_round_with_a_meter(service):
    """The agent sees whole units and reports; the meter attests; the principal settles; the agent is paid."""
    principal, session = service.principal, service.session(attester="meter", unit=0.01, name="desk")
    agent, meter = service.agent(session), service.meter(session)
    assert agent.offer() is None
    assert meter.round() is None
    offer = agent.ask()
    assert agent.offer() == offer
    assert offer.unit == 0.01
    assert np.allclose(np.array(offer.payments) * 100, np.rint(np.array(offer.payments) * 100))
    assert offer.terms.beliefs == GAME.beliefs.tolist()
    assert offer.terms.efforts == list(GAME.efforts)
    assert rule_of(offer).is_proper()
    reported = agent.answer(offer.round, report=[0.7, 0.3])
    assert (reported.status, reported.row, reported.pays) == ("open", 1, offer.payments[1])
    assert agent.offer().reported
    assert principal.session(session).answered == 0
    assert not meter.round().attested
    assert meter.attest(offer.round, "skim").attested
    assert principal.session(session).answered == 1
    done = principal.settle(session, offer.round, "down")
    assert (done.effort, done.row, done.state, done.decision) == (1, 1, 0, 0)
    assert done.payment == offer.payments[1][0]
    assert [one.payment for one in agent.payments()] == [done.payment]
    assert principal.session(session).paid == pytest.approx(done.payment)
    assert principal.learned(session).counts == [0, 1, 0]


def test_who_attests(service):
    """Efforts come from the attester of the session and from nobody else."""
    principal = service.principal
    for attester in ("principal", "meter", "agent"):
        session = service.session(attester=attester)
        agent, meter = service.agent(session), service.meter(session)
        number = agent.ask().round
        assert agent.offer().attests == (attester == "agent")
        if attester == "agent":
            assert "attests" in refused(422, agent.answer, number, 1)
            assert agent.answer(number, 1, effort="skim").status == "answered"
        else:
            assert "attested by" in refused(403, agent.answer, number, 1, effort=1)
            agent.answer(number, 1)
        if attester == "meter":
            assert meter.attest(number, 1).attested
        else:
            refused(403, meter.attest, number, 1)
        if attester == "principal":
            assert principal.tell(session, number, effort=1).status == "answered"
        else:
            refused(403, principal.tell, session, number, effort=1)
        assert principal.round(session, number).status == "answered"


def test_who_opens_rounds(service):
    """Where the principal sets the pace, an agent opens nothing; what a round is about, it can read."""
    principal, session = service.principal, service.session(pacer="principal")
    agent = service.agent(session)
    refused(404, agent.ask)
    assert principal.ask(session, "rain on Friday?").round == 1
    assert agent.ask().about == "rain on Friday?"
    assert principal.session(session).rounds == 1


def test_declining(service):
    """An agent declines an open offer, not one that it has reported on; nothing is learned or paid."""
    principal, session = service.principal, service.session()
    agent = service.agent(session)
    first = agent.ask()
    assert agent.decline(first.round, "not my field").status == "abandoned"
    assert principal.round(session, 1).reason == "not my field"
    refused(409, agent.answer, first.round, 1)
    again = agent.ask()
    assert (again.round, again.payments) == (2, first.payments)
    agent.answer(again.round, 1)
    refused(409, agent.decline, again.round)
    assert principal.abandon(session, 2, "gone").status == "abandoned"
    assert [one.status for one in agent.payments()] == ["abandoned"]
    refused(404, agent.decline, 9)


def test_answers_name_their_round(service):
    """An answer to another round, or another answer to this one, is refused and changes nothing."""
    principal, session = service.principal, service.session()
    one, two = service.agent(session, "one"), service.agent(session, "two")
    number = one.ask().round
    refused(404, one.answer, number + 1, 1)
    one.answer(number, 1)
    refused(409, one.answer, number, 2)
    refused(409, two.answer, number, 2)
    refused(409, two.answer, number, 1)  # the same, but not its own: it would not be paid
    assert one.answer(number, 1).row == 1
    principal.tell(session, number, effort=0)
    refused(409, principal.tell, session, number, effort=1)
    assert principal.settle(session, number, 0).status == "settled"
    refused(409, principal.settle, session, number, 1)
    assert two.payments() == []


def test_reports_of_others_can_not_be_guessed(service):
    """Whatever an agent tries in a round that another has reported in, it hears the same, and nothing changes."""
    principal = service.principal
    for attester in ("meter", "agent"):
        session = service.session(attester=attester)
        me = service.agent(session)
        number = me.ask().round
        principal.tell(session, number, report=1)
        before = principal.round(session, number)
        effort = 1 if attester == "agent" else None
        said = {refused(409, me.answer, number, report, effort) for report in (0, 1, 2, [0.5, 0.5])}
        assert len(said) == 1
        assert principal.round(session, number) == before


def test_idempotency_keys(service):
    """The same request with the same key is done once and answered alike; another with it is refused."""
    principal = service.principal
    session = service.session(key="create-1")
    assert service.session(key="create-1") == session
    first = principal.ask(session, key="k1")
    told = principal.tell(session, 1, effort=1, report=1, key="k2")
    done = principal.settle(session, 1, 0, key="k3")
    principal.ask(session, key="k4")
    assert principal.ask(session, key="k1") == first
    assert principal.tell(session, 1, effort=1, report=1, key="k2") == told
    assert principal.settle(session, 1, 0, key="k3") == done
    assert "another request" in refused(422, principal.settle, session, 1, 1, key="k3")
    assert principal.session(session).rounds == 2
    made = principal.make_token("agent", session, key="k5")
    again = principal.make_token("agent", session, key="k5")
    assert (again.id, again.token) == (made.id, None)
    agent = service.agent(session)
    offer = agent.ask(key="k1")  # keys are each caller's own
    assert offer.round == 2
    assert agent.answer(2, 1, key="k6") == agent.answer(2, 1, key="k6")


def test_many_clients_on_one_session(service):
    """Fifty clients at once: every round is answered by one of them, and paid once."""
    principal, session = service.principal, service.session(attester="agent")
    agents = [service.agent(session, str(number)) for number in range(50)]

    def race(number: int) -> list[int]:
        agent, won = agents[number], []
        for _ in range(4):
            offer = agent.ask()
            try:
                won.append(agent.answer(offer.round, number % 5, effort=number % 3).round)
            except ServiceError as problem:
                if problem.status != 409:
                    raise
        return won

    with ThreadPoolExecutor(50) as pool:
        won = [number for found in pool.map(race, range(50)) for number in found]
    assert len(won) == len(set(won)) > 0
    rounds = principal.rounds(session, most=1000)
    assert {one.round for one in rounds if one.status == "answered"} == set(won)
    opened = Session.open(service.store, session)
    with opened.reading() as book:
        assert book.to_dict() == opened.replay().to_dict()


def test_many_sessions_at_once(service):
    """Thirty sessions, a client each: none waits for ever, none hears of another's rounds."""
    sessions = [service.session() for _ in range(30)]
    clients = [service.principal for _ in sessions]

    def play(which: int) -> list[float | None]:
        client, session, paid = clients[which], sessions[which], []
        for number in range(1, 4):
            assert client.ask(session).round == number
            client.tell(session, number, effort=1, report=which % 5)
            paid.append(client.settle(session, number, 0).payment)
        return paid

    with ThreadPoolExecutor(30) as pool:
        paid = list(pool.map(play, range(30)))
    for which, session in enumerate(sessions):
        standing = service.principal.session(session)
        assert (standing.rounds, standing.settled) == (3, 3)
        assert standing.paid == pytest.approx(sum(paid[which]))


def test_two_services_on_one_store(service):
    """A second process (here: a second app) sees what the first wrote, and goes on from there."""
    session = service.session()
    desk = make_app(service.store).state.desk
    other = desk.session(session)
    for number in range(1, 8):
        assert service.principal.ask(session).round == number
        assert other.ask().number == number
        other.tell(number, effort=GAME.respond(other.ask().rule), report=1)
        service.principal.settle(session, number, 0)
    assert other.standing().settled == service.principal.session(session).settled == 7
    assert other.standing().missed == 0
    alone = sw.learn.OsrlUcb(GAME.setting, ORACLE, radius=sw.learn.Radius(0.03))
    for one in other.rounds():
        alone.tell(alone.ask(), one.effort, one.row)
    with other.reading() as book:
        assert book.learner.state() == alone.state()


def test_a_store_put_back_under_a_running_service(service):
    """Offers and standing are those of the store as it is now, not of what the service had in memory."""
    session = service.session(attester="agent")
    agent, principal = service.agent(session), service.principal
    agent.answer(agent.ask().round, report=1, effort=1)
    assert agent.ask().round == 2
    with service.store.writing() as connection:
        connection.execute(sa.delete(schema.events).where(schema.events.c.sequence > 2))
        connection.execute(sa.update(schema.sessions).values(sequence=2))
    assert agent.offer().round == 1
    assert principal.session(session).open.round == 1
    assert principal.session(session).answered == 0
    assert agent.answer(1, report=2, effort=0).row == 2
    assert principal.settle(session, 1, "up").status == "settled"
    assert principal.session(session).settled == 1


def test_settling_does_not_wait_for_the_learner(service, monkeypatch):
    """While it thinks about the next offer, late outcomes come in and the open offer can be seen."""
    session = service.session()
    principal = service.principal
    for _ in range(2):
        principal.tell(session, principal.ask(session).round, effort=1, report=1)
    thinking, done, think = threading.Event(), threading.Event(), Book.think

    def slowly(book):
        thinking.set()
        assert done.wait(60)
        think(book)

    monkeypatch.setattr(Book, "think", slowly)
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(service.principal.ask, session)
        assert thinking.wait(60)
        for number in (1, 2):
            assert principal.settle(session, number, "up").status == "settled"
        assert service.agent(session).offer() is None
        done.set()
        assert asked.result(60).round == 3
    assert principal.session(session).settled == 2


def test_export_over_http(service, tmp_path):
    """The log as the command line exports it."""
    session = service.session()
    service.principal.tell(session, service.principal.ask(session).round, effort=1, report=1)
    text = service.principal.export(session)
    sw.session.export(Session.open(service.store, session), tmp_path / "x.jsonl")
    assert text == (tmp_path / "x.jsonl").read_text()


@pytest.mark.parametrize("attester", ["meter"])
def test_events(service, attester):
    """Streams go on where they stopped, and end with the token."""
    principal, session = service.principal, service.session(attester=attester)
    agent = service.agent(session)
    agent.answer(agent.ask().round, 1)
    service.meter(session).attest(1, 1)
    principal.settle(session, 1, 0)
    seen = list(principal.events(session, follow=False))
    assert [event.kind for event in seen] == ["opened", "asked", "told", "told", "settled"]
    assert [event.sequence for event in principal.events(session, 3, follow=False)] == [4, 5]
    assert [kind for kind, _ in agent.events(follow=False)] == ["payment"]
    following = principal.events(session, 5)
    offer = agent.ask()
    assert list(agent.events(5, follow=False)) == [("offer", offer)]
    assert list(service.agent(session).events(follow=False)) == [("offer", offer)]  # a newcomer: no offer of the past
    agent.decline(offer.round)
    assert [next(following).kind, next(following).kind] == ["asked", "abandoned"]
    following.close()
    assert [kind for kind, _ in agent.events(5, follow=False)] == ["withdrawn"]
