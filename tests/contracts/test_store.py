"""One suite for every store: durable rounds, as `Session` and `Store` promise them."""

from __future__ import annotations

import contextlib
import multiprocessing
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import sqlalchemy as sa

import scorewright as sw
from desks import GAME, ORACLE, learner, play, same
from scorewright.errors import (
    InvalidInputError,
    KeyReusedError,
    NotFoundError,
    RoundError,
    ScorewrightError,
)
from scorewright.session import (
    Config,
    Session,
    catalogue,
    find,
    open_store,
    schema,
)
from scorewright.session.book import MOST_EFFORTS


def test_a_round(store):
    """Open, answered, settled: with the decision, utility and payment that the issued rule and the state fix."""
    session = Session.create(store, learner(), name="desk", unit=0.01)
    offer = session.ask("rain on Friday?")
    assert (offer.number, offer.status, offer.about) == (1, "open", "rain on Friday?")
    assert np.allclose(offer.rule.payments * 100, np.rint(offer.rule.payments * 100))
    assert offer.rule.is_proper()
    told = session.tell(1, effort="skim", report=[0.7, 0.3])
    assert (told.status, told.effort, told.row, told.report) == ("answered", 1, 1, [0.7, 0.3])
    done = session.settle(1, "up")
    assert (done.status, done.state, done.decision, done.utility) == ("settled", 1, 0, 0.0)
    assert done.payment == offer.rule.pay(1, 1)
    assert session.round(1).rule == offer.rule
    standing = session.standing()
    assert (standing.rounds, standing.settled, standing.awaiting, standing.paid) == (1, 1, 0, done.payment)
    same(session)


def test_late_outcomes_hold_nothing_up(store):
    """Several rounds await settlement while one is open; they are settled in any order, once each."""
    session = Session.create(store, learner())
    play(session, 6, settle=0)
    offer = session.ask()
    assert session.standing().oldest == (1, 2, 3, 4, 5, 6)
    for number in (4, 1, 6):
        assert session.settle(number, 0).status == "settled"
    assert session.standing().oldest == (2, 3, 5)
    assert session.standing().open.number == offer.number == 7
    same(session)


def test_learning_is_that_of_the_learner(store):
    """A session asks and tells its learner as anybody would; abandoned rounds teach nothing and are offered again."""
    session, alone = Session.create(store, learner()), learner()
    rng = np.random.default_rng(1)
    for number in range(1, 60):
        offer, expected = session.ask(), alone.ask()
        assert offer.rule == expected.rule.rounded(session.config.unit)
        assert (offer.offer, offer.target, offer.why) == (expected.number, expected.target, expected.why)
        if number % 7 == 0:
            session.abandon(offer.number, "nobody was there")
            continue
        effort, report = int(rng.integers(3)), int(rng.integers(5))
        session.tell(offer.number, effort=effort, report=report)
        alone.tell(expected, effort, report)
    with session.reading() as book:
        assert book.learner.state() == alone.state()
    same(session)


def test_haggler_goes_on_bit_for_bit(address):
    """The learner to use, reopened every few rounds, repeats the uninterrupted one."""
    alone = sw.learn.Haggler(GAME.setting, rng=3)
    with open_store(address) as store:
        name = Session.create(store, sw.learn.Haggler(GAME.setting, rng=3)).config.id
    rng = np.random.default_rng(2)
    for _ in range(4):
        with open_store(address) as store:
            session = Session.open(store, name)
            for _ in range(5):
                offer, expected = session.ask(), alone.ask()
                assert offer.rule == expected.rule.rounded(session.config.unit)
                effort = GAME.respond(offer.rule)
                report = int(rng.choice(5, p=GAME.information[effort]))
                session.tell(offer.number, effort=effort, report=report)
                alone.tell(expected, effort, report)
            same(session)


def test_answers_in_two_parts(store):
    """A report and an effort may come from two sides, in either order; the learner hears of both together."""
    session = Session.create(store, learner())
    for first, second in (({"report": 1}, {"effort": 1}), ({"effort": 1}, {"report": 1})):
        number = session.ask().number
        assert session.tell(number, **first, by="one").status == "open"
        with session.reading() as book:
            assert book.answered == number - 1
        with pytest.raises(RoundError, match="before"):
            session.tell(number, **dict.fromkeys(first, 2), by="one")
        same(session)
        done = session.tell(number, **second, by="two")
        assert done.status == "answered"
        assert {done.reported, done.attested} == {"one", "two"}
    same(session)


