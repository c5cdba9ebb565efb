"""Large games, beside the plain formulation: `python benchmarks/solve.py [compare|growth|tables]`.

Every measurement is a process of its own, one after the other, on the same games: seconds of processor time (and by the
clock), peak memory, the certificate's gap and its largest violation.

- compare: the plain formulation (scipy's linprog, sparse, a row for every ordered pair of beliefs) and `sw.solve`;
- growth: `sw.solve` against the number of beliefs, states and efforts, as a picture (`--plot`);
- tables: games with a belief per item from the forecast tables in ../shared/data, where they are at hand.
"""

from __future__ import annotations

import argparse
import csv
import functools
import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve()
TABLES = HERE.parents[2] / "shared" / "data"

Case = tuple[int, int, int, str]
"""Beliefs, states, efforts and the kind of supports."""


def drawn(case: Case, seed: int = 0) -> Any:
    """The random game of a case."""
    import scorewright as sw

    beliefs, states, efforts, support = case
    observations = beliefs // efforts if support == "disjoint" else beliefs
    return sw.families.random(rng=seed, efforts=efforts, states=states, observations=observations, support=support)


def plain(game: Any) -> dict[str, Any]:
    """The payments of every effort, from the textbook formulation."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_array, vstack

    beliefs, information, costs = game.beliefs, game.information, game.costs
    count, states = beliefs.shape
    i, j = np.nonzero(~np.eye(count, dtype=bool))
    every = np.arange(states)
    columns = np.concatenate([i[:, None] * states + every, j[:, None] * states + every], axis=1)
    entries = np.concatenate([-beliefs[i], beliefs[i]], axis=1)
    rows = np.repeat(np.arange(len(i)), 2 * states)
    proper = csr_array((entries.ravel(), (rows, columns.ravel())), shape=(len(i), beliefs.size))
    payments = []
    for effort in range(len(costs)):
        rivals = np.delete(np.arange(len(costs)), effort)
        better = ((information[rivals] - information[effort])[:, :, None] * beliefs).reshape(len(rivals), -1)
        found = linprog(
            (information[effort][:, None] * beliefs).ravel(),
            A_ub=vstack([proper, csr_array(better)]),
            b_ub=np.concatenate([np.zeros(len(i)), costs[rivals] - costs[effort]]),
            bounds=(0, game.bound),
            method="highs",
        )
        payments.append(found.fun if found.status == 0 else None)
    return {"payments": payments}


def ours(game: Any) -> dict[str, Any]:
    """The same from `sw.solve`, and its certificates."""
    import scorewright as sw

    solution = sw.solve(game)
    proofs = [found.certificate for found in solution.by_effort if found is not None]
    return {
        "payments": [None if found is None else found.payment for found in solution.by_effort],
        "gap": max(proof.gap for proof in proofs),
        "violation": max(proof.violation for proof in proofs),
    }


def table(name: str) -> dict[str, Any]:
    """Read a table (import pandas, then read it), and the game with a belief per item; solve it."""
    start, clock = time.process_time(), time.perf_counter()
    import pandas as pd

    imported = time.process_time()
    frame = pd.read_csv(TABLES / f"{name}.csv")
    read, read_clock = time.process_time(), time.perf_counter()
    game = from_table(TABLES / f"{name}.csv")
    began, began_clock = time.process_time(), time.perf_counter()
    found = ours(game)
    return found | {
        "beliefs": len(game.beliefs),
        "rows": len(frame),
        "importing": imported - start,
        "reading": read - imported,
        "both": read_clock - clock,
        "solving": time.process_time() - began,
        "solving_clock": time.perf_counter() - began_clock,
    }


def from_table(path: Path) -> Any:
    """The game of a forecast table: a belief per distinct forecast, an effort per tier, costs that grow squarely."""
    import scorewright as sw

    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    states = [name for name in rows[0] if name.startswith("p_")]
    tiers = list(dict.fromkeys(row["tier"] for row in rows))
    forecasts = np.array([[float(row[state]) for state in states] for row in rows])
    forecasts /= forecasts.sum(axis=1, keepdims=True)
    tier = np.array([tiers.index(row["tier"]) for row in rows])
    beliefs, which = np.unique(forecasts, axis=0, return_inverse=True)
    counts = [np.bincount(which.ravel()[tier == k], minlength=len(beliefs)) for k in range(len(tiers))]
    information = np.array(counts) / np.sum(counts, axis=1, keepdims=True)
    costs = 0.05 * np.linspace(0, 1, len(tiers)) ** 2
    return sw.Game(beliefs, information, costs, np.eye(len(states)), bound=1.0, efforts=tiers)


def measured(what: str, *words: Any) -> dict[str, Any]:
    """One measurement in a process of its own."""
    command = [sys.executable, str(HERE), "one", what, *map(str, words)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def one(what: str, words: list[str]) -> None:
    """Measure in this process and print JSON."""
    if what == "table":
        found = table(words[0])
    else:
        game = drawn((int(words[0]), int(words[1]), int(words[2]), words[3]))
        solver = {"plain": plain, "ours": ours}[what]
        if what == "plain":
            import scipy.optimize  # noqa: F401  (loading is not what is measured)
        else:
            import highspy  # noqa: F401
        cpu, clock = time.process_time(), time.perf_counter()
        found = solver(game)
        found |= {"cpu": time.process_time() - cpu, "clock": time.perf_counter() - clock}
    found["peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(json.dumps(found))


def show(case: Case, who: str, found: dict[str, Any]) -> None:
    """One line of the comparison."""
    beliefs, states, efforts, support = case
    proof = f"gap {found['gap']:.0e}, violation {found['violation']:.0e}" if "gap" in found else ""
    print(
        f"M {beliefs:5d}  W {states}  K {efforts}  {support:9s} {who:6s} {found['cpu']:8.2f} s processor "
        f"{found['clock']:8.2f} s clock  {found['peak']:6.0f} MB  {proof}",
        flush=True,
    )


def shown(case: Case, who: str) -> tuple[Case, dict[str, Any]]:
    """Measure one case and print it."""
    found = measured(who, *case)
    show(case, who, found)
    return case, found


def compare() -> None:
    """Side by side where the plain formulation can, and beyond."""
    slow: dict[str, Any] = {}
    for case, wanted in (((200, 5, 5, "shared"), 15), ((300, 5, 5, "disjoint"), 100)):
        plainly, mine = shown(case, "plain")[1], shown(case, "ours")[1]
        pairs = list(zip(plainly["payments"], mine["payments"], strict=True))
        if any((a is None) != (b is None) for a, b in pairs):
            raise SystemExit("plain and ours disagree on what can be induced")
        apart = max(abs(a - b) for a, b in pairs if a is not None)
        ratio = plainly["cpu"] / mine["cpu"]
        print(f"  {ratio:.0f}x faster (wanted {wanted}x); payments agree to {apart:.0e}", flush=True)
        slow = plainly
    for case, share in (((5000, 2, 5, "disjoint"), 20), ((5000, 5, 5, "disjoint"), 1)):
        mine = shown(case, "ours")[1]
        print(
            f"  {mine['cpu'] / slow['cpu']:.3f} of the plain formulation at M = 300 (wanted {1 / share:g})", flush=True
        )


def growth(path: Path | None, most: int, asked_plainly: int) -> None:
    """Seconds against M, W and K; the plain formulation up to `asked_plainly` beliefs."""
    sizes = [size for size in (50, 100, 200, 400, 800, 1600, 3200, 5000) if size <= most]
    sweeps = {
        "beliefs": [(size, 5, 5, "disjoint") for size in sizes],
        "states": [(200, states, 5, "disjoint") for states in (2, 3, 4, 5, 6, 8)],
        "efforts": [(200, 5, efforts, "disjoint") for efforts in (2, 3, 5, 8, 12)],
    }
    curves = {name: [shown(case, "ours") for case in cases] for name, cases in sweeps.items()}
    slow = [shown(case, "plain") for case in sweeps["beliefs"] if case[0] <= asked_plainly]
    if path is not None:
        draw(path, curves, slow)
        print(f"drew {path}")


def draw(path: Path, curves: dict[str, Any], slow: list[Any]) -> None:
    """Three panels, one per size that grows."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, 3, figsize=(10, 3.2), sharey=True, layout="constrained")
    fixed = {"beliefs": "5 states, 5 efforts", "states": "200 beliefs, 5 efforts", "efforts": "200 beliefs, 5 states"}
    for number, (axis, (name, cases)) in enumerate(zip(panels, curves.items(), strict=True)):
        sizes = [case[number] for case, _ in cases]
        axis.plot(sizes, [found["cpu"] for _, found in cases], "o-", color="#1b6ca8", label="scorewright")
        if name == "beliefs":
            axis.plot([c[0] for c, _ in slow], [f["cpu"] for _, f in slow], "s--", color="#c0504d", label="plain")
            axis.set_xscale("log")
            axis.legend(frameon=False)
        axis.set_yscale("log")
        axis.set_xlabel(name)
        axis.set_title(fixed[name], fontsize=10)
        axis.spines[["top", "right"]].set_visible(False)
        axis.grid(alpha=0.3)
    panels[0].set_ylabel("seconds for all efforts")
    figure.savefig(path)


