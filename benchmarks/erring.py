"""Erring agents: what Haggler loses per round once it has settled, beside a rule that was told everything.

    python benchmarks/erring.py [--seeds 3] [--rounds 20000]

For agents that slip (5%), answer by logit response (temperature 0.005 and 0.02), drift, or hold out: the loss per round
against the best rule for a rational agent, over the second half. The yardstick knows the game and the noise: the best
of the cheapest rules for every effort over a grid of margins. For agents that change over time there is none.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor

import numpy as np

import scorewright as sw

AGENTS = {
    "slips 5%": sw.agents.Noisy(0.05),
    "logit 0.005": sw.agents.Quantal(0.005),
    "logit 0.02": sw.agents.Quantal(0.02),
    "drifting": sw.agents.Drifting(),
    "holdout": sw.agents.Holdout(),
}
GAMES = {
    "three_efforts": lambda _: sw.families.make("three_efforts"),
    "K3 W2 M9": lambda rng: sw.families.random(rng=rng, efforts=3, states=2, observations=3),
    "K2 W3": lambda rng: sw.families.random(rng=rng, efforts=2, states=3, observations=3),
    "shared K4 M8": lambda rng: sw.families.random(rng=rng, efforts=4, observations=8, support="shared"),
}


def answers(game: sw.Game, rule: sw.Rule, agent: object) -> np.ndarray:
    """The chance of each effort."""
    if isinstance(agent, sw.agents.Noisy):
        chances = np.full(len(game.costs), agent.error / len(game.costs))
        chances[game.respond(rule)] += 1 - agent.error
        return chances
    assert isinstance(agent, sw.agents.Quantal)
    gains = (game.surplus(rule) - game.surplus(rule).max()) / agent.temperature
    return np.exp(gains) / np.exp(gains).sum()


def least_loss(game: sw.Game, agent: object) -> float:
    """Of the best rule over a grid of margins, against the best for a rational agent."""
    widest = max(margin.value for effort in range(len(game.costs)) if (margin := sw.margin(game, effort)) is not None)
    margins = (0.0, *np.geomspace(1e-4, max(widest, 2e-4), 60)[:-1])
    rules = [
        one.rule for margin in margins for one in sw.solve(game, margin=float(margin)).by_effort if one is not None
    ]
    profits = [answers(game, rule, agent) @ (game.worth - game.paid(rule.expected)) for rule in rules]
    return sw.solve(game).profit - float(max(profits))


def play(cell: tuple[str, str, int, int]) -> tuple[str, str, int, float, float | None, bool, bool]:
    """One run: its loss per round in the second half, and the yardstick's."""
    name, kind, seed, rounds = cell
    game, agent = GAMES[name](np.random.default_rng([2030, seed])), AGENTS[kind]
    learner = sw.learn.Haggler(game.setting, sw.oracles.best_margin(game), rng=seed)
    regret = sw.simulate(game, learner, rounds, rng=[2031, seed], agent=agent).regret
    loss = float(regret[-1] - regret[rounds // 2 - 1]) / (rounds - rounds // 2)
    known = isinstance(agent, sw.agents.Noisy | sw.agents.Quantal)
    return name, kind, seed, loss, least_loss(game, agent) if known else None, learner.errs, learner.torn


def main() -> None:
    """Print a line per run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=20_000)
    parser.add_argument("--games", default=",".join(GAMES))
    parser.add_argument("--agents", default=",".join(AGENTS))
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    cells = [
        (game, agent, seed, given.rounds)
        for agent in given.agents.split(",")
        for game in given.games.split(",")
        for seed in range(given.seeds)
    ]
    with ProcessPoolExecutor(given.workers) as pool:
        for name, kind, seed, loss, least, errs, torn in pool.map(play, cells):
            beside = "" if least is None else f", yardstick {least:.5f}"
            if least is not None and least > 1e-5:
                beside += f": {loss / least:.2f} times"
            seen = "torn" if torn else "slips" if errs else "rational"
            print(f"{kind:12} {name:14} seed {seed}  loss {loss:.5f} a round{beside}  (taken to be {seen})", flush=True)


if __name__ == "__main__":
    main()
