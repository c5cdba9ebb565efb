"""`scorewright study` and `scorewright reproduce`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import scorewright as sw
from scorewright.cli import run, screen
from scorewright.study import Progress, claims, reproduce
from scorewright.study.claims import footnotes

COMMAND = str(Path(sys.executable).with_name("scorewright"))
TEXT = """
repeats = 2
rounds = 60
learners = ["osrl-ucb", "oracle-bandit"]
games = ["three_efforts", "analyst"]
"""
OWN = '''
import scorewright as sw


class Half(sw.learn.RecordingLearner):
    """Offers a share of the quadratic rule."""

    name = "half"

    def __init__(self, setting, *, share=0.5, rng=None):
        super().__init__(setting)
        terms, self.share = setting.terms, share
        self.rule = sw.rules.quadratic(terms.beliefs, terms.bound).scaled(share)

    def _propose(self, number):
        return sw.learn.Offer(number, self.rule, None, "explore", None, "half of the quadratic rule")

    def _options(self):
        return {"share": self.share}

    @classmethod
    def _rebuild(cls, setting, options):
        return cls(setting, **options)
'''


@pytest.fixture
def file(tmp_path, monkeypatch):
    """Return a study in the folder that we are in."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small.toml").write_text(TEXT)
    return "small.toml"


def test_run_and_report(file, tmp_path, capsys):
    """A table for people, plain lines on the way, and a page."""
    assert run(["study", "run", file, "--engine", "serial"]) == 0
    said = capsys.readouterr()
    assert "oracle-bandit" in said.out
    assert "study report small" in said.out
    assert said.err.splitlines()[0] == "small: 0 of 8"
    assert said.err.splitlines()[-1] == "small: 8 of 8"
    assert run(["study", "report", "small", "--baseline", "oracle-bandit"]) == 0
    assert "report.html" in capsys.readouterr().out
    assert "<title>small</title>" in (tmp_path / "small" / "report.html").read_text()


def test_json_agrees_with_the_library(file, capsys):
    """One document on standard output and nothing else there."""
    assert run(["study", "run", file, "--workers", "1", "--json", "--out", "here"]) == 0
    said = json.loads(capsys.readouterr().out)
    board = sw.study.leaderboard(sw.study.read("here"))
    assert [row["learner"] for row in said["leaderboard"]] == list(board["learner"])
    assert said["leaderboard"][0]["regret"] == board["regret"][0]
    assert run(["study", "report", "here", "--json", "--html", "page.html"]) == 0
    assert json.loads(capsys.readouterr().out)["page"] == "page.html"
    assert Path("page.html").exists()


def test_parts_and_dry_runs(file, capsys):
    """What would be run, without running it."""
    words = ["--game", "analyst", "--learner", "osrl-ucb", "--rounds", "10", "--rounds", "20", "--repeats", "3"]
    assert run(["study", "run", file, "--dry-run", "--json", *words]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["cells"], said["games"], said["rounds"]) == (6, ["analyst"], [10, 20])
    assert run(["study", "run", "benchmark", "--dry-run"]) == 0
    assert "cells: 6600" in capsys.readouterr().out
    assert not Path("benchmark").exists()


@pytest.mark.parametrize("engine", ["serial", "processes", "dask"])
def test_a_learner_of_ones_own_on_every_engine(file, engine, tmp_path):
    """A Python path, found in the folder that one is in; as a user's own command line."""
    (tmp_path / "mine.py").write_text(OWN)
    words = [COMMAND, "study", "run", file, "--learner", "oracle-bandit", "--add-learner", "mine:Half", "--json",
             "--engine", engine, "--game", "three_efforts", "--repeats", "1"]  # fmt: skip
    said = subprocess.run(words, capture_output=True, text=True, check=True)
    board = json.loads(said.stdout)["leaderboard"]
    assert {row["learner"]: row["cells"] for row in board} == {"mine:Half": 1, "oracle-bandit": 1}
    assert json.loads(said.stdout)["failures"] == []


