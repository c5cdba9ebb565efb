"""Honesty: how far the truth is from what Haggler's games expect, in their own standard deviations.

    python benchmarks/honesty.py [--seeds 20] [--first 0] [--rounds 100,400] [--families ...] [--workers 2]

A learner whose games are too sure of themselves writes efforts off that are better than they look. For every effort
other than the incumbent's that was ever bought, after so many rounds, it is asked how far the truth lies above the
games' mean, divided by their standard deviation: for what the effort's best rule so far earns (`now`), and for what its
best rule of all would earn (`best`, by those games in which it can be bought). If the games are honest the root mean
square is 1, and one effort in forty is better than they think by 2.

And whether some rule for the effort beats the incumbent is foretold by a chance, on which rests what finding out may
cost (learn/account.py): of the efforts for which the games say so much, in how many is it so?
"""

from __future__ import annotations

import argparse
import copy
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise

import numpy as np

import scorewright as sw
from scorewright.learn.hopes import hope_for
from scorewright.learn.prospects import Incumbent, candidates
from scorewright.learn.worlds import seen_efforts

FAMILIES = sw.families.CHALLENGES
Surprise = tuple[str, int, float, float, float, float]
CHANCES = (0, 0.02, 0.1, 0.25, 0.5, 1)


def run(cell: tuple[str, int, list[int]]) -> list[Surprise]:
    """One game: family, round, and what `surprises` says, for every effort but the incumbent's."""
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
            found += [(family, played, *each) for each in surprises(game, copy.deepcopy(learner))]
    return found


def surprises(game: sw.Game, learner: sw.learn.Haggler) -> list[tuple[float, float, float, float]]:
    """What the truth is above the games' mean, in their standard deviations, and the chance to beat the incumbent.

    Of the best rule so far, of the best of all, foretold, and (0 or 1) the truth.
    """
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
        lead = float(hope.chance @ hope.lead)
        spread = np.sqrt(hope.wage**2 + hope.chance @ (hope.worth**2 + (hope.lead - lead) ** 2))
        beyond = solved[effort].profit - game.profit(sw.Rule(position.payments[incumbent.rule], game.beliefs))
        best = solved[effort].profit - incumbent.profit - lead
        found.append(((true - now.mean()) / now.std(), best / spread, hope.better, float(beyond > 0)))
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
            every = [each for name, at, *each in found if family in (name, "all") and at == mark]
            own, foretold, true = np.split(np.array(every).reshape(-1, 4), [2, 3], axis=1)
            told = "  |  ".join(
                f"{name} {np.sqrt((z**2).mean()):5.2f} {(z > 2).mean():6.1%} {(z > 3).mean():6.1%}"
                for name, z in zip(("now", "best"), own.reshape(-1, 2).T, strict=True)
                if len(z)
            )
            print(f"{family:18} round {mark:5,}  {len(own):4} efforts  {told}", flush=True)
            for low, high in pairwise(CHANCES) if family == "all" else ():
                some = (foretold >= low) & ((foretold < high) | (high == 1))
                if some.any():
                    print(
                        f"    a better rule, by {low:.0%} to {high:.0%} of the games: {some.sum():4} efforts, "
                        f"{foretold[some].mean():.0%} foretold, {true[some].mean():.0%} true"
                    )


if __name__ == "__main__":
    main()
