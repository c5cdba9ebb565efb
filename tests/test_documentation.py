"""Every block in the README and the docs runs, in order; every file, picture and name that they point to exists."""

from __future__ import annotations

import doctest
import functools
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import scorewright as sw

HERE = Path(__file__).resolve().parent.parent
MADE = ("_build", "examples", "jupyter_execute")  # by the site's build, from other files
PAGES = [
    HERE / "README.md",
    *(page for page in sorted((HERE / "docs").rglob("*.md")) if page.relative_to(HERE / "docs").parts[0] not in MADE),
]
NAMES = [page.relative_to(HERE).as_posix() for page in PAGES]
every_page = pytest.mark.parametrize("page", PAGES, ids=NAMES)

ELSEWHERE = {
    r"run test$": "this is it",
    r"run docs$": "tests/test_site.py builds it",
    r"reproduce": "takes minutes; tests/study/test_claims.py reproduces a part",
    r"study run benchmark($| --repeats 2)": "takes hours, or minutes; docs/how-to/run-on-a-cluster.md runs a part",
    r"run game from-forecasts": "takes a minute; docs/forecasts.md and docs/how-to/design-a-payment.md run it",
    r" serve ": "waits for visitors; tests/test_examples.py and tests/service play with it",
    r"--scheduler": "there is no such cluster here; tests/contracts/test_engine.py starts one",
    r"^pip install": "would change the environment that the tests run in",
    r"^git clone": "needs a network",
}
"""Commands that are not run here, and why; that they and their options exist is checked all the same."""


def blocks(page: Path) -> list[tuple[str, str]]:
    """The fenced blocks of a page, in order: language and content."""
    return re.findall(r"^```(\w+)\n(.*?)^```", page.read_text(), flags=re.DOTALL | re.MULTILINE)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder like a fresh clone whose environment is installed, with a few files of a user's own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("COLUMNS", "110")
    for name in ("run", "pyproject.toml"):
        shutil.copy(HERE / name, tmp_path)
    (tmp_path / ".venv").mkdir()
    for part in Path(sys.prefix).iterdir():
        if not part.name.startswith(".scorewright-"):
            (tmp_path / ".venv" / part.name).symlink_to(part)
    printed = subprocess.check_output(["cksum"], input=(HERE / "pyproject.toml").read_bytes()).decode()
    for extras in set(re.findall(r"install ([a-z,]+)\n", (HERE / "run").read_text())):
        (tmp_path / ".venv" / f".scorewright-{extras}").write_text(f"{extras} {printed.strip()}")
    game = sw.families.make("three_efforts")
    for name in ("game.json", "desk.json", "mine.json"):
        game.save(tmp_path / name)
    shutil.copy(HERE / "src/scorewright/forecasts/data/heart_tests.csv", tmp_path / "table.csv")
    costs = [f"{tier},{cost}" for tier, cost in sw.forecasts.HEART_COSTS.items()]
    (tmp_path / "costs.csv").write_text("\n".join(["tier,cost", *costs]))
    (tmp_path / "answers").write_text(json.dumps({"effort": "guess", "report": [0.5, 0.5]}) + "\n")
    return tmp_path


@every_page
def test_blocks_run(page, folder):
    """The blocks of a page run one after the other, as a reader would run them, and print what the page shows.

    A program that begins with a comment that names a file is saved there, for a command to run it.
    """
    scope: dict[str, object] = {}
    printed = ""
    for number, (language, block) in enumerate(blocks(page)):
        if language == "python" and (named := re.match(r"# (\w+\.py)\b", block)):
            (folder / named[1]).write_text(block)
        elif language == "python":
            exec(compile(block, page.name, "exec"), scope)
        elif language == "sh":
            printed = run_shell(block)
        elif language == "text":
            same = doctest.OutputChecker().check_output(block, printed, doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
            assert same, f"the page shows\n{block}\nbut this was printed:\n{printed}"
        elif language == "json":
            file = folder / f"block{number}.json"
            file.write_text(json.dumps(json.loads(block)))
            assert sw.solve(sw.load(file)).profit > 0
        elif language == "toml" and "games" in tomllib.loads(block):
            (folder / "first.toml").write_text(block)
            assert sw.study.load("first.toml").learners
        else:
            assert language in ("toml", "none"), f"how is a block of {language} to be tried?"


def run_shell(block: str) -> str:
    """Run the commands of a block that can be run here; check the others. Return what was printed."""
    kept = []
    for line in block.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        if any(re.search(pattern, " ".join(words)) for pattern in ELSEWHERE):
            check_options(words)
        else:
            kept.append(line)
    shell = ["sh", "-e", "-c", "\n".join(kept)]
    done = subprocess.run(shell, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, f"{block}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def check_options(words: list[str]) -> None:
    """A command that is not run exists, and so do its options; so do the extras that are to be installed."""
    if words[:2] == ["pip", "install"]:
        extras = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]["optional-dependencies"]
        assert set(re.findall(r"[\w]+", "".join(re.findall(r"\[(.*)\]", words[-1])))) <= set(extras)
    elif words[0] in ("./run", "scorewright") and words[1] not in ("test", "docs"):
        command = words[1:3] if words[1] in ("game", "study", "session") else words[1:2]
        for option in (word for word in words if word.startswith("--")):
            assert option.partition("=")[0] in help_of(*command), " ".join(words)


@functools.cache
def help_of(*command: str) -> str:
    """What `scorewright COMMAND --help` prints."""
    return subprocess.check_output([Path(sys.executable).with_name("scorewright"), *command, "--help"], text=True)


@every_page
def test_links_lead_somewhere(page):
    """Relative links and pictures exist."""
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
        assert (page.parent / target).exists(), target


@every_page
def test_names_and_paths_are_those_of_the_code(page):
    """What a page calls `sw.something` is there, and so is every file that it says something lives in."""
    words = re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", page.read_text(), flags=re.DOTALL | re.MULTILINE))
    for word in words:
        for name in re.findall(r"\bsw((?:\.[A-Za-z_]\w*)+)", word):
            functools.reduce(getattr, name[1:].split("."), sw)
        if re.fullmatch(r"[\w/.-]+\.(py|c|h)", word) and word not in THEIRS:
            assert any((HERE / root / word).exists() for root in ROOTS), f"{page.name}: {word}"


ROOTS = ("", "src/scorewright", "src/scorewright/kernel/source")
THEIRS = ("learned.py", "mine.py", "stairs.py", "table.py")
"""Files of a reader's own."""


def test_the_readme_says_what_the_code_answers():
    """The figures in the comments of the example are the ones that it gives."""
    game = sw.families.make("three_efforts")
    solution = sw.solve(game)
    said = f"({solution.effort}, {round(solution.payment, 6)}, {round(solution.profit, 6)})"
    assert said in (HERE / "README.md").read_text()