def test_labels_that_the_setting_does_not_name(store):
    """Efforts may be discovered; their labels survive."""
    terms = sw.Terms(GAME.beliefs, 1.0)
    session = Session.create(store, sw.learn.Haggler(sw.Setting(terms, GAME.utility), rng=0))
    for effort in ("read", "call", "read"):
        session.tell(session.ask().number, effort=effort, report=0)
    assert [one.effort for one in session.rounds()] == ["read", "call", "read"]
    with session.reading() as book:
        assert book.learner.estimates().counts.tolist() == [2, 1]
    same(session)


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ({"effort": 3, "report": 0}, InvalidInputError),
        ({"effort": "stdy", "report": 0}, ScorewrightError),
        ({"effort": 0, "report": 5}, InvalidInputError),
        ({"effort": 0, "report": [0.5, 0.6]}, InvalidInputError),
        ({"effort": True, "report": 0}, InvalidInputError),
        ({}, InvalidInputError),
    ],
)
def test_impossible_answers_change_nothing(answer, error, store):
    """An error in words; log and learner as before."""
    session = Session.create(store, learner())
    session.ask()
    before = session.standing().sequence
    with pytest.raises(error):
        session.tell(1, **answer)
    assert session.standing().sequence == before
    same(session)
    assert session.tell(1, effort=0, report=0).status == "answered"


def test_steps_out_of_order(store):
    """What a round can't do, it says; what was done before, it does not do again."""
    session = Session.create(store, learner())
    with pytest.raises(NotFoundError):
        session.tell(1, effort=0, report=0)
    session.ask()
    with pytest.raises(RoundError, match="it is open"):
        session.settle(1, 0)
    with pytest.raises(NotFoundError):
        session.settle(2, 0)
    session.tell(1, effort=1, report=2)
    events = session.standing().sequence
    assert session.tell(1, effort="skim", report=[0.3, 0.7]).status == "answered"
    with pytest.raises(RoundError, match="can't be changed"):
        session.tell(1, effort=2, report=2)
    with pytest.raises(ScorewrightError):
        session.settle(1, 2)
    assert session.standing().sequence == events
    session.settle(1, 0)
    assert session.settle(1, "down").payment == session.round(1).payment
    with pytest.raises(RoundError, match="another state"):
        session.settle(1, 1)
    with pytest.raises(RoundError, match="settled"):
        session.abandon(1)
    session.ask()
    session.tell(2, effort=1, report=2)
    with pytest.raises(RoundError, match="report has been made"):
        session.abandon(2, unreported=True)
    assert session.abandon(2, "the state will never be known").status == "abandoned"
    with pytest.raises(RoundError, match="abandoned"):
        session.settle(2, 0)
    assert session.standing().sequence == events + 4
    same(session)


# -- keys ------------------------------------------------------------------------------------------------------------


def test_keys(store):
    """The same request with the same key is done once, and answered as it was, whatever came since."""
    session = Session.create(store, learner(), key="new")
    first = session.ask(key="a")
    told = session.tell(1, effort=1, report=1, key="t")
    done = session.settle(1, 1, key="s")
    session.ask(key="b")
    events = session.standing().sequence
    again = session.ask(key="a")
    assert (again.number, again.status, again.rule) == (1, "open", first.rule)
    assert session.tell(1, effort=1, report=1, key="t").status == told.status == "answered"
    assert session.settle(1, 1, key="s").payment == done.payment
    with pytest.raises(KeyReusedError):
        session.tell(1, effort=1, report=2, key="t")
    with pytest.raises(KeyReusedError):
        session.settle(2, 1, key="t")
    assert session.ask(key="a", by="somebody else").number == 2
    with pytest.raises(InvalidInputError, match="key"):
        session.ask(key="\n")
    assert session.standing().sequence == events
    assert Session.create(store, learner(), key="new").config.id == session.config.id
    assert len(catalogue(store)) == 1
    same(session)


# -- several at once -------------------------------------------------------------------------------------------------


def test_an_ask_that_fails_leaves_nothing(store, monkeypatch):
    """A learner that was asked in vain, or whose offer was not issued, is as the log says."""
    session = Session.create(store, sw.learn.Haggler(GAME.setting, rng=0))
    session.tell(session.ask().number, effort=1, report=1)
    with pytest.raises(InvalidInputError, match="idempotency key"):
        session.ask(key="\n")
    same(session)
    with monkeypatch.context() as patched:
        patched.setattr(Config, "issue", lambda *_: (_ for _ in ()).throw(InvalidInputError("no such rule")))
        with pytest.raises(InvalidInputError, match="no such rule"):
            session.ask()
    same(session)
    assert session.snapshot()
    same(Session.open(store, session.config.id))


