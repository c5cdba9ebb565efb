"""Coverage, optimism, compliance and search depth: OSRL-UCB watched round by round."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from scorewright.families import random
from scorewright.game import Game
from scorewright.learn import Estimates, Offer, OsrlUcb, Radius
from scorewright.optimum import margin, solve
from scorewright.oracles import best_margin
from scorewright.plot.canvas import COLOURS, FAINT, canvas
from scorewright.study.claims.claim import FAILS, HOLDS, VACUOUS, Experiment, Finding, Line, Measurements
from scorewright.study.results import Results
from scorewright.study.task import Outcome
from scorewright.tolerance import ROUNDING, TIE

if TYPE_CHECKING:
    import pandas as pd

CERTAIN = "two efforts, certain reports, margin 0.25"
RANDOM = "random games"
SETTINGS = ((RANDOM, 1.0), (RANDOM, 0.3), (RANDOM, 0.03), (CERTAIN, 0.002))
"""Games and scales of the radii; 1 is as printed."""


def _plan(runs: int, rounds: int) -> Measurements:
    return Measurements(
        "confidence",
        [
            {"games": games, "scale": scale, "number": number, "rounds": rounds}
            for number in range(runs)
            for games, scale in SETTINGS
        ],
    )


EXPERIMENT = Experiment("confidence", lambda: _plan(30, 300), lambda: _plan(400, 1000), minutes=12)


def measure(rng: np.random.Generator, games: str, scale: float, number: int, rounds: int) -> Outcome:
    """Play OSRL-UCB and compare, round by round, what it believes with the truth."""
    del number  # it is in the seed
    game = _drawn(rng) if games == RANDOM else _certain()
    learner = OsrlUcb(game.setting, best_margin(game), radius=Radius(scale))
    truth = _Truth(game)
    rows: dict[str, list[Any]] = {name: [] for name in ("round", "good", "optimistic", "premise", "deviated")}
    searches: list[tuple[int, int]] = []
    search: _Search | None = None
    for time in range(1, rounds + 1):
        offer, now = learner.ask(), learner.estimates()
        effort = game.respond(offer.rule)
        good = truth.within(now)
        optimise = offer.phase == "optimise"
        if search is not None and offer.phase == "search":
            search.saw(effort)
        elif search is not None:
            searches.append((search.rounds, search.most()))
            search = None
        if optimise and effort != offer.target and offer.target is not None:
            search = _Search(now.radius, offer.target, effort)
        rows["round"].append(time)
        rows["good"].append(good)
        rows["optimistic"].append(truth.optimistic(offer) if optimise else -1)
        rows["premise"].append(truth.premise(now, offer, time) if optimise else -1)
        rows["deviated"].append(int(effort != offer.target) if optimise else -1)
        chances = game.information[effort]
        learner.tell(offer, effort, int(rng.choice(len(chances), p=chances / chances.sum())))
    facts = {
        "searches": len(searches),
        "longest": max((played for played, _ in searches), default=0),
        "too_long": sum(played > most for played, most in searches),
        "tight": sum(played == most for played, most in searches),
    }
    return Outcome(facts, {name: np.array(column) for name, column in rows.items()})


def _drawn(rng: np.random.Generator) -> Game:
    """A game of K 2..6, W 2..4 and M up to 10."""
    efforts, states = int(rng.integers(2, 7)), int(rng.integers(2, 5))
    observations = int(rng.integers(2, max(3, 10 // efforts + 1)))
    support = str(rng.choice(["disjoint", "shared", "nested"]))
    return random(rng=rng, efforts=efforts, states=states, observations=observations, support=support)


def _certain() -> Game:
    return Game([[0.5, 0.5], [1, 0]], [[1, 0], [0, 1]], [0, 0.25], [[1, 0], [0, 1]], 1.0)


class _Truth:
    """What a learner's beliefs are held against."""

    def __init__(self, game: Game) -> None:
        self.game, self.solution = game, solve(game)
        self.gaps = game.costs[:, None] - game.costs[None, :]
        self.margin = min(margin(game, effort).value for effort in range(len(game.costs)))

    def within(self, now: Estimates) -> int:
        """Whether every estimate is within its radius."""
        near = np.abs(now.information - self.game.information).sum(axis=1) <= now.radius + ROUNDING
        return int(near.all() and (np.abs(now.cost_gap - self.gaps) <= now.cost_radius + ROUNDING).all())

    def optimistic(self, offer: Offer) -> int:
        """Whether the index of the best effort is no less than the optimum."""
        return int(offer.index is not None and offer.index[self.solution.effort] >= self.solution.profit - TIE)

    def premise(self, now: Estimates, offer: Offer, time: int) -> int:
        """Whether alpha_t >= Delta_t."""
        target = offer.target or 0
        spread = now.cost_radius[target] + self.game.bound * (now.radius + now.radius[target])
        needed = 2 / self.margin * float(np.delete(spread, target).max())
        return int(min(len(self.game.costs) * time ** (-1 / 3), 1.0) >= needed)


class _Search:
    """A search under way: its rounds, and the smallest radius met."""

    def __init__(self, radius: Any, target: int, response: int) -> None:
        self.radius, self.target, self.rounds = np.array(radius), target, 0
        self.smallest = float(min(radius[target], radius[response]))

    def saw(self, response: int) -> None:
        self.rounds += 1
        if response != self.target:
            self.smallest = min(self.smallest, float(self.radius[response]))

    def most(self) -> int:
        return max(0, math.floor(math.log2(1 / self.smallest) + TIE) + 1)


# -- what follows ----------------------------------------------------------------------------------------------------


