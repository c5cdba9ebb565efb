"""Make the games of the benchmark suite: `python benchmarks/make_suite.py [--data ../shared/data]`.

Run once per version of the suite: the games are written as files into the package and never drawn again, so that a
suite stays the same whatever becomes of the families. Games made from data need the forecast tables; without them those
already in the package are kept.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

import scorewright as sw

HERE = Path(__file__).resolve().parent.parent / "src" / "scorewright" / "study" / "benchmark"
LEARNERS = """
[[learners]]
name = "haggler"

[[learners]]
label = "haggler, no oracle"
name = "haggler"
oracle = "none"

[[learners]]
name = "informed"

[[learners]]
name = "osrl-ucb"

[[learners]]
label = "osrl-ucb, radii x 0.03"
name = "osrl-ucb"
radius = 0.03

[[learners]]
name = "oracle-bandit"

[[learners]]
name = "scaled-quadratic"

[[learners]]
name = "explore-then-commit"

[[learners]]
label = "best quadratic rule"
name = "fixed-rule"
rule = "quadratic"

[[learners]]
name = "clairvoyant"
"""

random, contract, make = sw.families.random, sw.families.random_contract, sw.families.make
Made = tuple[Callable[[], sw.Game], list[str], str]
GAMES: dict[str, Made] = {
    "three-efforts": (
        lambda: make("three_efforts"),
        ["small"],
        "Guess, skim or study: the optimum buys the middle effort.",
    ),
    "analyst": (
        lambda: make("analyst"),
        ["small", "large bound"],
        "The paper's story: an analyst and a stock, payments up to 40.",
    ),
    "two-sources": (
        lambda: make("two_sources"),
        ["small"],
        "Two efforts that look at different things; the widest margins.",
    ),
    "look-or-not": (
        lambda: make("binary_effort", prior=0.8, posteriors=(0.2, 0.9, 0.98), chances=(0.2, 0.4, 0.4), cost=0.03),
        ["small", "skewed prior"],
        "Look or don't, at a prior of 0.8.",
    ),
    "plain-k2-w3": (lambda: random(rng=101, efforts=2, states=3), ["small"], "Two efforts, three states."),
    "plain-k3-w2": (lambda: random(rng=102, efforts=3, states=2), ["small"], "Three efforts, two states."),
    "plain-k4-w3": (lambda: random(rng=103, efforts=4, states=3), ["middle"], "Four efforts, three states."),
    "plain-k5-w3": (lambda: random(rng=104, efforts=5, states=3), ["middle"], "Five efforts, three states."),
    "many-efforts": (
        lambda: random(rng=105, efforts=6, states=4, observations=4),
        ["large"],
        "Six efforts, 24 beliefs.",
    ),
    "most-efforts": (
        lambda: random(rng=106, efforts=8, states=4, observations=5),
        ["large"],
        "Eight efforts, 40 beliefs.",
    ),
    "many-states": (lambda: random(rng=107, efforts=3, states=6, observations=6), ["large"], "Six states, 18 beliefs."),
    "many-beliefs": (
        lambda: random(rng=108, efforts=3, states=4, observations=10),
        ["large"],
        "Ten observations per effort.",
    ),
    "two-efforts-many-beliefs": (
        lambda: random(rng=109, efforts=2, states=6, observations=20),
        ["large"],
        "Two efforts, six states, 40 beliefs.",
    ),
    "near-ties": (lambda: random(rng=110, spread=0.05), ["near ties"], "Costs so close that profits almost tie."),
    "near-ties-shared": (
        lambda: random(rng=111, efforts=4, observations=8, support="shared", spread=0.05),
        ["near ties", "shared beliefs"],
        "Almost tied, and all efforts report the same beliefs.",
    ),
    "tiny-region": (lambda: random(rng=112, margin=0.005), ["tiny regions"], "Oracle margin 0.005."),
    "tiny-region-k5": (
        lambda: random(rng=118, efforts=5, states=3, margin=0.005),
        ["tiny regions"],
        "Oracle margin 0.005, five efforts.",
    ),
    "useless-effort": (
        lambda: useless(random(rng=114)),
        ["useless efforts"],
        "One more effort that finds out nothing new, at a cost.",
    ),
    "uninducible": (
        lambda: random(rng=115, dominated=2),
        ["uninducible efforts"],
        "Two of five efforts no payment can induce.",
    ),
    "zero-optimal": (
        lambda: random(rng=116, stake=0.05),
        ["effort zero optimal"],
        "Information is worth too little to pay for.",
    ),
    "zero-optimal-k5": (
        lambda: random(rng=117, efforts=5, states=3, stake=0.03),
        ["effort zero optimal"],
        "Five efforts, and the free one is best.",
    ),
    "large-bound": (
        lambda: random(rng=123, bound=50.0, stake=50.0),
        ["large bound"],
        "Payments up to 50, stakes to match.",
    ),
    "large-bound-small-costs": (
        lambda: random(rng=119, bound=10.0, stake=12.0, spread=0.2),
        ["large bound"],
        "Payments up to 10, far more than needed.",
    ),
    "skewed-prior": (lambda: random(rng=127, skew=0.7, stake=4.0), ["skewed prior"], "One of two states is likely."),
    "skewed-prior-w4": (
        lambda: random(rng=121, efforts=4, states=4, skew=0.5, stake=4.0),
        ["skewed prior"],
        "One of four states is likely.",
    ),
    "shared-beliefs": (
        lambda: random(rng=122, efforts=4, observations=8, support="shared"),
        ["shared beliefs"],
        "All efforts report the same eight beliefs, some more often.",
    ),
    "nested-beliefs": (
        lambda: random(rng=123, efforts=4, states=3, observations=6, support="nested"),
        ["shared beliefs"],
        "Better efforts keep the prior less often.",
    ),
    "contract-binomial": (
        lambda: make("two_action_contract", trials=3, bound=10.0),
        ["contract", "large bound"],
        "Contract design: shirk or work, successes of three trials.",
    ),
    "contract-k4": (lambda: contract(rng=125, efforts=4, outcomes=4), ["contract"], "Contract design, four outcomes."),
    "contract-k6": (lambda: contract(rng=126, efforts=6, outcomes=6), ["contract"], "Contract design, six outcomes."),
}


def useless(game: sw.Game) -> sw.Game:
    """The game with one more effort: the first one's information, for money."""
    information = np.concatenate([game.information, game.information[:1]])
    return sw.Game(game.beliefs, information, np.append(game.costs, 0.02), game.utility, game.bound)


