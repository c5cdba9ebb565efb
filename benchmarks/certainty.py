"""Certainty: how often `sure` is wrong when it is asked at every round, and how soon it becomes true.

    python benchmarks/certainty.py [--runs 500] [--rounds 600]

Every run asks ``learner.sure(gap, probability)`` after every answer and stops at the first yes; it is wrong if the rule
recommended then is further than `gap` from the best. A run without a yes is not wrong.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor

import numpy as np

import scorewright as sw

CASES = {
    "look or not": (lambda rng: sw.families.make("binary_effort", cost=float(rng.uniform(0.02, 0.1))), 0.2, 0.8),
    "three_efforts": (lambda _: sw.families.make("three_efforts"), 0.35, 0.8),
    "K2 W2 M4": (lambda rng: sw.families.random(rng=rng, efforts=2, states=2, observations=2), 0.1, 0.8),
    "K2 W3 M6": (lambda rng: sw.families.random(rng=rng, efforts=2, states=3, observations=3), 0.15, 0.8),
    "K3 W2 M9": (lambda rng: sw.families.random(rng=rng), 0.3, 0.8),
}


def run(cell: tuple[str, int, int]) -> tuple[str, int | None, bool]:
    """One run: its case, the round of the first yes, and whether that was wrong."""
    case, seed, rounds = cell
    make, gap, probability = CASES[case]
    game = make(np.random.default_rng([2028, seed]))
    best = sw.solve(game).profit
    learner = sw.learn.Haggler(game.setting, rng=seed)
    rng = np.random.default_rng([2029, seed])
    for number in range(1, rounds + 1):
        offer = learner.ask()
        effort = game.respond(offer.rule)
        learner.tell(offer, effort, int(rng.choice(len(game.beliefs), p=game.information[effort])))
        if learner.sure(gap, probability):
            return case, number, game.profit(learner.recommend().rule) < best - gap
    return case, None, False


def main() -> None:
    """Print a line per case."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=600)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    cells = [(case, seed, given.rounds) for case in CASES for seed in range(given.runs // len(CASES) + 1)]
    with ProcessPoolExecutor(given.workers) as pool:
        found = list(pool.map(run, cells))
    for case, (_, gap, probability) in CASES.items():
        own = [one for one in found if one[0] == case]
        rounds = [number for _, number, _ in own if number is not None]
        when = f"at the median in round {np.median(rounds):,.0f}" if rounds else "never"
        wrong = sum(bad for _, _, bad in own)
        print(
            f"{case:14} sure({gap}, {probability}): true in {len(rounds)} of {len(own)} runs of {given.rounds:,} rounds"
            f", {when}; wrong in {wrong} (promised: at most {(1 - probability) * len(own):.0f})"
        )


if __name__ == "__main__":
    main()
