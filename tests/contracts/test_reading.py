"""What a session is read from, on every store: the log, with or without a snapshot, with or without a learner."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

import scorewright as sw
from bulk import bulk_session
from desks import GAME, ORACLE, learner, play, same
from scorewright.errors import UnknownNameError
from scorewright.session import (
    Book,
    Event,
    Session,
    open_store,
    schema,
    snapshots,
)


def test_snapshots_are_a_convenience(store, monkeypatch, caplog):
    """Taken now and then, passed over when damaged, never needed."""
    monkeypatch.setattr("scorewright.session.log._EVENTS_PER_SNAPSHOT", 20)
    session = Session.create(store, learner())
    play(session, 40, settle=0.5)
    with store.reading() as connection:
        kept = list(connection.execute(sa.select(schema.snapshots.c.sequence)).scalars())
    assert len(kept) == snapshots.KEPT
    assert min(kept) > 40
    same(session)
    with store.writing() as connection:
        connection.execute(sa.update(schema.snapshots).values(content=b"broken"))
    same(session)
    assert "passed over" in caplog.text
    assert session.snapshot()
    same(session)


@pytest.mark.parametrize("kind", ["osrl-ucb", "haggler", "fixed-rule"])
def test_sessions_written_in_bulk_are_true_ones(kind, tmp_path):
    """Their replay gives the snapshot that they were written with, and they go on from there."""
    makers = {
        "osrl-ucb": learner,
        "haggler": lambda: sw.learn.Haggler(GAME.setting, rng=1),
        "fixed-rule": lambda: sw.learn.FixedRule(GAME.setting, ORACLE[1]),
    }
    with open_store(tmp_path / "desk.db") as store:
        session = Session.open(store, bulk_session(store, GAME, makers[kind](), 150, unsettled=50))
        same(session)
        assert session.standing().awaiting == 3
        assert session.standing().missed == 0
        play(session, 3)
        same(session)


def test_opening_reads_the_snapshot_and_little_more(store, monkeypatch):
    """However long a session is, opening it applies only the events after its snapshot."""
    name = bulk_session(store, GAME, learner(), 400)
    applied, apply = [], Book.apply

    def counted(book: Book, event: Event) -> object:
        applied.append(event.sequence)
        return apply(book, event)

    monkeypatch.setattr(Book, "apply", counted)
    session = Session.open(store, name)
    assert applied == []
    assert session.standing().rounds == 400
    play(session, 2)
    applied.clear()
    assert Session.open(store, name).standing().rounds == 402
    assert len(applied) == 6
    same(session)


def test_an_upgraded_learner_keeps_to_the_log(store, monkeypatch):
    """A learner that would now offer otherwise: rounds are paid as issued, what it can't learn from is counted."""
    session = Session.create(store, learner())
    play(session, 10, settle=0.5)
    offer = session.ask()
    with store.writing() as connection:
        connection.execute(sa.delete(schema.snapshots))
    other = sw.learn.OsrlUcb.ask
    monkeypatch.setattr(
        sw.learn.OsrlUcb,
        "ask",
        lambda self: (
            other(self)
            if self._number < 6
            else sw.learn.Offer(self._number, sw.rules.quadratic(GAME.beliefs, 0.5), 0, "optimise", None, "a new idea")
        ),
    )
    later = Session.open(store, session.config.id)
    assert later.ask().rule == offer.rule
    done = later.tell(offer.number, effort=1, report=1)
    assert done.status == "answered"
    assert later.settle(offer.number, 0).payment == offer.rule.pay(1, 0)
    assert later.standing().missed == 11 - 5
    assert later.standing().answered == 11


def test_a_store_put_back_to_an_earlier_day(store):
    """A session in memory follows the store, not the other way round."""
    session = Session.create(store, learner())
    play(session, 6)
    with store.writing() as connection:
        connection.execute(sa.delete(schema.events).where(schema.events.c.sequence > 10))
        connection.execute(sa.delete(schema.snapshots))
        connection.execute(sa.update(schema.sessions).values(sequence=10))
    assert session.ask().number == 4
    assert [event.sequence for event in session.events()] == list(range(1, 12))
    same(session)


def test_a_store_put_back_and_written_to_since(store):
    """Whoever has the session in memory sees what the store says now, however long its log is by then."""
    session = Session.create(store, learner())
    play(session, 5)
    session.ask("the old one")
    with store.writing() as connection:  # as an older copy of the store would be
        connection.execute(sa.delete(schema.events).where(schema.events.c.sequence > 10))
        connection.execute(sa.delete(schema.snapshots))
        connection.execute(sa.update(schema.sessions).values(sequence=10))
    assert session.standing().rounds == 3
    assert session.open_round() is None
    other = Session.open(store, session.config.id)
    play(other, 9, settle=0.5, seed=7)
    now = other.ask("the new one")
    assert session.standing().open.about == "the new one"
    assert session.open_round().rule == now.rule
    assert session.standing().sequence == other.standing().sequence
    assert session.tell(now.number, effort=0, report=0).status == "answered"
    same(session)
    same(other)


class Own(sw.learn.FixedRule):
    """A learner that `scorewright.learn` does not know by name."""

    name = "own"


def test_settling_needs_no_learner(store):
    """Rounds are settled, given up and looked at from the log alone; only asking and telling need the learner."""
    session = Session.create(store, Own(GAME.setting, ORACLE[1]))
    play(session, 3, settle=0)
    session.ask("the last one")
    blind = Session.open(store, session.config.id)
    assert blind.settle(1, "up").status == "settled"
    assert blind.settle(1, "up", key="again").payment == session.round(1).payment
    assert blind.abandon(2).status == "abandoned"
    assert [one.status for one in blind.rounds()] == ["settled", "abandoned", "answered", "open"]
    assert blind.open_round().about == "the last one"
    assert blind.abandon(4).status == "abandoned"
    assert blind.open_round() is None
    with pytest.raises(UnknownNameError, match="own"):
        blind.ask()
    assert session.ask().number == 5
    standing = session.standing()
    assert (standing.settled, standing.abandoned, standing.oldest) == (1, 2, (3,))
    with session.reading() as book:
        assert book.to_dict() == session.replay().to_dict()


def test_settlements_are_in_snapshots_too(store, monkeypatch):
    """However many rounds are settled while nobody asks, opening the session stays quick."""
    session = Session.create(store, learner())
    play(session, 30, settle=0)
    monkeypatch.setattr("scorewright.session.log._EVENTS_PER_SNAPSHOT", 10)
    clerk = Session.open(store, session.config.id)
    for number in range(1, 31):
        clerk.settle(number, 0)
    with store.reading() as connection:
        assert connection.execute(sa.select(sa.func.max(schema.snapshots.c.sequence))).scalar() == 90
    same(session)
