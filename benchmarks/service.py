"""The service beside a bare endpoint that does one insert: `python benchmarks/service.py --store sqlite`.

Prints, in one run on one machine: p50 and p99 of ask and tell, one client at a time, requests to either server taking
turns; rounds per second with 50 clients on one session and with 500 sessions at once, and what is in the store
afterwards; what a learner's own thinking takes, which the comparison leaves out (it is made with a learner that does
not think); and opening a session of a million rounds from its snapshot beside one of ten thousand. PostgreSQL: its
address is taken from SCOREWRIGHT_TEST_POSTGRES.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
import scorewright as sw
from bulk import bulk_session
from scorewright.service import issue
from scorewright.session import Session, open_store
from serving import BACK_ENDS, Server, free_port, fresh_store

GAME = sw.families.make("three_efforts")
ORACLE = sw.oracles.best_margin(GAME)


class Line:
    """A connection that is kept open: as little client as possible."""

    def __init__(self, port: int, token: str = "") -> None:
        self.port, self.token = port, token
        self.reader: asyncio.StreamReader | None = None

    async def post(self, path: str, content: Any) -> tuple[int, Any, float]:
        """Send a request; return status, content and seconds."""
        if self.reader is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        body = json.dumps(content).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
            f"Authorization: Bearer {self.token}\r\nIdempotency-Key: {uuid.uuid4().hex}\r\n\r\n"
        )
        start = time.perf_counter()
        self.writer.write(head.encode() + body)
        header = (await self.reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(header.split("content-length: ")[1].split("\r\n")[0])
        answer = await self.reader.readexactly(length)
        took = time.perf_counter() - start
        return int(header.split()[1]), json.loads(answer), took


class Times(dict[str, list[float]]):
    """Seconds by what was done."""

    def note(self, what: str, seconds: float) -> None:
        """Note one."""
        self.setdefault(what, []).append(seconds)

    def show(self, what: str) -> str:
        """p50 and p99 in milliseconds."""
        return f"{1e3 * statistics.median(self[what]):8.2f} {1e3 * float(np.percentile(self[what], 99)):8.2f}"


async def play(line: Line, session: str, times: Times, settled: set[tuple[str, int]]) -> None:
    """Play one round, which others may be playing too; note those whose settlement was acknowledged."""
    path = f"/v1/sessions/{session}/rounds"
    status, offer, took = await line.post(path, {})
    assert status == 200, (status, offer)
    times.note("ask", took)
    number = offer["round"]
    status, told, took = await line.post(f"{path}/{number}/answer", {"effort": 1, "report": 1})
    assert status in (200, 409), (status, told)
    times.note("tell", took)
    if status == 200:
        status, done, took = await line.post(f"{path}/{number}/settle", {"state": 0})
        assert status == 200, (status, done)
        times.note("settle", took)
        settled.add((session, number))


async def inserts(port: int, clients: int, seconds: float) -> float:
    """Return how many bare inserts a second many clients get done."""
    end, start, done = time.monotonic() + seconds, time.perf_counter(), 0

    async def one() -> None:
        nonlocal done
        line = Line(port)
        while time.monotonic() < end:
            await line.post("/notes", {"number": done, "text": "x" * 200})
            done += 1

    await asyncio.gather(*(one() for _ in range(clients)))
    return done / (time.perf_counter() - start)


async def in_turn(ours: Line, bare: Line, session: str, rounds: int) -> Times:
    """One client at a time: an insert, then a round, and again."""
    times = Times()
    for number in range(rounds + 50):
        heard = Times() if number < 50 else times  # the first ones warm up
        status, _, took = await bare.post("/notes", {"number": number, "text": "x" * 200})
        assert status == 200
        heard.note("bare insert", took)
        await play(ours, session, heard, set())
    return times


async def crowd(port: int, token: str, sessions: list[str], clients: int, seconds: float) -> tuple[Times, int, float]:
    """Many clients at once, each on its session; return times, rounds acknowledged as settled, and seconds."""
    times, end, start = Times(), time.monotonic() + seconds, time.perf_counter()
    settled: set[tuple[str, int]] = set()

    async def one(number: int) -> None:
        line = Line(port, token)
        while time.monotonic() < end:
            await play(line, sessions[number % len(sessions)], times, settled)

    await asyncio.gather(*(one(number) for number in range(clients)))
    return times, len(settled), time.perf_counter() - start


def intact(store: str, sessions: list[str], expected: int) -> None:
    """Check that nothing is lost or doubled."""
    total = 0
    with open_store(store) as kept:
        for session in sessions:
            opened = Session.open(kept, session)
            events = opened.events(0, 10**9)
            steps = [(event.kind, event.round) for event in events]
            assert len(set(steps)) == len(steps), "a step was made twice"
            assert [event.sequence for event in events] == list(range(1, len(events) + 1)), "the log has a gap"
            with opened.reading() as book:
                assert book.to_dict() == opened.replay().to_dict(), "the log and the session disagree"
                total += book.settled
    assert total == expected, f"{total} rounds settled in the store, {expected} acknowledged"


def thinking() -> None:
    """Print what learners take by themselves."""
    print("\nThinking, excluded above (ms per round: p50, p99, over rounds 1 to 300):")
    learners = {
        "fixed-rule": sw.learn.FixedRule(GAME.setting, ORACLE[1]),
        "osrl-ucb": sw.learn.OsrlUcb(GAME.setting, ORACLE, radius=sw.learn.Radius(0.03)),
        "haggler": sw.learn.Haggler(GAME.setting, rng=0),
    }
    rng = np.random.default_rng(0)
    for name, learner in learners.items():
        times = Times()
        for _ in range(300):
            start = time.perf_counter()
            offer = learner.ask()
            took = time.perf_counter() - start
            effort = GAME.respond(offer.rule)
            report = int(rng.choice(len(GAME.beliefs), p=GAME.information[effort]))
            start = time.perf_counter()
            learner.tell(offer, effort, report)
            times.note(name, took + time.perf_counter() - start)
        print(f"  {name:<12}{times.show(name)}")


def opening(store: str, long: int) -> None:
    """Print what opening a session takes, by its rounds: reading it from the store as far as the next step needs."""
    learners = {
        "haggler": lambda: sw.learn.Haggler(GAME.setting, rng=0),
        "fixed-rule": lambda: sw.learn.FixedRule(GAME.setting, ORACLE[1]),
    }
    sizes = sorted({10_000, 100_000, long})
    print("\nOpening a session from its snapshot (ms, median of 31, in turn; every hundredth round awaits settlement):")
    with open_store(store) as kept:
        for name, make in learners.items():
            made = []
            for rounds in sizes:
                start = time.perf_counter()
                made.append(bulk_session(kept, GAME, make(), rounds))
                print(f"  ({rounds:,} rounds written in {time.perf_counter() - start:.0f} s)", file=sys.stderr)
            times = Times()
            for _ in range(31):
                for rounds, session in zip(sizes, made, strict=True):
                    start = time.perf_counter()
                    standing = Session.open(kept, session).standing()
                    times.note(f"{rounds}", time.perf_counter() - start)
                    assert standing.rounds == rounds
            base = statistics.median(times["10000"])
            for rounds in sizes:
                median = statistics.median(times[f"{rounds}"])
                print(f"  {name:<12}{rounds:>9,} rounds {1e3 * median:8.2f}   {median / base:5.2f} x ten thousand")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", choices=BACK_ENDS, default="sqlite")
    parser.add_argument("--rounds", type=int, default=400, help="rounds of the comparison")
    parser.add_argument("--seconds", type=float, default=15, help="of each crowd")
    parser.add_argument("--long", type=int, default=1_000_000, help="rounds of the long session")
    parser.add_argument("--only", choices=("speed", "opening"), help="one part: opening takes minutes to prepare")
    asked = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        fresh_store(asked.store, Path(folder)) as store,
        fresh_store(asked.store, Path(folder)) as other,
    ):
        if asked.only != "opening":
            speed(asked, store, other, Path(folder))
            thinking()
        if asked.only != "speed":
            opening(store, asked.long)


def speed(asked: Any, store: str, other: str, folder: Path) -> None:
    """Start both servers and measure them."""
    with open_store(store) as kept:
        learner = sw.learn.FixedRule(GAME.setting, ORACLE[1])
        sessions = [Session.create(kept, learner).config.id for _ in range(502)]
        token = issue(kept, "principal")[1] or ""
    port, spare = free_port(), free_port()
    bare = subprocess.Popen([sys.executable, str(Path(__file__).with_name("bare.py")), other, str(spare)])
    try:
        with Server(store, port, folder / "log"):
            _measure(asked, store, sessions, token, port, spare)
    finally:
        bare.terminate()
        bare.wait()


def _measure(asked: Any, store: str, sessions: list[str], token: str, port: int, spare: int) -> None:
    while True:
        try:
            asyncio.run(Line(spare).post("/notes", {"number": 0, "text": ""}))
            asyncio.run(Line(port, token).post(f"/v1/sessions/{sessions[0]}/rounds", {}))
            break
        except OSError:
            time.sleep(0.1)
    print(f"{asked.store}, {os.cpu_count()} cores (clients and servers share them). Milliseconds, one client: p50, p99")
    times = asyncio.run(in_turn(Line(port, token), Line(spare), sessions[0], asked.rounds))
    base = statistics.median(times["bare insert"])
    for what in ("bare insert", "ask", "tell", "settle"):
        print(f"  {what:<12}{times.show(what)}   {statistics.median(times[what]) / base:5.2f} x the bare insert")
    for title, some, clients in (
        ("50 clients on one session", sessions[1:2], 50),
        ("500 sessions at once", sessions[2:], 500),
    ):
        times, settled, took = asyncio.run(crowd(port, token, some, clients, asked.seconds))
        intact(store, some, settled)
        requests = sum(map(len, times.values()))
        bare = asyncio.run(inserts(spare, clients, asked.seconds / 3))
        print(f"\n{title}: {settled / took:,.0f} rounds/s and {requests / took:,.0f} requests/s "
              f"({settled:,} rounds in {took:.0f} s); bare inserts: {bare:,.0f}/s. ms p50, p99:")  # fmt: skip
        for what in ("ask", "tell", "settle"):
            print(f"  {what:<12}{times.show(what)}")
        print("  nothing lost, nothing doubled, no error")


if __name__ == "__main__":
    main()
