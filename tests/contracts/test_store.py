"""One suite for every store: durable rounds, as `Session` and `Store` promise them."""

from __future__ import annotations

import contextlib
import hashlib
import json
import multiprocessing
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import sqlalchemy as sa

import scorewright as sw
from bulk import bulk_session
from scorewright.errors import (
    DocumentError,
    InvalidInputError,
    KeyReusedError,
    NotFoundError,
    RoundError,
    ScorewrightError,
    StoreError,
)
from scorewright.session import (
    Book,
    Config,
    Event,
    Session,
    catalogue,
    export,
    find,
    import_session,
    open_store,
    schema,
    snapshots,
)

GAME = sw.families.make("three_efforts")
ORACLE = sw.oracles.best_margin(GAME)


def learner() -> sw.learn.Learner:
    """Return a quick learner that learns."""
    return sw.learn.OsrlUcb(GAME.setting, ORACLE, radius=sw.learn.Radius(0.03))


def play(session: Session, rounds: int, settle: float = 1.0, seed: int = 0) -> None:
    """Play rounds as a rational agent does; settle a share of them."""
    rng = np.random.default_rng(seed)
    for _ in range(rounds):
        offer = session.ask()
        effort = GAME.respond(offer.rule)
        session.tell(offer.number, effort=effort, report=int(rng.choice(5, p=GAME.information[effort])))
        if rng.random() < settle:
            session.settle(offer.number, int(rng.integers(2)))


def same(session: Session) -> None:
    """Check that memory, the store's snapshots and the log alone agree."""
    with session.reading() as book:
        now = book.to_dict()
    with Session.open(session.store, session.config.id).reading() as book:
        assert book.to_dict() == now
    assert session.replay().to_dict() == now


# -- rounds ----------------------------------------------------------------------------------------------------------


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


def test_snapshots_are_a_convenience(store, monkeypatch, caplog):
    """Taken now and then, passed over when damaged, never needed."""
    monkeypatch.setattr("scorewright.session.session._EVENTS_PER_SNAPSHOT", 20)
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
def test_sessions_written_in_bulk_are_true_ones(kind, address):
    """Their replay gives the snapshot that they were written with, and they go on from there."""
    makers = {
        "osrl-ucb": learner,
        "haggler": lambda: sw.learn.Haggler(GAME.setting, rng=1),
        "fixed-rule": lambda: sw.learn.FixedRule(GAME.setting, ORACLE[1]),
    }
    with open_store(address) as store:
        session = Session.open(store, bulk_session(store, GAME, makers[kind](), 350))
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


def test_export_and_import(store, tmp_path):
    """What is read back is the same session, to the last bit, also on the other back end."""
    session = Session.create(store, learner(), name="desk 7", unit=0.01, attester="meter", pacer="principal")
    play(session, 25, settle=0.6)
    session.abandon(session.ask().number)
    session.ask("an open one")
    written = export(session, tmp_path / "desk.jsonl")
    lines = (tmp_path / "desk.jsonl").read_text().splitlines()
    assert written == session.standing().sequence == len(lines) - 2
    with open_store(tmp_path / "other.db") as other:
        read = import_session(other, tmp_path / "desk.jsonl")
        assert read.replay().to_dict() == session.replay().to_dict()
        assert read.config.name == "desk 7"
        assert (read.config.attester, read.config.pacer, read.config.unit) == ("meter", "principal", 0.01)
        same(read)
        assert read.tell(27, effort=0, report=0).status == "answered"
        export(read, tmp_path / "again.jsonl")
        assert (tmp_path / "again.jsonl").read_text().splitlines()[:-2] == lines[:-1]
        with pytest.raises(StoreError, match="already"):
            import_session(other, tmp_path / "desk.jsonl")


def damage(lines: list[str], number: int, **changes: object) -> list[str]:
    """Change the entries of one line, and mend the last one so that only this is wrong."""
    entries = json.loads(lines[number])
    for name, value in changes.items():
        (entries["body"] if name in entries.get("body", {}) else entries)[name] = value
    changed = [*lines]
    changed[number] = json.dumps(entries)
    end = json.loads(lines[-1])
    end["sha256"] = hashlib.sha256("".join(changed[1:-1]).encode()).hexdigest()
    changed[-1] = json.dumps(end)
    return changed


