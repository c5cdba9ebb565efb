"""OSRL-UCB against its audit, on random games: `python benchmarks/audit.py --games 300 --rounds 500`.

A third of the games each with radii scaled by 1, 0.03 and 0.005. Prints, per scale, how many rounds agree, how many
Opt-LPs had another optimum than the zero rule, and how many had none; and every disagreement.
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

SCALES = (1.0, 0.03, 0.005)


def one(job: tuple[int, int]) -> tuple[float, sw.learn.Audit, str]:
    """Play and audit one game."""
    number, rounds = job
    game = random_game(number)
    radius = sw.learn.Radius(SCALES[number % 3])
    oracle = sw.oracles.best_margin(game)
    history = play(game, sw.learn.OsrlUcb(game.setting, oracle, radius=radius), rounds, number)
    return radius.scale, sw.learn.audit(game.setting, oracle, history, radius=radius), f"game {number}, {game!r}"


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=500)
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    totals: dict[float, collections.Counter[str]] = {scale: collections.Counter() for scale in SCALES}
    with ProcessPoolExecutor(asked.workers) as pool:
        for scale, found, name in pool.map(one, [(number, asked.rounds) for number in range(asked.games)]):
            counts = {"games": 1, "passed": found.passed} | {
                part: getattr(found, part)
                for part in ("rounds", "optimised", "searched", "programs", "nonzero", "infeasible")
            }
            totals[scale].update(counts)
            if not found.passed:
                print(f"{name}: {found.disagreement}")
    for scale, counts in totals.items():
        print(f"radii x {scale:g}: " + ", ".join(f"{part} {counts[part]:,}" for part in counts))


if __name__ == "__main__":
    main()
