"""The compiled loop beside the naive one, in one run: `python benchmarks/loop.py` (ten minutes; `--quick` for one).

The naive loop is the audit: a cold linear program per effort and a scan of the whole history in every optimise round.
It is timed on a sample of the rounds of the very run that the compiled loop plays (and so checks them on the way).

Prints: time per round with K = 3, M = 9, T = 20,000 at several scales of the radii; time per optimise round with K = 8,
M = 40, W = 5; and how time per round and memory grow with T up to two million.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

import scorewright as sw
from scorewright.learn.witness import Witness


def asked(game: sw.Game, learner: sw.learn.OsrlUcb, rounds: int) -> list[tuple[sw.learn.Offer, int, int]]:
    """The run that `simulate` plays with seed 0, asked and told round by round."""
    rng = np.random.default_rng(0)
    sums = np.cumsum(game.information, axis=1)
    history = []
    for _ in range(rounds):
        offer = learner.ask()
        effort = game.respond(offer.rule)
        report = int(np.searchsorted(sums[effort], rng.random(2)[0] * sums[effort, -1], side="right"))
        learner.tell(offer, effort, report)
        history.append((offer, effort, report))
    return history


def compiled(
    game: sw.Game, oracle: Any, scale: float, rounds: int, repeats: int = 3
) -> tuple[float, sw.learn.OsrlUcb, Any]:
    """Seconds that `simulate` takes, all included (the median of some); the learner and the run."""
    seconds = []
    for _ in range(repeats):
        learner = sw.learn.OsrlUcb(game.setting, oracle, radius=sw.learn.Radius(scale))
        start = time.perf_counter()
        run = sw.simulate(game, learner, rounds, rng=0, record="thin")
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds), learner, run


class Timed:
    """A history that notes how long the audit takes over each round."""

    def __init__(self, history: Iterable[tuple[sw.learn.Offer, int, int]]) -> None:
        self.history, self.seconds, self.phases = history, [], []

    def __iter__(self) -> Iterator[tuple[sw.learn.Offer, int, int]]:
        """Hand out rounds; the time until the next is asked for is what this one took."""
        for offer, effort, report in self.history:
            start = time.perf_counter()
            yield offer, effort, report
            self.seconds.append(time.perf_counter() - start)
            self.phases.append(offer.phase)


class Programs:
    """While open, notes how long each of the audit's programs takes: the naive loop without its scan."""

    def __enter__(self) -> list[float]:
        """Begin."""
        self.solve, seconds = Witness._program, []

        def timed(witness: Witness, *facts: Any) -> float | None:
            start = time.perf_counter()
            found = self.solve(witness, *facts)
            seconds.append(time.perf_counter() - start)
            return found

        Witness._program = timed  # type: ignore[method-assign]
        return seconds

    def __exit__(self, *problem: object) -> None:
        """Put things back."""
        Witness._program = self.solve  # type: ignore[method-assign]


def naive(game: sw.Game, oracle: Any, scale: float, rounds: int, every: int) -> tuple[float, float, float]:
    """Seconds of the audit per round, per optimise round, and of its programs per round, on a sample of a run."""
    radius = sw.learn.Radius(scale)
    history = Timed(asked(game, sw.learn.OsrlUcb(game.setting, oracle, radius=radius), rounds))
    with Programs() as programs:
        found = sw.learn.audit(game.setting, oracle, history, radius=radius, every=every)
    if not found.passed:
        raise SystemExit(f"the audit disagrees: {found.disagreement}")
    checked = list(zip(history.seconds, history.phases, strict=True))[::every]
    optimise = [seconds for seconds, phase in checked if phase == "optimise"]
    share = sum(phase == "optimise" for phase in history.phases) / rounds
    alone = statistics.fmean(programs) * len(game.costs) * share
    return statistics.fmean(seconds for seconds, _ in checked), statistics.fmean(optimise), alone


