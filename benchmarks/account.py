"""The account: what Haggler pays if finding out may cost less, or more, before it repays.

    python benchmarks/account.py [--seeds 40] [--first 300] [--families a,b] [--settings "as it is,no promises"]

Where a rule that was given is the best there is, whatever is spent on finding out is lost, and two plays of every given
rule are asked to be enough (`beyond`: runs that pay more, of those games). Where it is not, too little is found out,
and the learner stays with it (`late`: runs that lose more than 0.1% of the value at stake in the last 1,000 of 20,000
rounds). Nobody knows beforehand which game it is: each setting is another way to be wrong in one or the other.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any

import numpy as np
from learning import broken, play

from scorewright.learn import account, opening

FAMILIES = ("K3 W2 M9", "K2 W3", "margin .003-.007", "tied", "zero optimal", "useless effort", "skewed prior")
SETTINGS: dict[str, dict[str, float]] = {
    "no account": {"FIRST": 1e9},
    "as it is": {},
    "first plays 35%": {"PLAY": 0.35},
    "allowance 0.9": {"FIRST": 0.9},
    "promises in 30 rounds": {"REPAID": 30},
    "no promises": {"REPAID": 0, "SHARE": 0},
    "allowance 0.9, no promises": {"FIRST": 0.9, "REPAID": 0, "SHARE": 0},
}


def run(setting: str, cell: tuple[str, int]) -> dict[str, Any]:
    """One run of 20,000 rounds with other constants."""
    for name, value in {"FIRST": 1.2, "REPAID": 100, "SHARE": 0.01, **SETTINGS[setting]}.items():
        if name == "PLAY":
            opening._FIRST = value
        else:
            setattr(account, name, value)
    return play((*cell, "haggler", 20_000))


def main() -> None:
    """Run all settings on the same games and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=40)
    parser.add_argument("--first", type=int, default=300, help="the first seed")
    parser.add_argument("--families", default=",".join(FAMILIES))
    parser.add_argument("--settings", default=",".join(SETTINGS))
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    families = given.families.split(",")
    cells = [(family, seed) for family in families for seed in range(given.first, given.first + given.seeds)]
    for setting in (one for one in SETTINGS if one in given.settings):
        with ProcessPoolExecutor(given.workers) as pool:
            runs = list(pool.map(partial(run, setting), cells))
        regret = np.array([one["regret 20000"] for one in runs])
        given_is_best = [one for one in runs if 20_000 * one["fixed"] < one["plays"] / 2]
        over = [one["regret 20000"] / one["plays"] for one in given_is_best]
        late = np.mean(["late" in broken(one) for one in runs])
        print(
            f"{setting}: {len(runs)} runs, beyond {np.sum(np.array(over) > 1)} of {len(over)}, at most {max(over):.1f} times;"
        )
        print(
            f"    late losses below 0.1% in {1 - late:.1%}; mean {regret.mean():.2f}, median {np.median(regret):.2f};"
        )
        dearest = {family: max(one["regret 20000"] for one in runs if one["family"] == family) for family in families}
        mean = {
            family: np.mean([one["regret 20000"] for one in runs if one["family"] == family]) for family in families
        }
        print("    " + ", ".join(f"{family} {mean[family]:.1f} ({dearest[family]:.0f})" for family in families))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
