"""`scorewright session` and `scorewright serve`: the same from the terminal."""

from __future__ import annotations

import json

import pytest

import scorewright as sw
from scorewright.cli import run
from scorewright.service.tokens import authenticate
from scorewright.session import open_store


@pytest.fixture
def say(tmp_path, monkeypatch, capsys):
    """Give a way to run a command in a folder with a game in it; returns what was printed, as JSON if asked."""
    monkeypatch.chdir(tmp_path)
    sw.families.make("three_efforts").save("game.json")

    def command(*words, code=0):
        assert run(["session", *words]) == code, capsys.readouterr().err
        captured = capsys.readouterr()
        said = captured.out if code == 0 else captured.err
        return json.loads(said) if "--json" in words and code == 0 else said

    return command


def test_a_session(say, tmp_path):
    """Begin, ask, tell, settle, status: for people."""
    assert "begun in scorewright.db" in say("new", "game.json", "--name", "desk")
    asked = say("ask", "--about", "rain?")
    assert "Round 1, rain?: open." in asked
    assert "pays if down" in asked
    assert "counts as 1 (up 30.0%)" in say("tell", "1", "--effort", "skim", "--report", "70% 30%")
    assert "“sell”: worth 1.0000. Pay 0.0000." in say("settle", "1", "down")
    assert "1 rounds: 1 settled, 0 await settlement" in say("status")
    assert "desk" in say("list")
    assert (tmp_path / "scorewright.db").stat().st_mode & 0o077 == 0


def test_passwords_are_not_shown(say):
    """What is said of a store that is named by its address leaves out the password."""
    for words in (["new", "game.json"], ["new", "game.json", "--json"]):
        said = str(say(*words, "--store", "sqlite://me:hunter2@/other.db"))
        assert "other.db" in said
        assert "hunter2" not in said


def test_for_machines(say):
    """The same in JSON; the payment is that of the table shown."""
    made = say("new", "game.json", "--learner", "scaled-quadratic", "--unit", "0.01", "--json")
    for number in range(1, 6):
        asked = say("ask", "--json", "--session", made["session"])
        assert asked["round"] == number
        assert say("tell", str(number), "--effort", "1", "--json")["status"] == "open"
        told = say("tell", str(number), "--report", "2", "--json")
        assert (told["status"], told["row"]) == ("answered", 2)
        assert say("settle", str(number), "1", "--json")["payment"] == asked["payments"][2][1]
    status = say("status", "--json")
    assert (status["rounds"], status["settled"], status["unit"]) == (5, 5, 0.01)


def test_options_of_a_learner(say, tmp_path):
    """A learner's options come from a file."""
    oracle = [rule.payments.tolist() for rule in sw.oracles.best_margin(sw.families.make("three_efforts"))]
    (tmp_path / "options.json").write_text(json.dumps({"oracle": oracle, "radius": 0.1}))
    say("new", "game.json", "--learner", "osrl-ucb", "--options", "options.json")
    assert say("ask", "--json")["phase"] == "oracle"


def test_keys_and_giving_up(say):
    """A command that is run again with its key does nothing new; a round can be given up."""
    say("new", "game.json")
    assert say("ask", "--key", "a", "--json")["round"] == 1
    assert say("abandon", "1", "--reason", "nobody there", "--json")["status"] == "abandoned"
    assert say("ask", "--key", "a", "--json")["status"] == "open"
    assert say("ask", "--json")["round"] == 2


def test_export_and_import(say):
    """Out of one store and into another."""
    say("new", "game.json")
    say("ask")
    say("tell", "1", "--effort", "1", "--report", "1")
    assert say("export", "desk.jsonl", "--json")["events"] == 3
    assert say("import", "desk.jsonl", "--store", "other.db", "--json")["answered"] == 1
    assert "already" in say("import", "desk.jsonl", "--store", "other.db", code=2)
    assert say("status", "--json") == say("status", "--store", "other.db", "--json")


def test_tokens(say):
    """Made once, shown once, revoked for good."""
    say("new", "game.json")
    made = say("token", "agent", "--json")
    with open_store("scorewright.db") as store:
        assert authenticate(store, made["token"]).session == made["session"]
        assert made["id"] in say("revoke", made["id"])
        assert authenticate(store, made["token"]) is None
    assert "sw_principal_" in say("token", "principal")


@pytest.mark.parametrize(
    ("words", "word"),
    [
        (["ask"], "there is no store"),
        (["new", "none.json"], "none.json"),
        (["new", "game.json", "--learner", "osrl-ucb"], "must be told its oracle"),
        (["new", "game.json", "--unit", "-1"], "unit"),
        (["new", "game.json", "--attester", "nobody"], "attester"),
        (["import", "game.json", "--store", "x.db"], "game.json: line 1"),
        (["token", "agent", "--store", "x.db"], "begin one"),
    ],
)
def test_bad_input(words, word, say):
    """Exit code 2 and one line."""
    said = say(*words, code=2)
    assert said.startswith("scorewright: ")
    assert said.count("\n") == 1
    assert word in said


@pytest.mark.parametrize(
    ("words", "word"),
    [
        (["tell", "1", "--effort", "nap", "--report", "1"], "nap"),
        (["tell", "1", "--report", "x"], "neither the number"),
        (["tell", "1"], "neither"),
        (["tell", "2", "--effort", "1"], "no round 2"),
        (["settle", "1", "down"], "it is open"),
        (["settle", "1", "sideways"], "sideways"),
        (["status", "--session", "none"], "no session 'none'"),
    ],
)
def test_bad_steps(words, word, say):
    """Exit code 2 and one line, and the session as it was."""
    say("new", "game.json")
    say("ask")
    said = say(*words, code=2)
    assert said.count("\n") == 1
    assert word in said
    assert say("status", "--json")["events"] == 2


@pytest.mark.parametrize(
    ("words", "word"),
    [
        (["--host", "0.0.0.0"], "principal's token"),
        (["--port", "99999"], "can't listen"),
        (["--certificate", "none.pem"], "none.pem"),
        (["--certificate", "game.json"], "both"),
    ],
)
def test_serving_that_can_not_be(words, word, say, capsys):
    """Exit code 2 and one line before anything listens."""
    del say  # which has made the folder
    assert run(["serve", *words]) == 2
    captured = capsys.readouterr()
    assert captured.err.count("\n") == 1
    assert word in captured.err
