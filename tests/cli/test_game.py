"""`scorewright game from-forecasts`: a table in, a game and a report out; one clear line on bad input."""

from __future__ import annotations

import json

import numpy as np
import pytest

import scorewright as sw
from scorewright.cli import run
from tabling import frame, posteriors


@pytest.fixture
def files(tmp_path):
    """A table and its costs."""
    true, truth = posteriors((0.55, 0.85), 120)
    frame(true, truth, visit=np.arange(120) // 2).to_csv(tmp_path / "table.csv", index=False)
    (tmp_path / "costs.csv").write_text("tier,cost\nt0,0\nt1,.02\n")
    return tmp_path


def command(files, *more: str, utility: str = "classify") -> list[str]:
    """The command line."""
    table, costs = str(files / "table.csv"), str(files / "costs.csv")
    return ["game", "from-forecasts", table, "--costs", costs, "--utility", utility, "--resamples", "3", *more]


def test_for_people_and_for_machines(files, capsys):
    """Words or JSON; the game and the page as files."""
    saved, page = files / "game.json", files / "report.html"
    more = ["--clusters", "visit", "--save", str(saved), "--report", str(page), "--bound", "2", "--beliefs", "6"]
    assert run(command(files, *more)) == 0
    said = capsys.readouterr().out
    assert "least bound" in said
    assert f"The report is in {page}." in " ".join(said.split())
    assert "What to pay" in page.read_text()
    game = sw.load(saved)
    assert isinstance(game, sw.Game)
    assert game.efforts == ("t0", "t1")
    assert run(command(files, "--json", *more)) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["clusters"] == 60
    assert sw.Game.from_dict(content["game"]) == game
    assert run(["simulate", str(saved), "--agent", "replay", "--table", str(files / "table.csv"), "--rounds", "20",
                "--learner", "oracle-bandit"]) == 0  # fmt: skip


def test_decisions_as_words(tmp_path):
    """Named forms, matrices and files."""
    assert sw.forecasts.spoken("classify:a=2,b=3")(("a", "b"))[0].tolist() == [[0, -3], [-2, 0]]
    assert sw.forecasts.spoken("invest:a=-1,b=2")(("a", "b"))[0].tolist() == [[0, 0], [-1, 2]]
    assert sw.forecasts.spoken("newsvendor:price=5,cost=3")(("0", "1"))[0].tolist() == [[0, 0], [-3, 2]]
    assert sw.forecasts.spoken("[[1, 0], [0, 1]]") == [[1, 0], [0, 1]]
    (tmp_path / "u.json").write_text('{"utility": [[1, 2]]}')
    assert sw.forecasts.spoken(str(tmp_path / "u.json")) == [[1, 2]]


@pytest.mark.parametrize(
    ("utility", "more", "words"),
    [
        ("clasify", [], "did you mean 'classify'"),
        ("classify:s0", [], "must read name=number"),
        ("classify:s0=1", [], "no entry for state 's1'"),
        ("invest", [], "what each state gains"),
        ("newsvendor:cost=3", [], "needs price"),
        ("[[1, 2", [], "not JSON"),
        ("[[1, 2, 3]]", [], "3 columns"),
        ("classify", ["--clusters", "ward"], "no column 'ward'"),
        ("classify", ["--beliefs", "1"], "beliefs is 1"),
        ("classify", ["--calibration", "platt"], "unknown calibration"),
        ("classify", ["--seed", "-1"], "seed"),
    ],
)
def test_one_line_on_bad_input(files, capsys, utility, more, words):
    """Exit code 2, and one line that says what is wrong."""
    assert run(command(files, *more, utility=utility)) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1
