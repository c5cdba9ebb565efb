"""The terminal: help, versions, unknown words, and an output that can't be written to."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import scorewright as sw
from scorewright.cli import run

COMMAND = Path(sys.executable).with_name("scorewright")


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"], ["solve", "--help"], ["demo", "-h"]], ids=str)
def test_help(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Help is not an error, and no command at all gives help."""
    assert run(arguments) == 0
    captured = capsys.readouterr()
    assert "Usage" in captured.out
    assert captured.err == ""


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    """The help lists the commands."""
    run(["--help"])
    out = capsys.readouterr().out
    for command in ("solve", "learn", "simulate", "study", "reproduce", "demo"):
        assert command in out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    """The version is one line."""
    assert run(["--version"]) == 0
    assert capsys.readouterr() == (f"scorewright {sw.__version__}\n", "")


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["sovle"], "sovle"),
        (["--colour"], "--colour"),
        (["solve"], "GAME"),
        (["solve", "a.json", "b.json"], "b.json"),
        (["solve", "--fast", "a.json"], "--fast"),
        (["demo", "a.json"], "a.json"),
        (["demo", "--plot"], "--plot"),
        (["demo", "--json=yes"], "--json"),
    ],
    ids=str,
)
def test_unknown_words(arguments: list[str], word: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What the command line does not know: exit code 2 and one line that names it and points to the help."""
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("scorewright: ")
    assert captured.err.count("\n") == 1
    assert word in captured.err
    assert "--help" in captured.err


def test_without_typer(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Without the extra the command says what to install."""
    monkeypatch.setitem(sys.modules, "typer", None)
    assert run(["demo"]) == 2
    captured = capsys.readouterr()
    assert captured.err == "scorewright: the command line needs typer and rich: pip install 'scorewright[cli]'\n"


def test_interrupted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Control-C: exit code 130 and one line."""

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("scorewright.cli.demo.solve", stop)
    assert run(["demo"]) == 130
    assert capsys.readouterr() == ("", "scorewright: interrupted\n")


@pytest.mark.parametrize("arguments", [["demo", "--rounds", "9"], ["demo", "--rounds", "9", "--json"]], ids=" ".join)
def test_reader_has_seen_enough(arguments: list[str]) -> None:
    """`scorewright demo | head -0` is no error."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([COMMAND, *arguments], stdout=writing, stderr=subprocess.PIPE, timeout=60, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("arguments", [["demo", "--rounds", "9"], ["demo", "--rounds", "9", "--json"]], ids=" ".join)
def test_output_is_full(arguments: list[str]) -> None:
    """An output that can't be written to: exit code 2 and one line."""
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [COMMAND, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False
        )
    assert done.returncode == 2
    assert done.stderr.startswith("scorewright: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_output_of_few_characters(encoding: str) -> None:
    """A terminal or pipe without our arrows and dashes still gets the answer."""
    done = subprocess.run(
        [COMMAND, "demo", "--rounds", "9"],
        env=os.environ | {"PYTHONIOENCODING": encoding},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"visit the company" in done.stdout
