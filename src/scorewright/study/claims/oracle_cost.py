"""What an oracle costs: rounds of random sampling and of the linear search, beside what is promised."""

from __future__ import annotations

import math

import numpy as np

from scorewright.families import random
from scorewright.game import Game
from scorewright.learn import OsrlUcb
from scorewright.oracles import LinearSearch, RandomSampling
from scorewright.plot.canvas import COLOURS, FAINT, canvas
from scorewright.rules import Sampler, quadratic
from scorewright.study.claims.claim import FAILS, HOLDS, VACUOUS, Experiment, Finding, Line, Measurements
from scorewright.study.results import Results
from scorewright.study.task import Outcome

DRAWS = 100
"""Rules drawn to measure the volume of a region."""


def _plan(games: int, budget: int) -> Measurements:
    sampling = [{"kind": "random sampling", "number": number, "rounds": budget} for number in range(games)]
    search = [{"kind": "linear search", "number": number, "rounds": 10_000} for number in range(2 * games)]
    return Measurements("oracle_cost", sampling + search)


EXPERIMENT = Experiment("oracle_cost", lambda: _plan(8, 500), lambda: _plan(100, 5000), minutes=5)


def measure(rng: np.random.Generator, kind: str, number: int, rounds: int) -> Outcome:
    """Acquire an oracle on a random game, in at most `rounds` rounds; count them."""
    del number  # it is in the seed
    return _sampling(rng, rounds) if kind == "random sampling" else _search(rng, rounds)


def _sampling(rng: np.random.Generator, budget: int) -> Outcome:
    drawn = random(rng=rng, efforts=2, observations=2)
    strength = 0.1 * quadratic(drawn.beliefs, drawn.bound).strength
    apart = np.abs(drawn.beliefs[:, None] - drawn.beliefs[None]).max(axis=2)
    kappa = float(apart[~np.eye(len(apart), dtype=bool)].min()) ** 2 * strength / 2
    sampler = Sampler(drawn.beliefs, drawn.bound, strength, kappa)
    expected = np.array([sampler.draw(rng).expected for _ in range(DRAWS)])
    paid = expected @ drawn.information.T
    # The assumption is that every region has its share of the class: such costs are a quantile of what rules pay extra.
    extra = float(np.quantile(paid[:, 1] - paid[:, 0], rng.uniform(0.1, 0.9)))
    costs = np.array([0.0, extra]) - min(0.0, extra)
    game = Game(drawn.beliefs, drawn.information, costs, drawn.utility, drawn.bound, efforts=("a", "b"))
    lead = (paid - costs) @ [-1.0, 1.0]
    share = min(float((lead >= kappa).mean()), float((lead <= -kappa).mean()))
    learner = OsrlUcb(game.setting, RandomSampling(strength, rounds=budget), rng=rng)
    used = _acquire(game, learner, budget, rng)
    promised = len(game.beliefs) * 2 * math.log(2) / share if share else 0.0
    return Outcome({"used": used, "promised": promised, "complete": int(not learner.missing)})


def _search(rng: np.random.Generator, budget: int) -> Outcome:
    game, epsilon, b = _decaying(rng)
    learner = OsrlUcb(game.setting, LinearSearch(budget, epsilon, b))
    used, efforts = _acquire(game, learner, budget, rng), len(game.costs)
    reach = min(2 / epsilon, game.bound / float(game.utility.max()))
    promised = 2 + (efforts - 1) * max(0, math.ceil(math.log2(2 * reach * b * (b - epsilon) / epsilon)))
    complete = len(learner.oracle) == efforts and not learner.missing
    return Outcome({"used": used, "promised": float(promised), "complete": int(complete)})


def _decaying(rng: np.random.Generator) -> tuple[Game, float, float]:
    """A game whose efforts' gains per cost fall from b by more than epsilon a step, all within the bound's reach."""
    efforts = int(rng.integers(2, 6))
    right = np.sort(rng.uniform(0.55, 0.98, efforts))
    ratios = np.sort(rng.uniform(2.5, 9.0, efforts - 1))[::-1]
    costs = np.concatenate([[0.0], np.cumsum(np.diff(right) / ratios)])
    joint = [[[p / 2, (1 - p) / 2], [(1 - p) / 2, p / 2]] for p in right]
    decay = float(np.append(-np.diff(ratios), ratios[-1]).min())
    return Game.from_signals(joint, costs=costs, utility=np.eye(2), bound=1.0), 0.99 * decay, float(ratios[0])


def _acquire(game: Game, learner: OsrlUcb, most: int, rng: np.random.Generator) -> int:
    """Play until the acquisition is over; return the rounds that it took."""
    for count in range(most + 1):
        offer = learner.ask()
        if offer.phase != "oracle":
            return count
        effort = game.respond(offer.rule)
        chances = game.information[effort]
        learner.tell(offer, effort, int(rng.choice(len(chances), p=chances / chances.sum())))
    return most


def oracle_cost(results: Results) -> Finding:
    """Rounds used beside the promise, game by game."""
    cells = results.cells()
    figure, axes = canvas(9.6, 4.0, columns=2)
    lines = []
    promises = {"random sampling": "M K log K / eta", "linear search": "2 + (K - 1) depth"}
    for number, (ax, (kind, formula)) in enumerate(zip(axes, promises.items(), strict=True)):
        own = cells[cells["kind"] == kind]
        told = own[own["promised"] > 0]
        ratio = (told["used"] / told["promised"]).to_numpy()
        done = told[told["complete"] == 1]
        text = (
            f"every effort found in {len(done)} of {len(told)} games, in {np.median(ratio):.2f} times {formula} rounds "
        )
        text += f"(median; most {ratio.max():.2f})"
        verdict = HOLDS if len(done) == len(told) and ratio.max() <= 3 else FAILS
        lines.append(Line(kind, text, verdict))
        if len(told) < len(own):
            rest = own[own["promised"] == 0]
            text = f"in {len(rest)} games none of {DRAWS} random rules lay in some region, so that eta is too small to "
            most = int(rest["rounds"].max())
            text += f"measure; all efforts found in {int(rest['complete'].sum())} of them within {most:,} rounds"
            lines.append(Line(f"{kind}, regions too small", text, VACUOUS))
        ax.scatter(told["promised"], told["used"], s=18, color=COLOURS[number])
        ends = np.array([told["promised"].min(), told["promised"].max()])
        ax.plot(ends, ends, color="black", linewidth=0.9, linestyle=(0, (4, 3)))
        ax.set_title(kind, fontsize=10, loc="left")
        ax.set_xlabel(f"promised: {formula}")
        ax.set_ylabel("rounds used")
        ax.grid(color=FAINT, alpha=0.25, linewidth=0.5)
    axes[0].set_xscale("log")
    axes[0].set_yscale("log")
    return Finding(lines, figure, "Rounds used against rounds promised (with a constant of one); dashed: equal.")