CREDIT = "FiveThirtyEight, checking-our-work-data, CC BY 4.0; binned and recalibrated by scorewright."
DATA = {
    "heart-tests": (
        "heart_tests",
        ["history", "labs_ecg", "stress_ecg", "stress_thallium", "full"],
        3,
        "Nested panels of medical tests, costs as published (Turney 1995), in thousands of Canadian dollars. Data: UCI "
        "Heart Disease (Cleveland), Janosi, Steinbrunn, Pfisterer and Detrano, CC BY 4.0; binned and recalibrated by "
        "scorewright.",
    ),
    "basketball": (
        "ncaa_inplay",
        ["min0", "min10", "min20", "min30", "min38"],
        4,
        f"In-game win probabilities, better the longer one watches. Data: {CREDIT}",
    ),
    "world-cup": (
        "worldcup_inplay",
        ["min0", "min50", "min70", "min85"],
        4,
        f"In-game match probabilities, three outcomes. Data: {CREDIT}",
    ),
}


def _clusters(forecasts: np.ndarray, bins: int) -> np.ndarray:
    """Cluster forecasts by Lloyd's iteration from spread-out centres; return the cluster of each."""
    order = np.argsort(forecasts[:, 0] - forecasts[:, -1], kind="stable")
    centres = forecasts[order[np.linspace(0, len(order) - 1, bins).astype(int)]]
    for _ in range(100):
        near = ((forecasts[:, None] - centres[None]) ** 2).sum(axis=2).argmin(axis=1)
        centres = np.array(
            [forecasts[near == i].mean(axis=0) if (near == i).any() else centres[i] for i in range(bins)]
        )
    return near


