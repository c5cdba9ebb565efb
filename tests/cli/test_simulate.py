"""`scorewright simulate`."""

from __future__ import annotations

import json

import pytest

import scorewright as sw
from scorewright.cli import run


@pytest.fixture
def file(tmp_path):
    """Return the three-effort game as a file."""
    path = tmp_path / "game.json"
    sw.families.make("three_efforts").save(path)
    return str(path)


def test_one_learner_or_several(file, capsys):
    """A line per learner, best first."""
    names = ["clairvoyant", "osrl-ucb", "oracle-bandit", "scaled-quadratic", "explore-then-commit", "fixed-rule"]
    assert run(["simulate", file, "--rounds", "60", *(word for name in names for word in ("--learner", name))]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in names)
    assert out.index("clairvoyant") < out.index("scaled-quadratic")


def test_json_agrees_with_the_library(file, capsys):
    """The same seed gives the same run as the library's."""
    assert run(["simulate", file, "--rounds", "200", "--seed", "4", "--radius", "0.03", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)["runs"]["osrl-ucb"]
    game = sw.load(file)
    learner = sw.learn.OsrlUcb(game.setting, sw.oracles.best_margin(game), radius=sw.learn.Radius(0.03))
    assert said["regret"] == sw.simulate(game, learner, 200, rng=4).regret[-1]


@pytest.mark.parametrize("oracle", ["random-sampling", "linear-search"])
@pytest.mark.parametrize("agent", ["noisy", "quantal", "drifting", "holdout"])
def test_oracles_and_agents(file, oracle, agent, capsys):
    """Every combination plays."""
    assert run(["simulate", file, "--rounds", "40", "--oracle", oracle, "--agent", agent]) == 0
    assert agent in capsys.readouterr().out


def test_plot(file, tmp_path, capsys):
    """The picture is written, and named learners are in it."""
    picture = tmp_path / "run.svg"
    assert run(["simulate", file, "--rounds", "50", "--learner", "oracle-bandit", "--plot", str(picture)]) == 0
    assert "oracle-bandit" in picture.read_text()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "words",
    [
        ["--learner", "osrl"],
        ["--agent", "angry"],
        ["--oracle", "delphi"],
        ["--rounds", "0"],
        ["--rounds", "many"],
        ["--seed", "-1"],
        ["--radius", "-1"],
        ["--plot", "run.gif"],
        ["--learner", "oracle-bandit", "--oracle", "linear-search"],
    ],
    ids=" ".join,
)
def test_bad_options(file, words, capsys):
    """One line, exit code 2."""
    assert run(["simulate", file, *words]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("scorewright: ")
    assert said.err.count("\n") == 1
