"""Export and import, on every store: the same session, checked line by line, seen by nobody until it is whole."""

from __future__ import annotations

import hashlib
import json

import pytest
import sqlalchemy as sa

from desks import learner, play, same
from scorewright.errors import (
    DocumentError,
    NotFoundError,
    StoreError,
)
from scorewright.session import (
    Event,
    Session,
    catalogue,
    export,
    import_session,
    open_store,
    schema,
)
from scorewright.session.staging import Staging


def test_an_import_locks_nobody_out(address, tmp_path, monkeypatch):
    """Between its pages others write; nobody sees the session before it is whole; one cut off is in nobody's way."""
    with open_store(tmp_path / "one.db") as first:
        session = Session.create(first, learner())
        play(session, 20)
        export(session, tmp_path / "desk.jsonl")
        whole = session.replay().to_dict()
    name, seen, add = session.config.id, [], Staging.add
    monkeypatch.setattr("scorewright.session.transfer._PAGE", 7)
    monkeypatch.setattr("scorewright.session.staging._PAGE", 5)

    def watched(staging: Staging, page: list[Event]) -> None:
        add(staging, page)
        with open_store(address) as other:
            Session.create(other, learner(), name="meanwhile")
            seen.append({one.name for one in catalogue(other)})
            with pytest.raises(NotFoundError):
                Session.open(other, name)

    def cut(staging: Staging, page: list[Event]) -> None:
        add(staging, page)
        if page[-1].sequence > 30:
            raise SystemExit

    with open_store(address) as store:
        with monkeypatch.context() as patched:
            patched.setattr(Staging, "add", cut)
            patched.setattr(Staging, "discard", lambda _: None)  # as a kill would
            with pytest.raises(SystemExit):
                import_session(store, tmp_path / "desk.jsonl")
        assert catalogue(store) == []
        with pytest.raises(NotFoundError):
            Session.open(store, name)
        late = Staging(store, session.config)
        with monkeypatch.context() as patched:
            patched.setattr(Staging, "add", watched)
            read = import_session(store, tmp_path / "desk.jsonl")
        assert seen == [{"meanwhile"}] * len(seen)
        assert len(seen) == 9
        with pytest.raises(StoreError, match="gives way"):
            late.add([Event(1, "opened", 0, "", "local", {})])
        late.discard()
        assert read.replay().to_dict() == whole
        same(read)


def test_a_bad_file_leaves_nothing(store, tmp_path, monkeypatch):
    """Its last line is wrong: what was written before is cleared away."""
    session = Session.create(store, learner())
    play(session, 5)
    export(session, tmp_path / "desk.jsonl")
    lines = (tmp_path / "desk.jsonl").read_text().splitlines()
    (tmp_path / "bad.jsonl").write_text("\n".join(lines[:-1]) + "\n")
    monkeypatch.setattr("scorewright.session.transfer._PAGE", 4)
    with open_store(tmp_path / "two.db") as other:
        with pytest.raises(DocumentError, match="cut short"):
            import_session(other, tmp_path / "bad.jsonl")
        with other.reading() as connection:
            for table in (schema.events, schema.sessions, schema.keys, schema.snapshots):
                assert connection.execute(sa.select(sa.func.count()).select_from(table)).scalar() == 0


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
        "effort": damage(lines, len(lines) - 2, effort=99),
        "its head says session 0123": damage(lines, 0, session="0123456789abcdef"),
        "'at' must be a time": damage(lines, 2, at="yesterday"),
        "'by' a token": damage(lines, 3, by="<script>"),
        "line 3: it is not JSON": [*lines[:2], lines[2].replace('"target": ', '"target": NaN, "x": '), *lines[3:]],
    }
    for word, text in bad.items():
        (tmp_path / "bad.jsonl").write_text("\n".join(text) + "\n")
        with open_store(tmp_path / "two.db") as store:
            with pytest.raises(DocumentError, match=word):
                import_session(store, tmp_path / "bad.jsonl")
            assert catalogue(store) == []


def test_import_reads_text(tmp_path):
    """Bytes that are no text are refused in words."""
    (tmp_path / "bad.jsonl").write_bytes(b"\xff\xfe")
    with open_store(tmp_path / "two.db") as store, pytest.raises(DocumentError, match="UTF-8"):
        import_session(store, tmp_path / "bad.jsonl")