def from_table(folder: Path, table: str, tiers: list[str], bins: int) -> sw.Game:
    """Cluster each tier's forecasts; a cluster's belief is the share of outcomes in it, so that it is calibrated."""
    rows = list(csv.DictReader((folder / f"{table}.csv").open()))
    states = [name.removeprefix("p_") for name in rows[0] if name.startswith("p_")]
    forecasts = np.array([[float(row[f"p_{state}"]) for state in states] for row in rows])
    outcome = np.array([states.index(row["outcome"]) for row in rows])
    tier = np.array([tiers.index(row["tier"]) for row in rows])
    beliefs, information = [], np.zeros((len(tiers), 0))
    for k in range(len(tiers)):
        near = _clusters(forecasts[tier == k], bins)
        for i in np.unique(near):
            beliefs.append(np.bincount(outcome[tier == k][near == i], minlength=len(states)) + 0.5)
            column = np.eye(len(tiers))[:, [k]] * (near == i).mean()
            information = np.concatenate([information, column], axis=1)
    chances = np.array([counts / counts.sum() for counts in beliefs])
    if table == "heart_tests":
        known = {(r["table"], r["tier"]): float(r["cost"]) for r in csv.DictReader((folder / "tiers.csv").open())}
        costs = np.array([known[table, name] for name in tiers]) / 1000
        utility, bound, decisions = [[0.0, -240.0], [-144.0, 0.0]], 6.0, ("send home", "treat")
    else:
        minutes = np.array([float(name.removeprefix("min")) for name in tiers])
        costs = 0.06 * (minutes / minutes.max()) ** 2
        utility, bound, decisions = (3 * np.eye(len(states))).tolist(), 1.0, None
    return sw.Game(
        chances,
        information,
        costs,
        utility,
        bound,
        efforts=tiers,
        states=states,
        decisions=decisions,
    )


def main() -> None:
    """Write the games and the study, and print what they are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=HERE.parents[3].parent / "shared" / "data")
    asked = parser.parse_args()
    (HERE / "games").mkdir(parents=True, exist_ok=True)
    for name, (build, _, _) in GAMES.items():
        build().save(HERE / "games" / f"{name}.json")
    for name, (table, tiers, bins, _) in DATA.items():
        if asked.data.is_dir():
            from_table(asked.data, table, tiers, bins).save(HERE / "games" / f"{name}.json")
    about = {name: (tags, words) for name, (_, tags, words) in GAMES.items()}
    about |= {name: (["from data"], words) for name, (_, _, _, words) in DATA.items()}
    text = [
        'name = "scorewright benchmark"',
        'version = "1"',
        f'about = "{len(about)} games that a learner should be good '
        'at, every learner, 20 seeds. Cite as: scorewright benchmark suite, version 1."',
        "seed = 2026",
        "repeats = 20",
        "rounds = 5000",
        'baseline = "haggler"',
    ]
    for name, (tags, words) in about.items():
        text.append(f'\n[[games]]\nfile = "games/{name}.json"\ntags = {json.dumps(tags)}\nabout = {json.dumps(words)}')
        game = sw.load(HERE / "games" / f"{name}.json")
        solved = sw.solve(game)
        least = [sw.margin(game, k).value for k in range(len(game.costs))]
        shape = f"K {len(game.costs)} M {len(game.beliefs):2} W {game.beliefs.shape[1]}"
        cannot = sum(one is None for one in solved.by_effort)
        print(
            f"{name:26} {shape} best {solved.effort} profit {solved.profit:8.3f} pays {solved.payment:7.3f} "
            f"margin {min(m for m in least):7.4f} can't {cannot} worth {np.round(game.worth, 3)}"
        )
    (HERE / "benchmark.toml").write_text("\n".join(text) + "\n" + LEARNERS)


if __name__ == "__main__":
    main()
