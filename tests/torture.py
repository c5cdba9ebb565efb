"""Kill a server again and again while clients play, and check that no round was lost, doubled or mispaid.

Each client plays ask, tell, settle, with a key of its own for every request, and sends a request again, after the
restart, until it is acknowledged. What was acknowledged is noted on the client's side; the store is checked against it.
"""

from __future__ import annotations

import itertools
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import numpy as np

import scorewright as sw
from scorewright.service import issue
from scorewright.session import Session, open_store
from serving import QuickServer, free_port

GAME = sw.families.make("three_efforts")


@dataclass
class Tally:
    """What was seen."""

    kills: int = 0
    rounds: int = 0
    acknowledged: dict[str, int] = field(default_factory=lambda: {"ask": 0, "tell": 0, "settle": 0})
    cut: int = 0
    """Requests cut short by a kill, and sent again."""
    sessions: int = 0


class Player(threading.Thread):
    """A client that plays rounds of one session until it is told to stop."""

    def __init__(self, url: str, token: str, session: str, seed: int, stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self.url, self.session, self.stop = url, session, stop
        self.headers = {"Authorization": f"Bearer {token}"}
        self.rng = np.random.default_rng(seed)
        self.notes: list[tuple[str, dict[str, Any]]] = []
        self.cut = 0
        self.problem: BaseException | None = None

    def run(self) -> None:
        """Play."""
        try:
            with httpx.Client(timeout=20) as self.http:
                while not self.stop.is_set():
                    self.play()
        except BaseException as problem:
            self.problem = problem

    def play(self) -> None:
        """Play one round; others may be faster at any step."""
        offer = self.send("ask", "rounds", {})
        row = int(self.rng.integers(len(GAME.beliefs)))
        effort = GAME.respond(sw.Rule(offer["payments"], GAME.beliefs))
        told = self.send("tell", f"rounds/{offer['round']}/answer", {"effort": effort, "report": row})
        if told is not None and self.rng.random() < 0.9:
            self.send("settle", f"rounds/{offer['round']}/settle", {"state": int(self.rng.integers(2))})

    def send(self, what: str, path: str, content: dict[str, Any]) -> dict[str, Any] | None:
        """Send a request until it is answered; None if somebody else was faster."""
        headers = self.headers | {"Idempotency-Key": uuid.uuid4().hex}
        for attempt in itertools.count():
            try:
                answer = self.http.post(f"{self.url}/v1/sessions/{self.session}/{path}", json=content, headers=headers)
            except httpx.TransportError:
                self.cut += attempt == 0
                time.sleep(0.05)
                continue
            if answer.status_code == 409 and what != "ask":
                return None
            if answer.status_code != 200:
                raise AssertionError(f"{what}: {answer.status_code} {answer.text}")
            said: dict[str, Any] = answer.json()
            self.notes.append((what, said))
            return said
        return None


def torture(
    store: str,
    folder: Path,
    kills: int,
    *,
    seed: int = 0,
    players: int = 6,
    tick: Callable[[int, Tally], None] | None = None,
) -> Tally:
    """Kill the server `kills` times; raise AssertionError at the first thing that is not as it should be."""
    rng = np.random.default_rng(seed)
    sessions, token = _begin(store)
    port, log, tally, stop = free_port(), folder / "server.log", Tally(), threading.Event()
    crowd = [
        Player(f"http://127.0.0.1:{port}", token, sessions[number % len(sessions)], seed + number, stop)
        for number in range(players)
    ]
    server = QuickServer(store, port, log)
    try:
        for player in crowd:
            player.start()
        for _ in range(kills):
            if rng.random() < 0.9:  # else while it starts
                _until_heard(crowd)
            time.sleep(float(rng.uniform(0.0, 0.6)))
            server.kill()
            tally.kills += 1
            server = QuickServer(store, port, log)
            if tick is not None:
                tick(tally.kills, tally)
        stop.set()
        for player in crowd:
            player.join(60)
            assert not player.is_alive(), "a client got no answer within a minute"
            if player.problem is not None:
                raise AssertionError(f"a client failed: {player.problem!r}") from player.problem
    finally:
        stop.set()
        server.stop()
    tally.cut = sum(player.cut for player in crowd)
    tally.sessions = len(sessions)
    with open_store(store) as kept:
        for session in sessions:
            notes = [note for player in crowd if player.session == session for note in player.notes]
            check(Session.open(kept, session), notes, tally)
    return tally


def _until_heard(crowd: list[Player]) -> None:
    """Wait until somebody has got an answer from the server that runs now."""
    before, end = sum(len(player.notes) for player in crowd), time.monotonic() + 20
    while sum(len(player.notes) for player in crowd) == before and time.monotonic() < end:
        time.sleep(0.01)


def _begin(store: str) -> tuple[list[str], str]:
    with open_store(store) as kept:
        learners = [
            sw.learn.OsrlUcb(GAME.setting, sw.oracles.best_margin(GAME), radius=sw.learn.Radius(0.03)),
            sw.learn.FixedRule(GAME.setting, sw.solve(GAME).rule),
            sw.learn.Haggler(GAME.setting, rng=0),
        ]
        sessions = [Session.create(kept, learner, unit=0.01).config.id for learner in learners]
        return sessions, issue(kept, "principal")[1] or ""


def check(session: Session, notes: list[tuple[str, dict[str, Any]]], tally: Tally) -> None:
    """Compare a session's log with what its clients were told, and with itself."""
    events = session.events(0, 10**9)
    assert [event.sequence for event in events] == list(range(1, len(events) + 1)), "the log has a gap"
    steps: dict[tuple[str, int], dict[str, Any]] = {}
    for event in events[1:]:
        assert (event.kind, event.round) not in steps, f"round {event.round} was {event.kind} twice"
        steps[event.kind, event.round] = event.body
    asked, told, settled = ({n for kind, n in steps if kind == what} for what in ("asked", "told", "settled"))
    assert asked == set(range(1, len(asked) + 1))
    assert settled <= told <= asked
    acknowledged: dict[str, set[int]] = {"ask": set(), "tell": set(), "settle": set()}
    for what, said in notes:
        number = said["round"]
        acknowledged[what].add(number)
        issued = steps["asked", number]["payments"]
        assert said["payments"] == issued, f"round {number}: another rule was issued than was shown"
        if what == "tell":
            body = steps["told", number]
            assert (said["effort"], said["row"]) == (body["effort"], body["row"]), f"round {number}: another answer"
        if what == "settle":
            body = steps["settled", number]
            due = sw.Rule(issued, GAME.beliefs).pay(steps["told", number]["row"], body["state"])
            assert said["payment"] == body["payment"] == due, f"round {number}: paid otherwise than issued"
    # every request was sent until it was answered, so nothing may be in the log that nobody was told of
    assert acknowledged["tell"] == told, "an answer was lost, or kept without a word"
    assert acknowledged["settle"] == settled, "a settlement was lost, or kept without a word"
    assert acknowledged["ask"] == asked, "an offer was lost, or kept without a word"
    with session.reading() as book:
        assert book.to_dict() == session.replay().to_dict(), "the snapshot and the log disagree"
        assert book.settled == len(settled)
        assert book.missed == 0
        assert abs(book.total_paid - sum(steps["settled", number]["payment"] for number in settled)) < 1e-6
    tally.rounds += len(asked)
    for what, numbers in acknowledged.items():
        tally.acknowledged[what] += len(numbers)
