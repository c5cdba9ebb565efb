"""Where the theorem's rate sets in: `python benchmarks/rate.py` (under two minutes on one core).

OSRL-UCB for ten million rounds on the three-effort game as printed, and with radii scaled by 0.1 on two-effort games
with large margins. Prints regret and its local exponent by decade, beside the estimate of the onset

    t = (8 B_S scale sqrt(2 log(K 2^M t)) / (K epsilon))^6,

epsilon being the least oracle margin; `--plot FILE` draws it.
"""

from __future__ import annotations

import argparse
import math
import time

import numpy as np

import scorewright as sw
from scorewright.study.claims.rates import onset

GAMES = {
    "three efforts, radii as printed": (sw.families.make("three_efforts"), 1.0),
    "two sources, radii x 0.1": (sw.families.make("two_sources"), 0.1),
    "look or not (margin 0.25), radii x 0.1": (
        sw.families.make("binary_effort", posteriors=(0.0, 1.0), cost=0.25),
        0.1,
    ),
}


def main() -> None:
    """Run, print, draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plot", help="a svg, png or pdf file")
    asked = parser.parse_args()
    runs, onsets = {}, {}
    for name, (game, scale) in GAMES.items():
        learner = sw.learn.OsrlUcb(game.setting, sw.oracles.best_margin(game), radius=sw.learn.Radius(scale))
        start = time.perf_counter()
        run = runs[name] = sw.simulate(game, learner, asked.rounds, rng=asked.seed, record="thin")
        took = time.perf_counter() - start
        onsets[name] = onset(game, scale)
        told = learner.programs
        each, kept = 1e6 * took / asked.rounds, learner.memory.tally("bytes")
        print(f"{name}: {took:.1f} s, {each:.2f} us a round, {kept:,} bytes kept")
        print(f"  regret {run.regret[-1]:,.0f}, obeyed in {run.obeyed:.1%}, onset expected at {onsets[name]:.1e}")
        print(f"  programs {told['programs']:,}, not the zero rule's {told['nonzero']:,}, handed {told['handed']}")
        decades = [10**d for d in range(2, int(math.log10(asked.rounds)) + 1)]
        at = np.interp(np.log(decades), np.log(run.round), run.regret)
        slopes = np.diff(np.log10(at))
        for low, high, regret, slope in zip(decades[:-1], decades[1:], at[1:], slopes, strict=True):
            print(f"  {low:>9,} to {high:>10,}: regret {regret:>10,.0f}, local exponent {slope:.3f}", flush=True)
    if asked.plot:
        sw.plot.save(sw.plot.rate(runs, onset=onsets), asked.plot)


if __name__ == "__main__":
    main()
