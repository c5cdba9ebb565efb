"""Kill -9 under load: `python benchmarks/durability.py --kills 300 --store sqlite` (or postgresql).

The server is killed at random moments while six clients play three sessions; each request is sent again after the
restart until it is acknowledged. Then the store is compared with what the clients were told, every payment with the
rule issued, and the state after the restart with a replay of the log. PostgreSQL: its address is taken from
SCOREWRIGHT_TEST_POSTGRES.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from serving import BACK_ENDS, fresh_store
from torture import Tally, torture


def main() -> None:
    """Torture, check, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--store", choices=BACK_ENDS, default="sqlite")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()

    def tick(number: int, _: Tally) -> None:
        if number % 25 == 0:
            print(f"{number} kills ...", file=sys.stderr, flush=True)

    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, fresh_store(asked.store, Path(folder)) as store:
        seen = torture(store, Path(folder), asked.kills, seed=asked.seed, tick=tick)
    acks = ", ".join(f"{count:,} {what}s" for what, count in seen.acknowledged.items())
    print(
        f"{asked.store}: {seen.kills} kills that cut {seen.cut:,} requests short; {seen.rounds:,} rounds in "
        f"{seen.sessions} sessions, acknowledged: {acks}.\n"
        f"No acknowledged step lost, none doubled, every payment as issued, state equal to the replay of the log. "
        f"({time.perf_counter() - start:.0f} s)"
    )


if __name__ == "__main__":
    main()
