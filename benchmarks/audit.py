"""OSRL-UCB against its audit, on random games: `python benchmarks/audit.py --games 300 --rounds 300`.

The games (K 2..6, W 2..4, M up to 24) take turns at five scales of the radii, from the printed ones down to those that
make nearly every Opt-LP a real one. Prints, per scale, how many rounds agree, in how many the zero rule was not the
optimum of every Opt-LP, how many programs had no solution, how many the kernel handed to HiGHS; and every disagreement.
"""

from __future__ import annotations

import argparse
import collections
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
import scorewright as sw
from playing import play, random_game

SCALES = (1.0, 0.03, 0.005, 0.001, 0.0002)


def one(job: tuple[int, int]) -> tuple[float, sw.learn.Audit, int, str]:
    """Play and audit one game."""
    number, rounds = job
    game = random_game(number)
    radius = sw.learn.Radius(SCALES[number % len(SCALES)])
    oracle = sw.oracles.best_margin(game)
    learner = sw.learn.OsrlUcb(game.setting, oracle, radius=radius)
    history = play(game, learner, rounds, number)
    found = sw.learn.audit(game.setting, oracle, history, radius=radius)
    return radius.scale, found, learner.programs["handed"], f"game {number}, {game!r}"


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    totals: dict[float, collections.Counter[str]] = {scale: collections.Counter() for scale in SCALES}
    with ProcessPoolExecutor(asked.workers) as pool:
        for scale, found, handed, name in pool.map(one, [(number, asked.rounds) for number in range(asked.games)]):
            counts = {"games": 1, "passed": found.passed, "handed": handed} | {
                part: getattr(found, part)
                for part in ("rounds", "optimised", "nontrivial", "searched", "programs", "nonzero", "infeasible")
            }
            totals[scale].update(counts)
            if not found.passed:
                print(f"{name}: {found.disagreement}")
    for scale, counts in totals.items():
        print(f"radii x {scale:g}: " + ", ".join(f"{part} {counts[part]:,}" for part in counts))
    together: collections.Counter[str] = sum(totals.values(), collections.Counter())
    print("all: " + ", ".join(f"{part} {together[part]:,}" for part in together))


if __name__ == "__main__":
    main()
