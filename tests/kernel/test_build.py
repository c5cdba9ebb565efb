"""Finding and building the library."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from scorewright.errors import KernelError
from scorewright.kernel import build, library

PLAY = """
import scorewright as sw
game = sw.families.make("three_efforts")
learner = sw.learn.OsrlUcb(game.setting, sw.oracles.best_margin(game), radius=sw.learn.Radius(0.03))
print(repr(float(sw.simulate(game, learner, 3000, rng=0).regret[-1])))
"""


def played(**environment: str) -> subprocess.CompletedProcess[str]:
    """A short run in a fresh interpreter."""
    return subprocess.run(
        [sys.executable, "-c", PLAY], env=os.environ | environment, capture_output=True, text=True, check=False
    )


@pytest.fixture
def nowhere(monkeypatch, tmp_path):
    """No library in the package, and an empty cache."""
    monkeypatch.setenv("SCOREWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(library, "__file__", str(tmp_path / "library.py"))
    library.library.cache_clear()
    yield tmp_path / "cache"
    library.library.cache_clear()


def test_it_is_built_once_into_the_cache(nowhere, monkeypatch):
    """By many at once, without harm; then it is found there."""
    with ThreadPoolExecutor(4) as pool:
        built = set(pool.map(lambda _: build.build(nowhere), range(4)))
    assert [path.name for path in nowhere.iterdir()] == [build.file_name()]
    assert built == {nowhere / build.file_name()}
    monkeypatch.setattr(build, "build", lambda _: pytest.fail("built again"))
    assert library.library().sw_mixing(3.0, 1 / 3, 1000) == pytest.approx(0.3)


def test_without_a_compiler_it_says_what_to_do(nowhere, monkeypatch):
    """And nothing is left behind by one that fails."""
    monkeypatch.setattr(build, "compiler", lambda: None)
    with pytest.raises(KernelError, match=r"no C compiler found.*ziglang"):
        library.library()
    monkeypatch.setattr(build, "compiler", lambda: [sys.executable, "-c", "raise SystemExit('broken compiler')"])
    with pytest.raises(KernelError, match="broken compiler"):
        library.library()
    assert not nowhere.exists() or not list(nowhere.iterdir())


def test_a_damaged_library_is_built_anew(nowhere):
    """A file cut short, by a full disk say, is replaced."""
    nowhere.mkdir()
    (nowhere / build.file_name()).write_bytes(b"")
    assert library.library().sw_mixing(3.0, 1 / 3, 1000) == pytest.approx(0.3)


def test_a_cache_that_can_not_be_written_is_done_without(nowhere, monkeypatch):
    """The library then lives in a temporary folder, for as long as Python does."""
    nowhere.write_text("a file where the folder should be")
    assert library.library().sw_mixing(3.0, 1 / 3, 1000) == pytest.approx(0.3)
    monkeypatch.setenv("CC", "'/no where/cc'")
    assert build.compiler() == ["/no where/cc"]


def test_the_name_follows_the_sources(monkeypatch, tmp_path):
    """A change in any of them is another library; line ends are not a change."""
    name = build.file_name()
    for path in build.SOURCE.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    monkeypatch.setattr(build, "SOURCE", tmp_path)
    assert build.file_name() == name
    with (tmp_path / "loop.c").open("a") as file:
        file.write("/* changed */\n")
    assert build.file_name() != name


def test_compiler_and_level_do_not_change_the_digits(tmp_path):
    """The same run from a library built without optimisation."""
    fast = played()
    assert fast.returncode == 0, fast.stderr
    compiler = " ".join(build.compiler() or [])
    slow = Path(tmp_path) / "cc"
    slow.write_text(f'#!/bin/sh\nexec {compiler} "$@" -O0\n')
    slow.chmod(0o755)
    folder = tmp_path / "cache"
    script = f"from pathlib import Path; from scorewright.kernel import build; build.build(Path({str(folder)!r}))"
    subprocess.run([sys.executable, "-c", script], env=os.environ | {"CC": str(slow)}, check=True)
    other = subprocess.run(
        [sys.executable, "-c", "from scorewright.kernel import library; library.__file__ = '/nowhere/x.py'\n" + PLAY],
        env=os.environ | {"SCOREWRIGHT_CACHE": str(folder), "CC": "false"}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert other.stdout == fast.stdout, other.stderr
