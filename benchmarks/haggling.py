"""Haggling: time of ask + tell, and of simulated rounds that merely exploit, beside OSRL-UCB in the same run.

python benchmarks/haggling.py
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import scorewright as sw


def asked(game: sw.Game, learner: sw.learn.Learner, rounds: int) -> np.ndarray:
    """Milliseconds of ask + tell, round by round."""
    rng, taken = np.random.default_rng(0), []
    for _ in range(rounds):
        started = time.perf_counter()
        offer = learner.ask()
        thought = time.perf_counter() - started
        effort = game.respond(offer.rule)
        report = int(rng.choice(len(game.beliefs), p=game.information[effort] / game.information[effort].sum()))
        started = time.perf_counter()
        learner.tell(offer, effort, report)
        taken.append(1e3 * (thought + time.perf_counter() - started))
    return np.array(taken)


def main() -> None:
    """Print the table."""
    print("ask + tell, ms: median, 90%, 99%, largest; total s  (oracle-free, from the first round)")
    for name, options in {
        "K3 M9": {"efforts": 3, "observations": 3},
        "K5 M30": {"efforts": 5, "observations": 6},
    }.items():
        for seed, rounds in ((1, 300), (2, 300), (3, 300), (1, 2000)):
            game = sw.families.random(rng=[1, seed], states=3, **options)
            taken = asked(game, sw.learn.Haggler(game.setting, rng=0), rounds)
            parts = ", ".join(f"{part:.3g}" for part in np.quantile(taken, [0.5, 0.9, 0.99, 1.0]))
            print(f"  {name:7} game {seed}, {rounds:5} rounds: {parts}; {taken.sum() / 1e3:.1f} s")
    print(
        "a million simulated rounds after 2,000, us per round: Haggler's own, its decisions, OSRL-UCB; ratio to its own"
    )
    for seed in range(3):
        game = sw.families.random(rng=[2, seed])
        haggler, printed = Timed(game.setting, rng=0), sw.learn.OsrlUcb(game.setting, sw.oracles.best_margin(game))
        spent = []
        for learner in (haggler, printed):
            sw.simulate(game, learner, 2000, rng=0)
            if learner is haggler:
                haggler.thought, haggler.decisions = 0.0, 0
            started = time.perf_counter()
            sw.simulate(game, learner, 1_000_000, rng=1, record="thin")
            spent.append(time.perf_counter() - started)
        own, other = spent[0] - haggler.thought, spent[1]
        print(f"  {own:.3f}, {haggler.thought:.3f} ({haggler.decisions} decisions), {other:.3f}; {own / other:.2f}")


class Timed(sw.learn.Haggler):
    """Haggler with a watch: what its decisions take, apart from the rounds played."""

    thought, decisions = 0.0, 0

    def _next(self, number: int) -> Any:
        started = time.perf_counter()
        move = super()._next(number)
        self.thought += time.perf_counter() - started
        self.decisions += 1
        return move


if __name__ == "__main__":
    main()