def _settings(results: Results) -> list[tuple[str, float, pd.DataFrame, pd.DataFrame]]:
    """Name, scale, facts and rows of each setting."""
    cells, curves = results.cells(), results.curves()
    found = []
    for games, scale in SETTINGS:
        own = cells[(cells["games"] == games) & (cells["scale"] == scale)]
        name = f"{games}, radii {'as printed' if scale == 1 else f'x {scale:g}'}"
        found.append((name, scale, own, curves[curves["cell"].isin(set(own["cell"]))]))
    return found


def coverage(results: Results) -> Finding:
    """Share of runs in which every estimate is within its radius, by round, beside 1 - 1/t."""
    figure, (ax,) = canvas(8.0, 4.6)
    lines = []
    longest = 1
    for number, (name, scale, _, rows) in enumerate(_settings(results)):
        by_round = rows.groupby("round")["good"]
        share, runs = by_round.mean(), by_round.count()
        longest = max(longest, int(share.index[-1]))
        ax.plot(share.index, share, color=COLOURS[number], linewidth=1.6, label=f" {name}")
        promised = 1 - 1 / share.index.to_numpy()
        # A share of n runs may fall short by chance: by three standard errors of a binomial at the promised value.
        slack = 3 * np.sqrt(promised * (1 - promised) / runs.to_numpy()) + 1 / runs.to_numpy() * (promised < 1)
        short = int((share.to_numpy() < promised - slack).sum())
        text = f"every estimate within its radius in {rows['good'].mean():.2%} of {len(rows):,} rounds"
        text += f"; below 1 - 1/t in {short:,} of {len(share):,} round numbers"
        verdict = HOLDS if short == 0 else FAILS
        lines.append(Line(name + ("" if scale == 1 else " (not promised)"), text, verdict))
    times = np.arange(2, longest + 1)
    ax.plot(times, 1 - 1 / times, color="black", linewidth=1.0, linestyle=(0, (4, 3)), label=" promised: 1 - 1/t")
    _finish(ax, "round", "share of runs within all radii")
    ax.legend(frameon=False, fontsize=8.5, loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=2)
    return Finding(lines, figure, "Share of runs in which all estimates are within their radii, by round.")


def optimism(results: Results) -> Finding:
    """Index of the best effort against the optimum, on the good event."""
    figure, (ax,) = canvas(8.0, 3.2)
    lines, shares, names = [], [], []
    for name, _, _, rows in _settings(results):
        good = rows[(rows["good"] == 1) & (rows["optimistic"] >= 0)]
        held = int(good["optimistic"].sum())
        text = f"index of the best effort at least h* in {held:,} of {len(good):,} optimise rounds on the good event"
        lines.append(Line(name, text, VACUOUS if len(good) == 0 else HOLDS if held == len(good) else FAILS))
        shares.append(held / max(1, len(good)))
        names.append(name)
    ax.barh(range(len(names))[::-1], shares, color=COLOURS[0], height=0.55)
    ax.set_yticks(range(len(names))[::-1], names, fontsize=8.5)
    ax.set_xlim(0, 1.05)
    ax.set_xlabel("share of good rounds with an index of at least h*")
    return Finding(lines, figure, "On the good event the index of the best effort is never below the optimum.")


def compliance(results: Results) -> Finding:
    """Deviations where the premise holds, and how often it holds at all."""
    figure, (ax,) = canvas(8.0, 3.2)
    lines, names, shares = [], [], []
    for name, _, _, rows in _settings(results):
        asked = rows[rows["premise"] >= 0]
        met = asked[(asked["premise"] == 1) & (asked["good"] == 1)]
        broken = int(met["deviated"].sum())
        text = f"the premise holds in {len(met):,} of {len(asked):,} optimise rounds"
        text += f", and {broken:,} of those deviate" if len(met) else ", so that nothing is promised"
        text += f"; the agent deviates in {asked['deviated'].mean():.1%} of all"
        lines.append(Line(name, text, VACUOUS if len(met) == 0 else HOLDS if broken == 0 else FAILS))
        names.append(name)
        shares.append((len(met) / max(1, len(asked)), float(asked["deviated"].mean())))
    place = np.arange(len(names))[::-1]
    premise, deviated = np.array(shares).T
    ax.barh(place + 0.2, premise, height=0.36, color=COLOURS[0], label=" premise holds")
    ax.barh(place - 0.2, deviated, height=0.36, color=COLOURS[1], label=" the agent deviates")
    ax.set_yticks(place, names, fontsize=8.5)
    _finish(ax, "share of optimise rounds", "")
    return Finding(lines, figure, "How often alpha_t >= Delta_t holds at all, and how often the agent deviates.")


def depth(results: Results) -> Finding:
    """Rounds per search beside floor(log2(1/r)) + 1."""
    figure, (ax,) = canvas(8.0, 3.2)
    lines, names, longest = [], [], []
    for name, _, cells, _ in _settings(results):
        count, over = int(cells["searches"].sum()), int(cells["too_long"].sum())
        text = f"{count:,} searches, the longest of {int(cells['longest'].max())} rounds; {over:,} above the bound, "
        text += f"{int(cells['tight'].sum()):,} at it"
        lines.append(Line(name, text, VACUOUS if count == 0 else HOLDS if over == 0 else FAILS))
        names.append(name)
        longest.append(int(cells["longest"].max()))
    ax.barh(range(len(names))[::-1], longest, color=COLOURS[0], height=0.55)
    ax.set_yticks(range(len(names))[::-1], names, fontsize=8.5)
    ax.set_xlabel("rounds of the longest search")
    return Finding(lines, figure, "The longest search of each setting; narrower radii make longer ones.")


def _finish(ax: Any, x: str, y: str) -> None:
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.grid(color=FAINT, alpha=0.25, linewidth=0.5)
    ax.legend(frameon=False, fontsize=8.5)
