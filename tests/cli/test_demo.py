"""`scorewright demo`: the analyst game learned, its optimum, and what people use instead."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import scorewright as sw
from scorewright.cli import run

SHORT = ["--rounds", "40"]
"""The tests have less than a minute."""

MAGIC = {"svg": b"<?xml", "png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF-"}


def played(rounds: int, seed: int = 0) -> dict[str, sw.Run]:
    """Return the same runs, played by the library."""
    game = sw.families.analyst()
    quadratic = sw.optimum.classics(game)["quadratic"]
    learners = {
        "Haggler": sw.learn.Haggler(game.setting, rng=seed),
        "OSRL-UCB as printed": sw.learn.OsrlUcb(game.setting, sw.oracles.best_margin(game), rng=seed),
        "best quadratic rule": sw.learn.FixedRule(game.setting, quadratic.rule),
    }
    return {name: sw.simulate(game, learner, rounds, rng=seed) for name, learner in learners.items()}


def row(out: str, name: str) -> list[str]:
    """Return the cells of the first table row that begins with `name`."""
    line = next(line for line in out.splitlines() if line.strip().startswith(name))
    return re.split(r"\s{2,}", line.strip())[1:]


def test_shows_what_was_learned(capsys: pytest.CaptureFixture[str]) -> None:
    """Losses on the way, money and the conclusion are those of the library's runs with the same seed."""
    assert run(["demo", "--rounds", "320", "--seed", "3"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    runs = played(320, seed=3)
    assert row(captured.out, "Haggler")[:2] == list(runs)[1:]
    for mark in (100, 300, 320):
        assert row(captured.out, f"lost after {mark}") == [f"{one.regret[mark - 1]:,.0f}" for one in runs.values()]
    assert "lost after 1,000" not in captured.out
    tail = [f"{(one.regret[-1] - one.regret[-65]) / 64:.3f}" for one in runs.values()]
    assert row(captured.out, "lost a decision, last fifth") == tail
    assert row(captured.out, "earned") == [f"{one.earned:,.0f}" for one in runs.values()]
    assert row(captured.out, "paid to the analyst") == [f"{one.paid:,.0f}" for one in runs.values()]
    assert row(captured.out, "kept") == [f"{one.earned - one.paid:,.0f}" for one in runs.values()]
    lost = [float(one.regret[-1]) for one in runs.values()]
    assert f"Haggler loses {lost[0]:,.0f} against the best rule" in captured.out
    for other in lost[1:]:
        assert f"{other:,.0f} ({other / lost[0]:,.0f} times as much)" in captured.out


def test_the_main_claim() -> None:
    """After a thousand decisions Haggler, without an oracle, has lost a tenth of what the others have, or less."""
    haggler, osrl, fixed = (one.regret[-1] for one in played(1000).values())
    assert haggler < 0.1 * min(osrl, fixed)


def test_shows_the_optimum_and_the_classics(capsys: pytest.CaptureFixture[str]) -> None:
    """Every effort, news and classic rule is there, with the figures that the library gives."""
    assert run(["demo", *SHORT]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    game = sw.families.analyst()
    solution, scaled = sw.solve(game), sw.optimum.classics(game)
    for label in (game.name(solution.effort), *game.states, "optimal", *scaled):
        assert label in captured.out
    for one in (solution, *scaled.values()):
        assert f"{one.profit:.3f}" in captured.out
        assert f"{one.payment:.3f}" in captured.out
    saved = re.search(r"earns ([0-9.]+) thousand dollars more", captured.out)
    assert saved is not None
    assert float(saved[1]) == pytest.approx(solution.profit - scaled["quadratic"].profit, abs=0.005)
    least = solution.profit - scaled["v-shaped"].profit
    assert f"the v-shaped one; that one loses {least * 40:,.0f} in 40 decisions" in captured.out


@pytest.mark.parametrize("rounds", [1, 2, 100])
def test_few_rounds(rounds: int, capsys: pytest.CaptureFixture[str]) -> None:
    """The table ends with the last round, whichever it is."""
    assert run(["demo", "--rounds", str(rounds)]) == 0
    assert re.findall(r"lost after ([0-9,]+)", capsys.readouterr().out) == [str(rounds)]


@pytest.mark.parametrize("words", [["--rounds", "0"], ["--seed", "-1"], ["--rounds", "many"]], ids=" ".join)
def test_bad_options(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """One line, exit code 2."""
    assert run(["demo", *words]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert words[0] in captured.err


def test_json_agrees_with_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    """The machine's version holds the very same numbers."""
    assert run(["demo", "--json", "--rounds", "110"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    game = sw.families.analyst()
    solution, scaled, shapes = sw.solve(game), sw.optimum.classics(game), sw.optimum.classic_shapes(game)
    content = json.loads(captured.out)
    runs = played(110)
    assert (content["rounds"], content["seed"], list(content["learners"])) == (110, 0, list(runs))
    for name, one in runs.items():
        assert content["learners"][name] == {
            "regret": one.regret[-1],
            "regret_after": {"100": one.regret[99]},
            "regret_per_round_at_end": pytest.approx((one.regret[-1] - one.regret[-23]) / 22),
            "earned": one.earned,
            "paid": one.paid,
            "kept": one.earned - one.paid,
            "phases": one.phases,
        }
    assert content["optimal"] == {
        "effort": solution.effort,
        "profit": solution.profit,
        "payment": solution.payment,
    }
    assert list(content["classic"]) == list(scaled)
    for name, one in scaled.items():
        alike = sw.optimum.cheapest_scale(game, shapes[name], solution.effort)
        assert content["classic"][name] == {
            "effort": one.effort,
            "profit": one.profit,
            "payment": one.payment,
            "lost": solution.profit - one.profit,
            "payment_for_the_same_effort": None if alike is None else alike.payment,
        }
        assert content["classic"][name]["lost"] >= 0


def test_saved_game_is_the_analyst_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`demo --save-game` makes a file that `solve` reads, with the same answer."""
    path = tmp_path / "analyst.json"
    assert run(["demo", *SHORT, "--json", "--save-game", str(path)]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert sw.load(path) == sw.families.analyst()
    assert run(["solve", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["profit"] == shown["optimal"]["profit"]


@pytest.mark.parametrize("suffix", MAGIC)
def test_plot(suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Losses and money are drawn in every format, the same bytes every time."""
    first, second = tmp_path / f"first.{suffix}", tmp_path / f"second.{suffix}"
    for path in (first, second):
        assert run(["demo", *SHORT, "--json", "--plot", str(path)]) == 0
    assert capsys.readouterr().err == ""
    assert first.read_bytes().startswith(MAGIC[suffix])
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize("name", ["picture.gif", "picture", "picture.svg.txt", ".svg"])
def test_bad_picture_name_is_refused_before_any_work(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A picture that can't be drawn: nothing is solved, printed or written."""
    monkeypatch.setattr("scorewright.cli.demo.solve", lambda _: pytest.fail("it went to work"))
    assert run(["demo", "--plot", str(tmp_path / name), "--save-game", str(tmp_path / "game.json")]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("scorewright: ")
    assert captured.err.count("\n") == 1
    assert ".svg, .png, .pdf" in captured.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("option", ["--plot", "--save-game"])
@pytest.mark.parametrize("place", ["missing/out.svg", "file/out.svg", "folder.svg"])
def test_unwritable_path(option: str, place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A place that can't be written to: exit code 2, one line that names it, nothing on standard output."""
    (tmp_path / "file").touch()
    (tmp_path / "folder.svg").mkdir()
    path = tmp_path / place
    assert run(["demo", *SHORT, option, str(path)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"scorewright: can't write {path}: ")
    assert captured.err.count("\n") == 1
    assert sorted(entry.name for entry in tmp_path.rglob("*")) == ["file", "folder.svg"]


def test_without_matplotlib(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the extra a picture is refused by naming it; the rest works."""
    for module in ("matplotlib", "matplotlib.figure"):
        monkeypatch.setitem(sys.modules, module, None)
    assert run(["demo", *SHORT]) == 0
    capsys.readouterr()
    assert run(["demo", "--plot", str(tmp_path / "picture.svg")]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "scorewright: pictures need matplotlib: pip install 'scorewright[plot]'\n"


def test_in_a_process_of_its_own() -> None:
    """The real command, in a pipe."""
    command = Path(sys.executable).with_name("scorewright")
    done = subprocess.run([command, "demo", *SHORT, "--json"], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["optimal"]["profit"] == sw.solve(sw.families.analyst()).profit