def tables() -> None:
    """Solving beside reading."""
    if not TABLES.exists():
        print(f"no tables at {TABLES}: nothing to measure")
        return
    for path in sorted(TABLES.glob("*_*.csv")):
        found = measured("table", path.stem)
        print(
            f"{path.stem:16s} {found['rows']:5d} rows, {found['beliefs']:5d} beliefs: import pandas "
            f"{found['importing']:.2f} s + read {found['reading']:.3f} s, solve {found['solving']:.2f} s (processor), "
            f"gap {found['gap']:.0e}, inducible {sum(p is not None for p in found['payments'])} "
            f"of {len(found['payments'])}",
            flush=True,
        )


def main() -> None:
    """Run what is asked for."""
    if sys.argv[1:2] == ["one"]:
        one(sys.argv[2], sys.argv[3:])
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", nargs="*", default=["compare", "growth", "tables"], help="compare, growth, tables")
    parser.add_argument("--plot", type=Path, help="where to draw the growth")
    parser.add_argument("--most", type=int, default=5000, help="most beliefs in the growth")
    parser.add_argument("--plain", type=int, default=200, help="most beliefs of the plain formulation in the growth")
    asked = parser.parse_args()
    growing = functools.partial(growth, asked.plot, asked.most, asked.plain)
    for part in asked.part:
        {"compare": compare, "growth": growing, "tables": tables}[part]()


if __name__ == "__main__":
    main()
