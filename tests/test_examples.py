"""The examples run end to end, against a real service."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from scorewright.client import PrincipalClient
from serving import Server, free_port

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


def run(name: str, *words: str) -> str:
    """Run an example; return what it printed."""
    command = [sys.executable, "-W", "error", str(EXAMPLES / name), *words]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout


def test_the_forecaster_plays_the_demo(tmp_path):
    """`serve --demo` prints a session with its tokens; the bot answers its offers; the principal sees and settles."""
    with Server("unused.db", free_port(), tmp_path / "log", "--demo") as server:
        facts = server.facts
        said = run("forecaster.py", server.url, "--agent", facts["agent"], "--meter", facts["meter"], "--rounds", "3")
        assert said.count("reports") == 3
        with PrincipalClient(server.url, facts["principal"]) as principal:
            standing = principal.session(facts["session"])
            assert (standing.answered, standing.awaiting) == (3, 3)
            assert all(one.effort is not None for one in principal.rounds(facts["session"]))
            done = principal.settle(facts["session"], 2, 0)
            assert done.payment == done.payments[done.row][0]
    assert server.process.returncode == 0
    assert not Path(facts["store"]).parent.exists()
    assert not Path("unused.db").exists()


def test_the_ai_agent(tmp_path):
    """The adapter carries a model's answers to the service; both sides agree on what was paid."""
    last = run("ai_agent.py", "--rounds", "4").splitlines()[-2]
    assert last.startswith("4 settled; paid ")
    paid, heard = last.removeprefix("4 settled; paid ").split(", the agent says ")
    assert float(paid) == pytest.approx(float(heard))
    assert list(tmp_path.iterdir()) == []