def small(games: int, every: int) -> None:
    """K = 3, M = 9, T = 20,000."""
    print("K = 3, M = 9, W = 2, T = 20,000: microseconds per round")
    print("radii x   game                 naive  (programs alone)  compiled    ratio  (to programs alone)", end="")
    print("   optimise rounds, real programs, handed to HiGHS")
    for scale in (1.0, 0.1, 0.03, 0.005):
        ratios, sparing = [], []
        for seed in range(games):
            support = ("disjoint", "nested", "shared")[seed % 3]
            size = 3 if support == "disjoint" else 9
            game = sw.families.random(rng=seed, efforts=3, observations=size, support=support)
            oracle = sw.oracles.best_margin(game)
            slow, _, alone = naive(game, oracle, scale, 20_000, every)
            fast, learner, run = compiled(game, oracle, scale, 20_000)
            ratios.append(slow / (fast / 20_000))
            sparing.append(alone / (fast / 20_000))
            told, each = learner.programs, 1e6 * fast / 20_000
            real = told["nonzero"] + told["infeasible"]
            print(
                f"{scale:7g}   {support:8} seed {seed:2} {1e6 * slow:11,.0f} {1e6 * alone:17,.0f} {each:9.2f}"
                f" {ratios[-1]:8,.0f} {sparing[-1]:20,.0f}"
                f"   {run.phases['optimise']:,}, {real:,}, {told['handed']}",
                flush=True,
            )
        print(f"{scale:7g}   ratio: median {statistics.median(ratios):,.0f}, least {min(ratios):,.0f};", end=" ")
        print(f"to programs alone: median {statistics.median(sparing):,.0f}, least {min(sparing):,.0f}\n", flush=True)


def large(rounds: int, sample: int) -> None:
    """K = 8, M = 40, W = 5."""
    print(f"K = 8, M = 40, W = 5, T = {rounds:,}: milliseconds per optimise round (naive: the first {sample})")
    for support, size in (("disjoint", 5), ("shared", 40)):
        game = sw.families.random(rng=5, efforts=8, states=5, observations=size, support=support)
        oracle = sw.oracles.best_margin(game)
        for scale in (1.0, 0.03, 0.005):
            _, slow, _ = naive(game, oracle, scale, 8 + sample, 1)
            fast, learner, run = compiled(game, oracle, scale, rounds, 1)
            start, _, first = compiled(game, oracle, scale, 108, 1)
            told, each = learner.programs, fast / run.phases["optimise"]
            real, early = told["nonzero"] + told["infeasible"], start / first.phases["optimise"]
            print(
                f"{scale:7g}   {support:8} naive {1e3 * slow:6.0f}   compiled {1e3 * each:7.3f}"
                f"   ratio {slow / each:8,.0f}   real programs {real:,}, handed {told['handed']}"
                f"   (first 100 rounds alone: ratio {slow / early:,.0f})",
                flush=True,
            )
    print()


def growth(games: int, longest: int) -> None:
    """Time per round and memory against T."""
    print("Growth with T: microseconds per round, kilobytes kept by the learner; the ratio is longest to T = 20,000")
    for scale in (1.0, 0.1, 0.03):
        ratios = []
        for number in range(games):
            game = (
                sw.families.make("three_efforts")
                if number == 0
                else sw.families.random(rng=number - 1, efforts=3, observations=3)
            )
            oracle = sw.oracles.best_margin(game)
            cells = []
            for rounds in (20_000, 200_000, longest):
                seconds, learner, _ = compiled(game, oracle, scale, rounds, 3 if rounds < 100_000 else 1)
                cells.append((1e6 * seconds / rounds, learner.memory.tally("bytes") / 1000))
            ratios.append(cells[-1][0] / cells[0][0])
            name = "three_efforts" if number == 0 else f"random, M = 9, {number - 1}"
            row = "   ".join(f"{micro:5.2f} us {kilo:7.0f} kB" for micro, kilo in cells)
            print(f"{scale:7g}   {name:18} {row}   ratio {ratios[-1]:.2f}", flush=True)
        print(f"{scale:7g}   ratio: mean {statistics.fmean(ratios):.2f}, most {max(ratios):.2f}\n", flush=True)


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer games, a smaller sample, T up to 200,000")
    quick = parser.parse_args().quick
    small(2 if quick else 6, 499 if quick else 97)
    large(2_000 if quick else 20_000, 4)
    growth(2 if quick else 6, 400_000 if quick else 2_000_000)


if __name__ == "__main__":
    main()
