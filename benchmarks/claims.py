"""The first claims of the paper, measured: `python benchmarks/claims.py`.

Coverage, optimism and compliance of OSRL-UCB over many runs; rounds that the two oracles need, beside their promise;
and the hard instance, where without an oracle nothing is learned.
"""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
import scorewright as sw
from playing import decaying, random_game

BUDGET, DRAWS = 3000, 200
"""Rounds that random sampling may use, and rules drawn to measure the volume of a region."""


def confidence(runs: int, rounds: int) -> None:
    """Coverage, optimism and compliance, at the printed radii and at smaller ones."""
    print(f"coverage, optimism, compliance ({runs} runs x {rounds} rounds)")
    settings = [("random games, printed radii", None, 1.0), ("random games, radii x 0.3", None, 0.3)]
    certain = sw.Game([[0.5, 0.5], [1, 0]], [[1, 0], [0, 1]], [0, 0.25], [[1, 0], [0, 1]], 1.0)
    settings += [("two efforts, certain reports, margin 0.25, radii x 0.002", certain, 0.002)]
    for name, fixed, scale in settings:
        covered = optimise = optimistic = good_rounds = premises = broken = deviations = 0
        for number in range(runs):
            game = fixed or random_game(number, most=10)
            oracle = sw.oracles.best_margin(game)
            margin = min(sw.margin(game, k).value for k in range(len(game.costs)))
            solution = sw.solve(game)
            gaps = game.costs[:, None] - game.costs[None, :]
            learner = sw.learn.OsrlUcb(game.setting, oracle, radius=sw.learn.Radius(scale))
            rng = np.random.default_rng(number)
            for time in range(1, rounds + 1):
                offer = learner.ask()
                effort = game.respond(offer.rule)
                if offer.phase == "optimise":
                    now = learner.estimates()
                    near = np.abs(now.information - game.information).sum(axis=1) <= now.radius + 1e-12
                    good = near.all() and (np.abs(now.cost_gap - gaps) <= now.cost_radius + 1e-12).all()
                    optimise += 1
                    covered += good
                    if good:
                        good_rounds += 1
                        optimistic += offer.index[solution.effort] >= solution.profit - 1e-9
                    target = offer.target
                    spread = now.cost_radius[target] + game.bound * (now.radius + now.radius[target])
                    needed = 2 / margin * np.delete(spread, target).max()
                    deviations += effort != target
                    if min(len(oracle) * time ** (-1 / 3), 1.0) >= needed and good:
                        premises += 1
                        broken += effort != target
                chances = game.information[effort]
                learner.tell(offer, effort, int(rng.choice(len(chances), p=chances / chances.sum())))
        print(f"  {name}: optimise rounds {optimise:,}")
        print(f"    every estimate within its radius: {covered / optimise:.4%} of them (promised: at least 1 - 1/t)")
        print(f"    index of the best effort at least the optimum, when so: {optimistic:,} of {good_rounds:,}")
        sys.stdout.flush()
        print(f"    deviations: {deviations:,}; premise alpha >= Delta held in {premises:,}, broken then {broken:,}")


def acquisition(runs: int) -> None:
    """Rounds used by the oracles beside what the paper promises."""
    print("oracles")
    used, promised, found = [], [], 0
    for seed in range(runs):
        game = sw.families.random(rng=[9, seed], efforts=2, observations=2)
        named = sw.Game(game.beliefs, game.information, game.costs, game.utility, game.bound, efforts=("a", "b"))
        strength = 0.1 * sw.rules.quadratic(game.beliefs, game.bound).strength
        learner = sw.learn.OsrlUcb(named.setting, sw.oracles.RandomSampling(strength, rounds=BUDGET), rng=seed)
        kappa = learner._acquisition.kappa
        sampler = sw.rules.Sampler(game.beliefs, game.bound, strength, kappa)
        answers = []
        for draw in range(DRAWS):
            surplus = game.surplus(sampler.draw([seed, draw]))
            answers.append(int(np.argmax(surplus)) if abs(np.diff(surplus)[0]) >= kappa else -1)
        share = min(answers.count(k) for k in range(2)) / DRAWS
        rounds = _acquire(named, learner, BUDGET, seed)
        found += not learner.missing
        if share > 0:
            used.append(rounds)
            promised.append(len(game.beliefs) * 2 * math.log(2) / share)
    ratio = np.array(used) / np.array(promised)
    print(f"  random sampling: all efforts found in {found} of {runs} games")
    print(f"    rounds used, median {np.median(used):.0f} (most {max(used)}); over M K log K / eta:")
    print(f"    median {np.median(ratio):.2f}, most {ratio.max():.2f} ({len(used)} games with a measured eta > 0)")
    complete, shares = 0, []
    for seed in range(runs):
        game, epsilon, b = decaying(seed + 100)
        learner = sw.learn.OsrlUcb(game.setting, sw.oracles.LinearSearch(10_000, epsilon, b))
        rounds = _acquire(game, learner, 10_000, seed)
        efforts = len(game.costs)
        reach = min(2 / epsilon, game.bound / game.utility.max())
        shares.append(rounds / (2 + (efforts - 1) * math.ceil(math.log2(2 * reach * b * (b - epsilon) / epsilon))))
        complete += len(learner.oracle) == efforts and not learner.missing
    print(f"  linear search: all efforts found in {complete} of {runs} games; rounds over 2 + (K - 1) depth: "
          f"median {np.median(shares):.2f}, most {max(shares):.2f}")  # fmt: skip


