"""Schemathesis over the service's OpenAPI document: `python benchmarks/fuzz.py --cases 20000`."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
import scorewright as sw
from fuzzing import Place, fuzz
from scorewright.service import issue
from scorewright.session import Session, open_store
from serving import BACK_ENDS, Server, free_port, fresh_store


def main() -> None:
    """Knock, check, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--store", choices=BACK_ENDS, default="sqlite")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    game = sw.families.make("three_efforts")
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, fresh_store(asked.store, Path(folder)) as store:
        with open_store(store) as kept:
            session = Session.create(kept, sw.learn.FixedRule(game.setting, sw.solve(game).rule)).config.id
            roles = [issue(kept, "principal")[1]] * 2
            roles += [issue(kept, role, session=session)[1] for role in ("agent", "meter")]
            spare = issue(kept, "monitor")[0].id
        with Server(store, free_port(), Path(folder, "log")) as server:
            place = Place(server.url, (*roles, None), session, spare)
            seen = fuzz(place, asked.cases, start=asked.seed, tick=lambda n: print(n, "...", file=sys.stderr))
    answers = ", ".join(f"{count:,} x {status}" for status, count in sorted(seen.items()))
    print(f"{seen.total():,} cases, no 5xx, no undocumented answer: {answers} ({time.perf_counter() - start:.0f} s)")


if __name__ == "__main__":
    main()
