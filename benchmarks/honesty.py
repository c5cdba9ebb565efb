"""Honesty: how far the truth is from what Haggler's games expect, in their own standard deviations.

    python benchmarks/honesty.py [--seeds 20] [--first 0] [--rounds 100,400] [--families ...] [--workers 2]

A learner whose games are too sure of themselves writes efforts off that are better than they look. For every effort
other than the incumbent's that was ever bought, after so many rounds, it is asked how far the truth lies above the
games' mean, divided by their standard deviation: for what the effort's best rule so far earns (`now`), and for what its
best rule of all would earn (`best`, by those games in which it can be bought). If the games are honest the root mean
square is 1, and one effort in forty is better than they think by 2.
"""

from __future__ import annotations

import argparse
import copy
from concurrent.futures import ProcessPoolExecutor

import numpy as np

import scorewright as sw
from scorewright.learn.hopes import hope_for
from scorewright.learn.prospects import Incumbent, candidates
from scorewright.learn.worlds import seen_efforts

FAMILIES = sw.families.CHALLENGES
Surprise = tuple[str, int, float, float]


def run(cell: tuple[str, int, list[int]]) -> list[Surprise]:
    """One game: family, round, and the two surprises, for every effort but the incumbent's."""
    family, seed, marks = cell
    number = list(FAMILIES).index(family)
    game = FAMILIES[family](np.random.default_rng([2026, number, seed]))
    learner = sw.learn.Haggler(game.setting, sw.oracles.best_margin(game), rng=seed)
    rng, found = np.random.default_rng([2027, number, seed]), []
    for played in range(1, max(marks) + 1):
        offer = learner.ask()
        effort = game.respond(offer.rule)
        learner.tell(offer, effort, int(rng.choice(len(game.beliefs), p=game.information[effort])))
        if played in marks:
            found += [(family, played, *both) for both in surprises(game, copy.deepcopy(learner))]
    return found


def surprises(game: sw.Game, learner: sw.learn.Haggler) -> list[tuple[float, float]]:
    """What the truth is above the games' mean, in their standard deviations: best rule so far, best of all."""
    counts = learner._grown()
    learner._refit(counts)
    position = learner._position(counts, learner._number)
    incumbent, seen, solved = Incumbent.of(position), seen_efforts(counts), sw.solve(game).by_effort
    found = []
    for effort, base in incumbent.by_effort.items():
        others = candidates(position, incumbent, effort, seen)
        if effort == incumbent.effort or others is None or solved[effort] is None:
            continue
        hope = hope_for(position, incumbent, others)
        now = position.ensemble.information[:, effort] @ (position.value - position.ensemble.expected[base])
        true = game.profit(sw.Rule(position.payments[base], game.beliefs))
        if now.std() < 1e-9 * position.size:  # nothing is in doubt
            continue
        best = solved[effort].profit - (incumbent.profit + hope.lead)
        found.append(((true - now.mean()) / now.std(), best / np.hypot(hope.worth, hope.wage)))
    return found


def main() -> None:
    """Print a line per family and round."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--rounds", default="100,400", help="after which rounds to look")
    parser.add_argument("--families", default=",".join(FAMILIES))
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    marks, families = [int(part) for part in given.rounds.split(",")], given.families.split(",")
    unknown = [family for family in families if family not in FAMILIES]
    if unknown:
        parser.error(f"no family {unknown[0]!r}: choose from {', '.join(FAMILIES)}")
    cells = [(family, seed, marks) for family in families for seed in range(given.first, given.first + given.seeds)]
    with ProcessPoolExecutor(given.workers) as pool:
        found = [one for some in pool.map(run, cells) for one in some]
    print("standard deviations by which other efforts are better than they look: root mean square, > 2, > 3")
    for family in [*families, "all"]:
        for mark in marks:
            own = np.array([both for name, at, *both in found if family in (name, "all") and at == mark])
            told = "  |  ".join(
                f"{name} {np.sqrt((z**2).mean()):5.2f} {(z > 2).mean():6.1%} {(z > 3).mean():6.1%}"
                for name, z in zip(("now", "best"), own.reshape(-1, 2).T, strict=True)
                if len(z)
            )
            print(f"{family:18} round {mark:5,}  {len(own):4} efforts  {told}", flush=True)


if __name__ == "__main__":
    main()
