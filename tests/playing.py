"""A plain loop for tests: play a learner and keep the history, or see where it stands."""

from __future__ import annotations

import numpy as np

import scorewright as sw
from scorewright.learn.prospects import Position


def play(
    game: sw.Game, learner, rounds: int, seed: int | list[int], agent=None
) -> list[tuple[sw.learn.Offer, int, int]]:
    """Play `rounds` rounds with truthful reports; return (offer, effort, report) triples."""
    rng = np.random.default_rng(seed)
    player = (agent or sw.agents.Rational()).start(game, rng)
    history = []
    for _ in range(rounds):
        offer = learner.ask()
        effort = player.choose(offer.rule.expected)
        chances = game.information[effort]
        report = int(rng.choice(len(chances), p=chances / chances.sum()))
        learner.tell(offer, effort, report)
        history.append((offer, effort, report))
    return history


def random_game(number: int, most: int = 24) -> sw.Game:
    """A game of K 2..6, W 2..4 and M up to `most`."""
    rng = np.random.default_rng([77, number])
    efforts, states = int(rng.integers(2, 7)), int(rng.integers(2, 5))
    return sw.families.random(
        rng=rng,
        efforts=efforts,
        states=states,
        observations=int(rng.integers(2, max(3, most // efforts + 1))),
        support=str(rng.choice(["disjoint", "shared", "nested"])),
    )


def decaying(seed: int) -> tuple[sw.Game, float, float]:
    """A game whose efforts' gains per cost fall from b by more than epsilon a step, all within the bound's reach."""
    rng = np.random.default_rng(seed)
    efforts = int(rng.integers(2, 5))
    right = np.sort(rng.uniform(0.55, 0.98, efforts))
    joint = [[[p / 2, (1 - p) / 2], [(1 - p) / 2, p / 2]] for p in right]
    gains = np.diff(right)
    ratios = np.sort(rng.uniform(2.5, 9.0, efforts - 1))[::-1]
    costs = np.concatenate([[0.0], np.cumsum(gains / ratios)])
    decay = np.append(-np.diff(ratios), ratios[-1]).min() if efforts > 2 else ratios[-1]
    game = sw.Game.from_signals(joint, costs=costs, utility=np.eye(2), bound=1.0)
    return game, float(0.99 * decay), float(ratios[0])


def after(game: sw.Game, rounds: int, seed: int = 0) -> tuple[sw.learn.Haggler, Position]:
    """A learner that has played, and where it stands."""
    learner = sw.learn.Haggler(game.setting, sw.oracles.best_margin(game), rng=seed)
    sw.simulate(game, learner, rounds, rng=seed)
    counts = learner._grown()
    learner._ensemble.refit(counts)
    return learner, learner._position(counts, rounds + 1)
