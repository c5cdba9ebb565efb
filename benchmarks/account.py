"""The account: what Haggler pays if finding out may cost less, or more, before it repays.

    python benchmarks/account.py [--seeds 40] [--first 300] [--settings none "as it is" ...]

Where a rule that was given is the best there is, whatever is spent on finding out is lost, and two plays of every given
rule are asked to be enough (`beyond`: runs that pay more, of those games). Where it is not, too little is found out,
and the learner stays with it (`late`: runs that lose more than 0.1% of the value at stake in the last 1,000 of 20,000
rounds). Nobody knows beforehand which game it is: each setting is another way to be wrong in one or the other. (`mean`:
the geometric mean of the regret, which single dear runs do not rule.)
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any

import numpy as np

from learning import broken, play
from scorewright.learn import account, bargaining

FAMILIES = ("K3 W2 M9", "K2 W3", "margin .003-.007", "tied", "zero optimal", "useless effort", "skewed prior")
SETTINGS: dict[str, tuple[Any, dict[str, float]]] = {
    "none": (account, {"FIRST": 1e9}),
    "as it is": (account, {}),
    "less": (account, {"FIRST": 0.5}),
    "more": (account, {"FIRST": 1.0}),
    "no reserve": (account, {"RESERVE": 1}),
    "bold": (bargaining, {"EVEN": 1.0}),
}
"""Other constants: 0.5 or 1.0 plays of each effort's rule at first instead of 0.7, all that is left for one step, and
what is limited spent on what is likelier to fail as well."""


def run(setting: str, cell: tuple[str, int]) -> dict[str, Any]:
    """One run of 20,000 rounds with other constants."""
    module, constants = SETTINGS[setting]
    for name, value in constants.items():
        setattr(module, name, value)
    return play((*cell, "haggler", 20_000))


def show(setting: str, runs: list[dict[str, Any]]) -> None:
    """Print what a setting pays."""
    paid = [run["regret 20000"] / run["plays"] for run in runs if run["fixed"] < 1e-9]
    late = np.mean(["late" in broken(run) for run in runs])
    regret: dict[str, list[float]] = {}
    for one in runs:
        regret.setdefault(one["family"], []).append(one["regret 20000"])
    beyond, most = sum(one > 1 for one in paid), max(paid, default=0.0)
    mean = np.exp(np.mean(np.log([run["regret 20000"] for run in runs])))
    print(f"{setting}: beyond {beyond} of {len(paid)}, at most {most:.1f}-fold; late {late:.1%}; mean {mean:.2f}")
    print("    " + ", ".join(f"{name} {np.mean(own):.1f} ({max(own):.0f})" for name, own in regret.items()), flush=True)


def main() -> None:
    """Run all settings on the same games."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=40)
    parser.add_argument("--first", type=int, default=300, help="the first seed")
    parser.add_argument("--settings", nargs="+", default=list(SETTINGS), choices=SETTINGS)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    if given.seeds < 1 or given.workers < 1 or given.first < 0:
        parser.error("--seeds and --workers must be 1 or more, --first 0 or more")
    cells = [(family, seed) for family in FAMILIES for seed in range(given.first, given.first + given.seeds)]
    for setting in given.settings:
        with ProcessPoolExecutor(given.workers) as pool:
            show(setting, list(pool.map(partial(run, setting), cells)))


if __name__ == "__main__":
    main()
