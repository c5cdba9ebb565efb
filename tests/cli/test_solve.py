"""`scorewright solve`: tables for people, JSON for machines, rules and pictures in files."""

from __future__ import annotations

import functools
import html
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scorewright as sw
from scorewright.cli import run

MAGIC = {"svg": b"<?xml", "png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF-"}

GAMES: dict[str, Callable[[], sw.Game]] = {
    "three efforts": sw.families.three_efforts,
    "analyst": sw.families.analyst,
    "hard instance": lambda: sw.families.hard_instance(width=0.1),
    "binary effort": sw.families.binary_effort,
    "contract": sw.families.two_action_contract,
    "three states": lambda: sw.families.random(rng=1, states=3),
    "four states": lambda: sw.families.random(rng=2, states=4, efforts=2),
    "dominated efforts": lambda: sw.families.random(rng=3, dominated=2),
    "one effort": lambda: sw.families.random(rng=4, efforts=1),
    "nothing to pay with": lambda: changed(bound=0.0),
}


def changed(**other: Any) -> sw.Game:
    """The three-effort game with other entries."""
    return sw.Game.from_dict(sw.families.three_efforts().to_dict() | other)


def solve(game: sw.Game, folder: Path, *options: str) -> int:
    """Save `game` in `folder` and run the command on it."""
    path = folder / "game.json"
    game.save(path)
    return run(["solve", str(path), *options])


def advantage(game: sw.Game, rule: sw.Rule, effort: int) -> float:
    """By how much the effort beats its best rival."""
    surplus = game.surplus(rule)
    return float(surplus[effort] - np.delete(surplus, effort).max())


def check_refused(code: int, captured: pytest.CaptureResult[str]) -> None:
    """Exit code 2, nothing on standard output, one line on standard error."""
    assert code == 2
    assert captured.out == ""
    assert captured.err.startswith("scorewright: ")
    assert captured.err.count("\n") == 1


# -- what it prints ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_table(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every effort, state and amount that matters is on the screen."""
    game = GAMES[name]()
    solution = sw.solve(game)
    assert solve(game, tmp_path) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    for label in (*map(game.name, range(len(game.costs))), *(game.states or ())):
        assert label in captured.out
    assert f"Best: {game.name(solution.effort)} for " in captured.out
    decimals = 4 if game.bound < 10 else 3 if game.bound < 100 else 2
    for amount in (solution.profit, solution.payment, solution.rule.payments.max(), *game.costs):
        assert f"{amount:.{decimals}f}" in captured.out
    assert captured.out.count("can't be induced") == solution.by_effort.count(None)
    for reason in solution.reasons:
        assert reason is None or reason.words in captured.out


