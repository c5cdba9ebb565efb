"""The footnotes: efforts told apart by their supports when they are hidden; u learned when it is unknown."""

from __future__ import annotations

from typing import Any

import numpy as np

from scorewright.errors import SupportsOverlapError
from scorewright.families import random, three_efforts
from scorewright.game import Game
from scorewright.learn import HiddenEffort, Offer, OsrlUcb, Radius, UnknownUtility
from scorewright.oracles import best_margin
from scorewright.plot.canvas import COLOURS, FAINT, canvas
from scorewright.study.claims.claim import FAILS, HOLDS, Experiment, Finding, Line, Measurements
from scorewright.study.results import Results
from scorewright.study.task import Outcome

NOISE = 0.3
TIMES = (1, 10, 100)


def _plan(games: int, rounds: int) -> Measurements:
    hidden = [{"what": "hidden effort", "number": number, "rounds": rounds} for number in range(games)]
    unknown = [
        {"what": "unknown utility", "times": times, "number": number} for number in range(games) for times in TIMES
    ]
    return Measurements("footnotes", hidden + unknown)


EXPERIMENT = Experiment("footnotes", lambda: _plan(12, 1000), lambda: _plan(200, 5000), minutes=4)


def measure(rng: np.random.Generator, what: str, number: int, rounds: int = 0, times: int = 1) -> Outcome:
    """Play without seeing the effort, or without knowing the utility."""
    del number  # it is in the seed
    return _hidden(rng, rounds) if what == "hidden effort" else _unknown(rng, times)


class _Witness(OsrlUcb):
    """OSRL-UCB that checks what it is told: against the agent's true answer to the rule that it offered."""

    truth: Game
    named = wrong = 0

    def tell(self, offer: Offer, effort: Any, report: Any) -> None:
        self.named += 1
        self.wrong += effort != self.truth.respond(offer.rule)
        super().tell(offer, effort, report)


def _hidden(rng: np.random.Generator, rounds: int) -> Outcome:
    game = random(rng=rng, efforts=int(rng.integers(2, 5)), states=int(rng.integers(2, 4)), observations=3)
    oracle = best_margin(game)
    inner = _Witness(game.setting, oracle, radius=Radius(0.03))
    inner.truth = game
    learner = HiddenEffort(inner, oracle)
    overlap = 0
    try:
        for _ in range(rounds):
            offer = learner.ask()
            chances = game.information[game.respond(offer.rule)]
            learner.tell(offer, report=int(rng.choice(len(chances), p=chances / chances.sum())))
    except SupportsOverlapError:
        overlap = 1
    return Outcome({"named": inner.named, "wrong": inner.wrong, "overlap": overlap})


def _unknown(rng: np.random.Generator, times: int) -> Outcome:
    game = three_efforts()
    oracle = best_margin(game)
    rules = [rule for rule in oracle if rule is not None]
    learner = UnknownUtility(
        game.setting.terms, len(game.utility), lambda s: OsrlUcb(s, oracle), rules, times=times, rounds=100_000
    )
    rounds = 0
    while learner.learner is None:
        offer = learner.ask()
        effort = game.respond(offer.rule)
        report = int(rng.choice(len(game.beliefs), p=game.information[effort]))
        decision, state = learner.decide(report), int(rng.choice(game.beliefs.shape[1], p=game.beliefs[report]))
        learner.tell(offer, effort, report)
        learner.settle(decision, state, float(game.utility[decision, state] + NOISE * rng.normal()))
        rounds += 1
    return Outcome({"explored": rounds, "error": float(np.abs(learner.utility - game.utility).max())})


def footnotes(results: Results) -> Finding:
    """Share of rounds named right; error of the utility against observations."""
    cells = results.cells()
    hidden = cells[cells["what"] == "hidden effort"]
    named, wrong, overlap = (int(hidden[name].sum()) for name in ("named", "wrong", "overlap"))
    text = f"{named - wrong:,} of {named:,} rounds named right in {len(hidden)} games with supports apart; "
    text += f"{overlap} games refused for an overlap"
    lines = [Line("hidden effort", text, HOLDS if wrong == 0 and overlap == 0 else FAILS)]
    figure, (ax,) = canvas(7.0, 3.8)
    unknown = cells[cells["what"] == "unknown utility"]
    means = unknown.groupby("times")[["error", "explored"]].mean()
    words = ", ".join(f"{row.error:.3f} after {row.explored:,.0f} rounds" for row in means.itertuples())
    power = float(np.polyfit(np.log(means.index), np.log(means["error"]), 1)[0])
    text = (
        f"largest error of u, noise {NOISE}: {words} ({', '.join(f'{t:g}' for t in means.index)} looks at "
        f"every entry): "
    )
    lines.append(Line("unknown utility", text + f"looks to the power {power:.2f}", HOLDS if power < -0.3 else FAILS))
    ax.scatter(unknown["times"], unknown["error"], s=14, color=COLOURS[0], alpha=0.6)
    ax.plot(means.index, means["error"], color=COLOURS[1], marker="o", label=" mean")
    looks = np.array(TIMES, dtype=float)
    ax.plot(looks, means["error"].iloc[0] * looks**-0.5, color="black", linewidth=0.9, linestyle=(0, (4, 3)),
            label=" slope -1/2")  # fmt: skip
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_xlabel("looks at every decision in every state")
    ax.set_ylabel("largest error of the utility")
    ax.grid(color=FAINT, alpha=0.25, linewidth=0.5)
    ax.legend(frameon=False, fontsize=8.5)
    return Finding(lines, figure, "Unknown utility: the largest error against the looks taken; every dot is a run.")