@pytest.mark.usefixtures("file")
def test_failures_are_said(capsys):
    """A line each, and an error only where nothing was finished."""
    Path("bad.toml").write_text(TEXT.replace('"osrl-ucb"', '{name = "osrl-ucb", stop = {x = 1}}'))
    assert run(["study", "run", "bad.toml", "--engine", "serial"]) == 0
    assert "Failed: " in capsys.readouterr().out
    assert run(["study", "run", "bad.toml", "--engine", "serial", "--learner", "osrl-ucb (stop 1)", "--out", "x"]) == 2
    assert "no cell was finished" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["run", "nowhere.toml"],
        ["run", "small.toml", "--engine", "threads"],
        ["run", "small.toml", "--workers", "0"],
        ["run", "small.toml", "--engine", "serial", "--scheduler", "tcp://x:1"],
        ["run", "small.toml", "--game", "chess"],
        ["run", "small.toml", "--learner", "nobody"],
        ["run", "small.toml", "--add-learner", "nowhere:Nobody"],
        ["run", "small.toml", "--rounds", "0"],
        ["run", "small.toml", "--repeats", "0"],
        ["run", "small.toml", "--out", "small.toml"],
        ["report", "nowhere"],
        ["report", "."],
        ["watch"],
    ],
    ids=" ".join,
)
@pytest.mark.usefixtures("file")
def test_bad_words(words, capsys):
    """One line, exit code 2."""
    assert run(["study", *words]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("scorewright: ")
    assert said.err.count("\n") == 1


def test_a_changed_study_is_refused(file, capsys):
    """The folder keeps its results."""
    assert run(["study", "run", file, "--engine", "serial"]) == 0
    assert run(["study", "run", file, "--engine", "serial", "--repeats", "3"]) == 2
    assert "another study: repeats changed" in capsys.readouterr().err.splitlines()[-1]


def test_reproduce(tmp_path, monkeypatch, capsys):
    """What it will cost beforehand, a table, and both reports; as JSON too."""
    small = (claims.Experiment("footnotes", lambda: footnotes._plan(2, 150), lambda: footnotes._plan(2, 150), 7.0),)
    monkeypatch.setattr(reproduce, "EXPERIMENTS", small)
    monkeypatch.setattr(reproduce, "CLAIMS", claims.CLAIMS[-1:])
    out = tmp_path / "out"
    assert run(["reproduce", "--out", str(out), "--engine", "serial"]) == 0
    said = capsys.readouterr()
    assert "about 7 core minutes: 7 on these 1 workers" in said.err
    assert "unknown utility" in said.out
    assert (out / "claims.html").exists()
    assert (out / "claims.md").read_text().startswith("# The paper's claims, measured")
    assert run(["reproduce", "--quick", "--out", str(tmp_path / "quick"), "--engine", "serial", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["claims"]
    assert [line["where"] for line in found[0]["lines"]] == ["hidden effort", "unknown utility"]
    (tmp_path / "file").write_text("")
    assert run(["reproduce", "--out", str(tmp_path / "file")]) == 2


def test_progress_on_a_terminal(monkeypatch, capsys):
    """A bar with the time left; --quiet gives lines even there."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    for quiet in (False, True):
        with screen.study_progress("work", quiet=quiet) as tick:
            for done in range(4):
                tick(Progress(done, 0, 3, float(done), 200.0 * (3 - done)))
        shown = capsys.readouterr().err
        assert ("work: 3 of 3" in shown) == quiet
        assert "\x1b[" in shown or quiet


@pytest.mark.parametrize(("seconds", "words"), [(0.2, "1 s"), (80, "80 s"), (600, "10 min"), (9000, "2.5 h")])
def test_durations(seconds, words):
    """As people say them."""
    assert screen.duration(seconds) == words