def _acquire(game: sw.Game, learner: sw.learn.OsrlUcb, most: int, seed: int) -> int:
    """Play until the acquisition is over; return the rounds that it took."""
    rng = np.random.default_rng(seed)
    for count in range(most + 1):
        offer = learner.ask()
        if offer.phase != "oracle":
            return count
        effort = game.respond(offer.rule)
        chances = game.information[effort]
        learner.tell(offer, effort, int(rng.choice(len(chances), p=chances / chances.sum())))
    return most


def impossible() -> None:
    """The hard instance without an oracle."""
    game = sw.families.make("hard_instance", e1=-0.25)
    others = max(found.profit for found in sw.solve(game).by_effort if found is not None and found.effort != 1)
    print(
        f"hard instance without an oracle: effort 1 earns 76, no other more than {others:.4f}, so that a learner that"
    )
    print(f"never finds its region loses at least {76 - others:.4f} a round, however long it plays")
    bare = sw.Game(game.beliefs, game.information, game.costs, game.utility, game.bound, game.penalty)
    for budget in (20, 100, 500):
        row = []
        for horizon in (1000, 2000, 4000, 8000):
            learner = sw.learn.OsrlUcb(bare.setting, sw.oracles.RandomSampling(0.05, rounds=budget), rng=budget)
            run = sw.simulate(bare, learner, horizon, rng=horizon)
            last = run.regret[-1] - run.regret[horizon // 2 - 1]
            row.append(f"{horizon:,}: {run.regret[-1] / horizon:.3f} ({last / (horizon - horizon // 2):.3f})")
        print(f"  sampling budget {budget}: regret per round (in the second half) at T = " + ", ".join(row))
    thin = sw.families.make("hard_instance", e1=-0.5, penalty=0.0)
    sampler = sw.rules.Sampler(thin.beliefs, 1.0, 0.0)
    ours = np.array([sampler.draw([1, i]).expected for i in range(6000)])
    exact = np.concatenate([_uniform(thin.beliefs, batch) for batch in range(10)])
    print(f"  chance that a random rule induces effort 1, against width (walk: {len(ours):,} rules; "
          f"exact volume: {len(exact):,})")  # fmt: skip
    points = []
    for width in (1.0, 0.7, 0.5, 0.35, 0.25, 0.15):
        wide = sw.families.make("hard_instance", e1=-0.5, width=width, penalty=0.0)
        hit = [float(np.mean((s @ wide.information.T - wide.costs).argmax(axis=1) == 1)) for s in (ours, exact)]
        points.append((width, hit[1]))
        print(f"    width {width:.2f}: walk {hit[0]:.5f}, volume {hit[1]:.5f}")
    kept = [(math.log(w), math.log(p)) for w, p in points if p > 0]
    print(f"    fitted exponent of the volume in the width: {np.polyfit(*zip(*kept, strict=True), 1)[0]:.2f}")


def _uniform(beliefs: np.ndarray, seed: int) -> np.ndarray:
    """Expected payments of rules drawn from the box and kept if proper: exactly uniform on the class."""
    box = np.random.default_rng(seed).random((400_000, *beliefs.shape))
    gains = np.einsum("iw,njw->nij", beliefs, box)
    proper = (np.diagonal(gains, axis1=1, axis2=2)[:, :, None] >= gains - 1e-12).all(axis=(1, 2))
    return np.einsum("iw,niw->ni", beliefs, box[proper])


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=400)
    asked = parser.parse_args()
    confidence(asked.runs, asked.rounds)
    acquisition(min(asked.runs, 20))
    impossible()


if __name__ == "__main__":
    main()
