"""The examples run end to end, against a real service."""

from __future__ import annotations

import subprocess
import sys
import time
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
    """`serve --demo` prints a session with its tokens, which its own bot has begun to play; another bot may join in."""
    with Server("unused.db", free_port(), tmp_path / "log", "--demo") as server:
        facts = server.facts
        assert facts["links"] == {
            "principal": f"{server.url}/principal#token={facts['principal']}&at=/sessions/{facts['session']}",
            "agent": f"{server.url}/agent#token={facts['agent']}",
        }
        with PrincipalClient(server.url, facts["principal"]) as principal:
            before = principal.session(facts["session"])
            assert before.settled > 30
            assert before.awaiting == 4
            words = ("--agent", facts["agent"], "--meter", facts["meter"], "--rounds", "6")
            joined = run("forecaster.py", server.url, *words).count("reports")
            assert joined >= 4  # the demo's own bot may have been faster once
            standing = principal.session(facts["session"])
            assert standing.answered >= before.answered + joined
            number = standing.oldest[-1]
            done = principal.settle(facts["session"], number, 0)
            assert done.payment == done.payments[done.row][0]
            end = time.monotonic() + 60
            while principal.session(facts["session"]).answered == standing.answered:  # it goes on by itself
                assert time.monotonic() < end
                time.sleep(0.5)
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