@pytest.mark.parametrize("name", GAMES)
def test_json_is_the_solution(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The machine's version is one JSON document with the very same numbers as `scorewright.solve`."""
    game = GAMES[name]()
    assert solve(game, tmp_path, "--json") == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    content, solution = json.loads(captured.out), sw.solve(game)
    assert content == solution.to_dict()
    assert sw.Rule.from_dict(content["rule"]) == solution.rule
    assert content["profit"] == solution.profit
    assert [entry is None for entry in content["by_effort"]] == [found is None for found in solution.by_effort]


@pytest.mark.parametrize(
    ("bound", "costs", "words"),
    [
        (0.3, [0, 0.05, 0.15], "it takes a bound of 0.666667 or more"),
        (1.0, [0, 0.2, 0.15], "by switching to"),
        (1.0, [0, 9.0, 9.1], "it takes a bound of"),
    ],
)
def test_uninducible_effort_shows_its_reason(
    bound: float, costs: list[float], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An effort that no rule can buy is marked in the table, and why not is said below it."""
    game = changed(bound=bound, costs=costs)
    assert solve(game, tmp_path) == 0
    out = capsys.readouterr().out
    assert "can't be induced (1)" in out
    assert "(1) " in out
    assert words in out
    assert solve(game, tmp_path, "--json") == 0
    reasons = json.loads(capsys.readouterr().out)["reasons"]
    assert any(reason is not None and words in reason["words"] for reason in reasons)


def test_dominated_effort_says_that_money_can_not_help(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where no bound would do, the reason says so and JSON has null."""
    game = GAMES["dominated efforts"]()
    assert solve(game, tmp_path) == 0
    assert "no bound would change that" in capsys.readouterr().out
    assert solve(game, tmp_path, "--json") == 0
    assert json.loads(capsys.readouterr().out)["reasons"][-1]["least_bound"] is None


def test_many_beliefs_are_cut_short(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nobody reads a hundred rows: the table stops and says how many are left."""
    game = sw.families.random(rng=0, efforts=2, observations=30)
    assert solve(game, tmp_path) == 0
    assert f"and {len(game.beliefs) - 40} more reports" in capsys.readouterr().out
    assert solve(game, tmp_path, "--json") == 0
    assert len(json.loads(capsys.readouterr().out)["rule"]["payments"]) == len(game.beliefs)


LABELS = [
    "[bold]x[/bold]",
    "[/]",
    "[/bold]",
    "[red]",
    "[link=https://example.org]x[/link]",
    "\\[x]",
    "x\\",
    "[",
    ":smile:",
    "{}",
    "%s",
    "日本",
    "<b>&amp;",
]


@pytest.mark.parametrize("bound", [1.0, 0.1], ids=["induced", "not induced"])
@pytest.mark.parametrize("label", LABELS)
def test_labels_are_printed_literally(
    label: str, bound: float, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A label is the user's own text, whatever it looks like to the library that prints it."""
    game = changed(bound=bound, efforts=["guess", label, "study"], states=["down", label], decisions=["sell", label])
    assert solve(game, tmp_path) == 0
    out = capsys.readouterr().out
    table, _, payments = out.partition("What to pay")
    assert label in table
    assert f"pays if {label}" in payments
    assert f"{label} 50.0%" in payments
    assert (f"Best: {label} for" if bound == 1 else f"(1) {label}: ") in table
    assert solve(game, tmp_path, "--json") == 0
    assert json.loads(capsys.readouterr().out)["effort_name"] == (label if bound == 1 else "guess")


def test_labels_do_not_drive_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Escape sequences in somebody's file do not reach the screen: such a label is refused, and shown harmlessly."""
    content = changed().to_dict() | {"efforts": ["guess", "\x1b[31mskim\x1b]0;title\x07", "study"]}
    path = tmp_path / "game.json"
    path.write_text(json.dumps(content))
    check_refused(run(["solve", str(path)]), captured := capsys.readouterr())
    assert "efforts" in captured.err
    assert "\x1b" not in captured.err


# -- options -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "asked"),
    [
        (["--margin", "0.01"], {"margin": 0.01}),
        (["--strength", "0.3"], {"strength": 0.3}),
        (["--margin", "0.01", "--strength", "0.1"], {"margin": 0.01, "strength": 0.1}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_margin_and_strength(
    options: list[str], asked: dict[str, float], three: sw.Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--margin` and `--strength` are those of `scorewright.solve`, and the rule has them."""
    assert solve(three, tmp_path, "--json", *options) == 0
    content = json.loads(capsys.readouterr().out)
    solution = sw.solve(three, **asked)
    assert content == solution.to_dict()
    rule = sw.Rule.from_dict(content["rule"])
    assert advantage(three, rule, content["effort"]) >= asked.get("margin", 0) - 1e-9
    assert rule.strength >= asked.get("strength", 0) - 1e-9
    assert content["profit"] < sw.solve(three).profit


def test_save_rule(three: sw.Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The saved rule is the solution's, bit for bit, and buys what it should."""
    path = tmp_path / "rule.json"
    assert solve(three, tmp_path, "--save-rule", str(path)) == 0
    assert "What to pay" in capsys.readouterr().out
    rule, solution = sw.load(path), sw.solve(three)
    assert rule == solution.rule
    assert rule.payments.tobytes() == solution.rule.payments.tobytes()
    assert three.respond(rule) == solution.effort


@pytest.mark.parametrize("unit", [0.01, 0.02, 0.125])
def test_unit(unit: float, three: sw.Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--unit` gives, prints and saves a proper rule in whole units."""
    path = tmp_path / "rule.json"
    assert solve(three, tmp_path, "--json", "--unit", str(unit), "--save-rule", str(path)) == 0
    content, found = json.loads(capsys.readouterr().out), sw.optimum.payable(three, unit)
    assert {key: value for key, value in content.items() if key != "in_units"} == sw.solve(three).to_dict()
    assert content["in_units"] == {
        "unit": unit,
        "effort": found.effort,
        "profit": found.profit,
        "cost": found.cost,
        "rule": found.rule.to_dict(),
    }
    assert sw.load(path) == found.rule
    assert found.rule.is_proper()
    counts = found.rule.payments / unit
    assert np.abs(counts - np.rint(counts)).max() < 1e-9
    assert solve(three, tmp_path, "--unit", str(unit)) == 0
    assert f"In whole multiples of {unit:g} it leaves {found.profit:.4f}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("option", "value"), [("--margin", 0.02), ("--strength", 0.5)], ids=["with margin", "with strength"]
)
def test_unit_keeps_what_else_was_asked_for(
    option: str, value: float, three: sw.Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A rule in whole units keeps the margin or strength that was asked for; it does not drop it in silence."""
    path = tmp_path / "rule.json"
    assert solve(three, tmp_path, "--json", "--unit", "0.01", option, str(value), "--save-rule", str(path)) == 0
    effort, rule = json.loads(capsys.readouterr().out)["in_units"]["effort"], sw.load(path)
    got = advantage(three, rule, effort) if option == "--margin" else rule.strength
    assert got >= value - 1e-9


# -- pictures ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [*MAGIC, "SVG"])
@pytest.mark.parametrize("option", ["--plot", "--regions"])
def test_pictures(option: str, suffix: str, three: sw.Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Pictures come in the format that their name asks for, and the table is printed all the same."""
    path = tmp_path / f"picture.{suffix}"
    assert solve(three, tmp_path, option, str(path)) == 0
    captured = capsys.readouterr()
    assert "What to pay" in captured.out
    assert captured.err == ""
    assert path.read_bytes().startswith(MAGIC[suffix.lower()])


@pytest.mark.parametrize("name", [name for name in GAMES if name != "three efforts"])
def test_pictures_of_every_game(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Any game can be drawn: two, three or more states, fines, one effort, nothing to pay."""
    first, second = tmp_path / "rule.svg", tmp_path / "regions.svg"
    assert solve(GAMES[name](), tmp_path, "--json", "--plot", str(first), "--regions", str(second)) == 0
    assert capsys.readouterr().err == ""
    assert first.read_bytes().startswith(MAGIC["svg"])
    assert second.read_bytes().startswith(MAGIC["svg"])


@pytest.mark.parametrize("label", ["$x$", "$\\frac$", "a $5 or $6 bet", "_skim", "[/]", "<b>&amp;", "日本"])
def test_labels_are_drawn_literally(label: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A label in a picture is the user's own text too: no mathematics, nothing hidden, no warnings."""
    game = changed(efforts=["guess", label, "study"], states=["down", label])
    first, second = tmp_path / "rule.svg", tmp_path / "regions.svg"
    assert solve(game, tmp_path, "--json", "--plot", str(first), "--regions", str(second)) == 0
    assert capsys.readouterr().err == ""
    assert f"Paying for “{label}”" in html.unescape(first.read_text("utf-8"))
    assert f"chance of “{label}”" in html.unescape(first.read_text("utf-8"))
    assert f">{label}<" in html.unescape(second.read_text("utf-8"))


@pytest.mark.parametrize("option", ["--plot", "--regions"])
@pytest.mark.parametrize("name", ["picture.gif", "picture", "picture.svg.txt", ".svg"])
def test_bad_picture_name_is_refused_before_any_work(
    option: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A picture that can't be drawn: no file is read, nothing is solved, printed or written."""
    monkeypatch.setattr("scorewright.cli.solve.load", lambda _: pytest.fail("it went to work"))
    rule = tmp_path / "rule.json"
    code = run(["solve", str(tmp_path / "game.json"), option, str(tmp_path / name), "--save-rule", str(rule)])
    check_refused(code, captured := capsys.readouterr())
    assert ".svg, .png, .pdf" in captured.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("option", ["--plot", "--regions", "--save-rule"])
@pytest.mark.parametrize("place", ["missing/out.svg", "file/out.svg", "folder.svg"])
def test_unwritable_path(
    option: str, place: str, three: sw.Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A place that can't be written to: exit code 2 and one line that names it, and nothing is left behind."""
    (tmp_path / "file").touch()
    (tmp_path / "folder.svg").mkdir()
    path = tmp_path / place
    check_refused(solve(three, tmp_path, option, str(path)), captured := capsys.readouterr())
    assert captured.err.startswith(f"scorewright: can't write {path}: ")
    assert sorted(entry.name for entry in tmp_path.rglob("*")) == ["file", "folder.svg", "game.json"]


def test_nothing_is_written_for_a_bad_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """When the game can't be read, no rule and no picture appears."""
    wanted = ["--save-rule", str(tmp_path / "rule.json"), "--plot", str(tmp_path / "rule.svg")]
    check_refused(run(["solve", str(tmp_path / "missing.json"), *wanted]), capsys.readouterr())
    assert list(tmp_path.iterdir()) == []


def test_without_matplotlib(
    three: sw.Game, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the extra a picture is refused, before the work, by naming it; the rest works."""
    for module in ("matplotlib", "matplotlib.figure"):
        monkeypatch.setitem(sys.modules, module, None)
    assert solve(three, tmp_path) == 0
    capsys.readouterr()
    rule = tmp_path / "rule.json"
    code = solve(three, tmp_path, "--plot", str(tmp_path / "rule.svg"), "--save-rule", str(rule))
    check_refused(code, captured := capsys.readouterr())
    assert captured.err == "scorewright: pictures need matplotlib: pip install 'scorewright[plot]'\n"
    assert not rule.exists()


def test_in_a_process_of_its_own(three: sw.Game, tmp_path: Path) -> None:
    """The real command, in a pipe: a table as wide as it needs to be, and no escape codes."""
    path = tmp_path / "game.json"
    three.save(path)
    command = Path(sys.executable).with_name("scorewright")
    done = subprocess.run([command, "solve", path], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"skim" in done.stdout
    assert b"\x1b" not in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_large_game_shows_its_progress_and_can_be_interrupted(tmp_path: Path) -> None:
    """Five thousand beliefs: a bar on standard error, and Control-C ends with one line and no traceback."""
    import pty

    path = tmp_path / "game.json"
    sw.families.random(rng=0, efforts=5, states=5, observations=1000).save(path)
    ours, theirs = pty.openpty()
    command = [Path(sys.executable).with_name("scorewright"), "solve", path]
    heard = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # background jobs are deaf to it
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs, preexec_fn=heard)
    os.close(theirs)
    seen = b""
    try:
        while chunk := os.read(ours, 4096):
            seen += chunk
            if b"solving" in seen and process.poll() is None:
                process.send_signal(signal.SIGINT)
                break
        while chunk := os.read(ours, 4096):
            seen += chunk
    except OSError:  # the other end is closed
        pass
    finally:
        os.close(ours)
    assert process.wait() == 130
    assert b"solving" in seen
    assert b"Traceback" not in seen
    assert seen.rstrip().endswith(b"scorewright: interrupted")
