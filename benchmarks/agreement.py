"""The known game against an independent witness, on random games: `python benchmarks/agreement.py --games 2000`.

Prints the worst disagreement over all games and efforts, relative to max(1, bound), and the time both took. Games of up
to `task.FEW` beliefs are solved plainly, without sharing rows; `--few 6` has them shared from seven beliefs on.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
import witness


def one(job: tuple[int, int, int | None]) -> tuple[witness.Tally, float, float]:
    """Examine one game; also time our solve and the plain one."""
    import scorewright as sw
    from scorewright.optimum import levels, task

    seed, number, few = job
    if few is not None:
        levels.FEW = task.FEW = few
    game = witness.draw(np.random.default_rng([seed, number]))
    try:
        tally = witness.examine(game, np.random.default_rng([seed, number, 1]))
    except Exception as problem:
        problem.add_note(f"game {seed}/{number}: {game!r}")
        raise
    start = time.perf_counter()
    sw.solve(game)
    middle = time.perf_counter()
    for effort in range(len(game.costs)):
        witness.plain(game, effort)
    return tally, middle - start, time.perf_counter() - middle


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--few", type=int, help="share rows in games of more than this many beliefs")
    asked = parser.parse_args()
    total, ours, plain = witness.Tally(), 0.0, 0.0
    with ProcessPoolExecutor(asked.workers) as pool:
        jobs = ((asked.seed, number, asked.few) for number in range(asked.games))
        for tally, solving, plainly in pool.map(one, jobs, chunksize=20):
            total.add(tally)
            ours, plain = ours + solving, plain + plainly
            if total.games % 100 == 0:
                seen = f"uninducible {total.uninducible}, apart {total.payment:.1e}, gap {total.gap:.1e}"
                print(f"{total.games} of {asked.games}: {seen}", file=sys.stderr, flush=True)
    print(f"games {total.games}, efforts {total.efforts}, of them uninducible {total.uninducible}")
    print(f"worst disagreement with the plain formulation  {total.payment:.2e}")
    print(f"worst certificate gap                          {total.gap:.2e}")
    print(f"worst violation by a returned rule             {total.violation:.2e}")
    print(f"worst gap of a proof that nothing induces      {total.reason_gap:.2e}")
    print(f"efforts whose rule needed a step into the region to be the response: {total.mixed_responses}")
    print(f"rival rules tried {total.rivals_tried}, the best one's profit less ours   {total.best_rival:.2e}")
    print(f"time: ours {ours:.1f} s, plain dense linprog {plain:.1f} s, ratio {plain / ours:.1f}x")


if __name__ == "__main__":
    main()
