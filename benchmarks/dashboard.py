"""Time to the first picture of a long session beside a short one: `python benchmarks/dashboard.py`.

Starts the service, opens the principal's view of a session of ten thousand rounds and of one of a million in Chromium,
in turn, and prints the time from the start of the navigation until the first picture is drawn, and until all data
are there; then the same with the service started anew before each view, so that it has to read the snapshot. Making
the long session takes a while; --keep FILE keeps the store for the next time.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
import scorewright as sw
from browser import chromium
from bulk import bulk_session
from scorewright.service import issue
from scorewright.session import catalogue, open_store
from serving import Server, free_port

GAME = sw.families.make("three_efforts")

_MARK = "performance.getEntriesByName('{}')[0].startTime"


def prepare(store: str, sizes: tuple[int, ...]) -> tuple[dict[int, str], str]:
    """Make the sessions that are not there yet; return them by their rounds, and a principal's token."""
    with open_store(store) as kept:
        there = {entry.name: entry.id for entry in catalogue(kept)}
        for rounds in sizes:
            if f"{rounds}" not in there:
                print(f"making a session of {rounds:,} rounds ...", file=sys.stderr)
                there[f"{rounds}"] = bulk_session(
                    kept, GAME, sw.learn.Haggler(GAME.setting, rng=0), rounds, name=f"{rounds}"
                )
        return {rounds: there[f"{rounds}"] for rounds in sizes}, issue(kept, "principal")[1] or ""


def view(browser: Any, url: str, token: str, session: str) -> tuple[float, float]:
    """Open a session's view as a newcomer does; return milliseconds to the first picture, and to all data."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    try:
        page = context.new_page()
        page.goto(f"{url}/principal#token={token}&at=/sessions/{session}")
        page.wait_for_selector("html[data-drawn]", timeout=120_000)
        return page.evaluate(_MARK.format("picture")), page.evaluate(_MARK.format("whole"))
    finally:
        context.close()


def show(title: str, taken: dict[int, list[tuple[float, float]]]) -> None:
    """Print medians and ratios."""
    print(f"{title} (median of {len(next(iter(taken.values())))}, in turn; ms):")
    first = {rounds: statistics.median(one for one, _ in times) for rounds, times in taken.items()}
    whole = {rounds: statistics.median(other for _, other in times) for rounds, times in taken.items()}
    for rounds in taken:
        print(f"  {rounds:>9,} rounds   first picture {first[rounds]:7.0f}   all data {whole[rounds]:7.0f}")
    short, long = taken
    print(f"  ratio              first picture {first[long] / first[short]:7.2f}   "
          f"all data {whole[long] / whole[short]:7.2f}")  # fmt: skip


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", type=int, default=10_000)
    parser.add_argument("--long", type=int, default=1_000_000)
    parser.add_argument("--times", type=int, default=9)
    parser.add_argument("--keep", type=Path, help="a store file to make the sessions in, or to find them in")
    asked = parser.parse_args()
    sizes = (asked.short, asked.long)
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        store = str(asked.keep or Path(folder, "long.db"))
        sessions, token = prepare(store, sizes)
        warm: dict[int, list[tuple[float, float]]] = {rounds: [] for rounds in sizes}
        with Server(store, free_port(), Path(folder, "log")) as server:
            for number in range(asked.times + 1):
                for rounds in sizes:
                    taken = view(browser, server.url, token, sessions[rounds])
                    if number:  # the first ones warm up
                        warm[rounds].append(taken)
        show("A service that has served the session before", warm)
        cold: dict[int, list[tuple[float, float]]] = {rounds: [] for rounds in sizes}
        for _ in range(asked.times):
            for rounds in sizes:
                with Server(store, free_port(), Path(folder, "log")) as server:
                    cold[rounds].append(view(browser, server.url, token, sessions[rounds]))
        show("A service just started", cold)


if __name__ == "__main__":
    main()