def test_threads_on_one_session(store):
    """Twenty threads, each with a Session of its own: every round is asked, told and settled once."""
    name = Session.create(store, learner()).config.id
    rounds = 40

    def race(seed: int) -> list[tuple[int, float]]:
        session, paid = Session.open(store, name), []
        rng = np.random.default_rng(seed)
        while (offer := session.ask()).number <= rounds:
            with contextlib.suppress(RoundError):
                session.tell(offer.number, effort=1, report=int(rng.integers(5)))
                with contextlib.suppress(RoundError):
                    paid.append((offer.number, session.settle(offer.number, int(rng.integers(2))).payment))
        return paid

    with ThreadPoolExecutor(20) as pool:
        paid = [one for found in pool.map(race, range(20)) for one in found]
    session = Session.open(store, name)
    steps = [(event.kind, event.round) for event in session.events()]
    assert len(set(steps)) == len(steps)
    settled = {one.number: one.payment for one in session.rounds() if one.status == "settled"}
    assert dict(paid) == settled
    assert set(settled) == set(range(1, rounds + 1))
    same(session)


def elsewhere(address: str, name: str, seed: int, rounds: int) -> None:
    """Play from another process."""
    rng = np.random.default_rng(seed)
    with open_store(address) as store:
        session = Session.open(store, name)
        while (offer := session.ask()).number <= rounds:
            with contextlib.suppress(RoundError):
                session.tell(offer.number, effort=GAME.respond(offer.rule), report=int(rng.integers(5)))


def test_processes_on_one_session(address):
    """Three processes share a session; each reads what the others wrote, and the learner hears of everything once."""
    with open_store(address) as store:
        session = Session.create(store, learner())
        spawn = multiprocessing.get_context("spawn")
        others = [spawn.Process(target=elsewhere, args=(address, session.config.id, seed, 30)) for seed in range(3)]
        for other in others:
            other.start()
        elsewhere(address, session.config.id, 9, 30)
        for other in others:
            other.join(60)
            assert other.exitcode == 0
        assert session.standing().rounds == 31
        assert session.standing().answered == 30
        assert session.standing().missed == 0
        same(session)


def test_sessions_do_not_wait_for_each_other(store):
    """While one session's learner thinks, another session goes on."""
    slow, quick = Session.create(store, learner()), Session.create(store, learner())
    thinking, done = threading.Event(), threading.Event()

    with slow.reading() as book:
        think = book.think

    def long() -> None:
        thinking.set()
        assert done.wait(20)
        think()

    book.think = long
    other = threading.Thread(target=slow.ask)
    other.start()
    assert thinking.wait(20)
    play(quick, 3)
    done.set()
    other.join(20)
    assert slow.standing().rounds == 1


# -- opening, moving, failing ----------------------------------------------------------------------------------------


def test_efforts_without_names_are_bounded(store):
    """A setting that does not name its efforts lets them be discovered, not a thousand at a slip of the pen."""
    entries = GAME.setting.to_dict()
    del entries["efforts"]
    session = Session.create(store, sw.learn.Haggler(sw.game.Setting.from_dict(entries), rng=0))
    session.ask()
    for effort in (999, MOST_EFFORTS, 10**9):
        with pytest.raises(InvalidInputError, match="effort"):
            session.tell(1, effort=effort, report=0)
    assert session.tell(1, effort=2, report=0).effort == 2
    bandit = Session.create(store, sw.learn.FixedRule(sw.game.Setting.from_dict(entries), ORACLE[1]))
    for number in range(MOST_EFFORTS):
        bandit.tell(bandit.ask().number, effort=f"kind {number}", report=0)
    bandit.ask()
    with pytest.raises(InvalidInputError, match="labels of efforts known"):
        bandit.tell(MOST_EFFORTS + 1, effort="one more", report=0)
    assert bandit.tell(MOST_EFFORTS + 1, effort="kind 7", report=0).effort == "kind 7"
    same(bandit)


def test_old_keys_are_forgotten_as_new_ones_come(store):
    """A few at a time, the oldest first; younger ones stay."""
    session = Session.create(store, learner())
    row = schema.keys.c
    old = {"by": "local", "request": "", "subject": "", "round": 0, "sequence": 0}
    with store.writing() as connection:
        connection.execute(
            sa.insert(schema.keys),
            [old | {"key": f"old {day}", "at": f"2020-01-{day:02}T00:00:00.000+00:00"} for day in range(1, 6)],
        )
    left = []
    for number in range(4):
        session.ask(key=f"new {number}")
        with store.reading() as connection:
            left.append(set(connection.execute(sa.select(row.key)).scalars()))
    assert left[0] == {"old 3", "old 4", "old 5", "new 0"}
    assert left[-1] == {"new 0", "new 1", "new 2", "new 3"}


def test_finding(store):
    """By id, by name, or the only one; otherwise in words."""
    with pytest.raises(NotFoundError, match="begin one"):
        find(store)
    one = Session.create(store, learner(), name="desk").config.id
    assert find(store) == find(store, "desk") == find(store, one) == one
    two = Session.create(store, learner(), name="desk").config.id
    with pytest.raises(NotFoundError, match="more than one"):
        find(store, "desk")
    assert find(store, two) == two
    with pytest.raises(NotFoundError):
        Session.open(store, "0" * 16)