def test_import_checks(tmp_path):
    """Cut, changed, reordered or mispaid: refused in words, and nothing is left behind."""
    with open_store(tmp_path / "one.db") as store:
        session = Session.create(store, learner())
        play(session, 3)
        session.tell(session.ask().number, effort=1)
        export(session, tmp_path / "good.jsonl")
    lines = (tmp_path / "good.jsonl").read_text().splitlines()
    settled = next(n for n, line in enumerate(lines) if '"settled"' in line)
    bad = {
        "cut short": lines[:-1],
        "those that were exported": [lines[0], lines[-1]],
        "it has been changed": [*lines[:3], lines[3].replace("local", "lokal"), *lines[4:]],
        "not the next one": [*lines[:3], lines[4], lines[3], *lines[5:]],
        "its payment is not": damage(lines, settled, payment=0.77),
        "its utility is not": damage(lines, settled, utility=9),
        "counts as row": damage(lines, settled - 1, row=4),
        "line 5": damage(lines, 4, kind="paid"),
        "is not JSON": [*lines[:2], "{", *lines[3:]],
        "one head": [lines[0], *lines],
        "not a scorewright document": ["{}"],
        "unit is 7": damage(lines, 1, unit=7),
        "not whole multiples of the unit": damage(lines, 1, unit=0.0007),
        "name must be printable": damage(lines, 1, name="a\x1b[31m"),
        "why must be printable": damage(lines, 2, why="\ud800"),
        "UTF-8": damage(lines, 3, by="\ud800"),
        "effort": damage(lines, len(lines) - 2, effort=99),
    }
    for word, text in bad.items():
        (tmp_path / "bad.jsonl").write_text("\n".join(text) + "\n")
        with open_store(tmp_path / "two.db") as store:
            with pytest.raises(DocumentError, match=word):
                import_session(store, tmp_path / "bad.jsonl")
            assert catalogue(store) == []


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


def test_migration(address, caplog):
    """A store of version 1 is copied, then brought up to date; what it holds stays; a newer one is refused."""
    with open_store(address) as store:
        session = Session.create(store, learner())
        play(session, 5)
        before = session.replay().to_dict()
        with store.writing() as connection:
            schema.told_by.drop(connection)
            connection.execute(sa.update(schema.versions).values(version=1))
    with open_store(address) as store:
        assert Session.open(store, session.config.id).replay().to_dict() == before
        with store.reading() as connection:
            indexes = {index["name"] for index in sa.inspect(connection).get_indexes(schema.events.name)}
            assert schema.told_by.name in indexes
            assert connection.execute(sa.select(schema.versions.c.version)).scalar() == schema.VERSION
        copy = caplog.text.split("copy: ")[1].strip()
        if address.startswith("postgresql"):
            name = copy.split()[1]
            with store.reading() as connection:
                kept = connection.execute(sa.text(f"SELECT count(*) FROM {name}.scorewright_events")).scalar()
        else:
            with open_store(Path(copy)) as copied:
                kept = len(Session.open(copied, session.config.id).events())
        assert kept == before["sequence"]
        with store.writing() as connection:
            connection.execute(sa.update(schema.versions).values(version=99))
    with pytest.raises(StoreError, match="newer scorewright"):
        open_store(address)


def test_a_store_that_can_not_be_copied_is_not_migrated(tmp_path, monkeypatch):
    """One sentence, and everything is as it was."""
    with open_store(tmp_path / "desk.db") as store, store.writing() as connection:
        schema.told_by.drop(connection)
        connection.execute(sa.update(schema.versions).values(version=1))
    with monkeypatch.context() as patched:
        patched.setattr("time.strftime", lambda _: "x" * 300)  # no file has such a name
        with pytest.raises(StoreError, match="it is as it was"):
            open_store(tmp_path / "desk.db")
    with open_store(tmp_path / "desk.db") as store, store.reading() as connection:
        assert connection.execute(sa.select(schema.versions.c.version)).scalar() == schema.VERSION
