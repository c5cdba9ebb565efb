"""Named games: those with answers known on paper."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from scorewright.errors import InvalidInputError
from scorewright.game import Game
from scorewright.validation import nonnegative, number, probabilities, whole


def three_efforts() -> Game:
    """Three efforts, two states: guess, skim or study. The optimum buys the middle one for 0.175 and earns 0.525."""
    return Game(
        beliefs=[[0.5, 0.5], [0.7, 0.3], [0.3, 0.7], [0.85, 0.15], [0.15, 0.85]],
        information=[[1, 0, 0, 0, 0], [0, 0.5, 0.5, 0, 0], [0, 0, 0, 0.5, 0.5]],
        costs=[0, 0.05, 0.15],
        utility=[[1, 0], [0, 1]],
        bound=1.0,
        efforts=("guess", "skim", "study"),
        states=("down", "up"),
        decisions=("sell", "buy"),
    )


def analyst() -> Game:
    """The paper's story: a portfolio manager, an analyst, a stock that rises or falls; in thousands of dollars.

    The stock rises with probability 0.4; investing then gains 100, and loses 80 otherwise. The analyst can skim the
    headlines at no cost, read the filings for 2, or visit the company for 5, and finds bad, mixed or good news, the
    more telling the harder it looked. It is paid 40 at most.
    """
    falls, rises = 0.6, 0.4
    news = [  # chances of bad, mixed and good news: if the stock falls, if it rises
        ([0.3, 0.5, 0.2], [0.2, 0.5, 0.3]),
        ([0.4, 0.4, 0.2], [0.1, 0.3, 0.6]),
        ([0.7, 0.25, 0.05], [0.05, 0.15, 0.8]),
    ]
    joint = [np.column_stack([falls * np.array(f), rises * np.array(r)]) for f, r in news]
    return Game.from_signals(
        joint,
        costs=[0, 2, 5],
        utility=[[0, 0], [-80, 100]],
        bound=40.0,
        efforts=("skim the headlines", "read the filings", "visit the company"),
        states=("falls", "rises"),
        decisions=("stay out", "invest"),
    )


def two_sources(cost: float = 0.1) -> Game:
    """Two efforts that look at different things, so that payment tells them apart: the widest margins there are.

    Four equally likely states: the weather is fair or foul, demand high or low. One effort watches the weather, the
    other surveys demand, which is worth more to the principal and costs `cost` more. A rule that pays for being right
    about the weather alone, or about demand alone, separates them by half the bound: the margins are 0.5 + cost and
    0.5 - cost.
    """
    return Game(
        beliefs=[[0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5], [0.5, 0, 0.5, 0], [0, 0.5, 0, 0.5]],
        information=[[0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5]],
        costs=[0, number(cost, "cost", least=0)],
        utility=[[0.4, 0.4, 0, 0], [0, 0, 0.4, 0.4], [1, 0, 1, 0], [0, 1, 0, 1]],
        bound=1.0,
        efforts=("watch the weather", "survey demand"),
        states=("fair, high", "fair, low", "foul, high", "foul, low"),
        decisions=("sail", "stay", "stock up", "sell off"),
    )


def hard_instance(e1: float = -0.25, width: float = 0.0, penalty: float = 1.0) -> Game:
    r"""The paper's hard instance: its second effort is worth far more, but can be induced only at a single point.

    Beliefs (0, 1), (1/2, 1/2), (1, 0); :math:`c_2 - c_1 = e_1/16`, :math:`c_2 - c_3 = (1 - e_1)/16`. With a penalty of
    1 the only rule that induces the second effort has expected payments :math:`(1, -e_1, 0)` and earns 76, for every
    :math:`e_1 \in [-1/2, 0]`. Without a penalty it exists only for :math:`e_1 = -1/2`. A `width` lowers the second
    effort's cost by width/16: the region opens, and its widest margin is width/16.
    """
    e1 = number(e1, "e1", least=-0.5, most=0)
    width = number(width, "width", least=0)
    beta = 1 / 16
    costs = np.array([(1 - 2 * e1) * beta, (1 - e1 - width) * beta, 0.0])
    return Game(
        beliefs=[[0, 1], [0.5, 0.5], [1, 0]],
        information=[[3 / 4, 3 / 16, 1 / 16], [3 / 4, 1 / 8, 1 / 8], [11 / 16, 1 / 16, 1 / 4]],
        costs=costs - min(0.0, costs.min()),
        # The value of the beliefs is (97, -e1, 32): the two lines through neighbouring points, as decisions.
        utility=[[-2 * e1 - 97, 97], [32, -2 * e1 - 32]],
        bound=1.0,
        penalty=penalty,
    )


def binary_effort(prior: float = 0.5, posteriors: Any = (0.3, 0.7), chances: Any = None, cost: float = 0.05) -> Game:
    r"""Look or don't look, two states: effort 0 keeps the prior, effort 1 moves to one of the posteriors.

    Effort 1 can be induced with payments in [0, 1] exactly when cost is at most
    :math:`E|r - D| / (2 \max(D, 1 - D))`, D the prior of the first state: `binary_effort_limit`. Without `chances`
    there must be two posteriors, on either side of the prior, and the chances are those that keep it.
    """
    prior = number(prior, "prior", above=0, most=1)
    r = nonnegative(posteriors, "posteriors", ("posterior",))
    if r.max() > 1:
        raise InvalidInputError(f"posteriors holds {r.max():g}; a probability can't be more than one")
    if chances is None:
        if len(r) != 2 or (r[0] - prior) * (r[1] - prior) > 0 or r[0] == r[1]:
            raise InvalidInputError("posteriors must be two, on either side of the prior, or come with chances")
        share = (prior - r[1]) / (r[0] - r[1])
        chances = [share, 1 - share]
    weights = probabilities(chances, "chances", ("posterior",))
    if len(weights) != len(r):
        raise InvalidInputError(f"chances has {len(weights)} entries for {len(r)} posteriors: one each")
    cost = number(cost, "cost", least=0)
    return Game(
        beliefs=[[prior, 1 - prior], *([p, 1 - p] for p in r)],
        information=[[1.0, *(0.0 for _ in r)], [0.0, *weights]],
        costs=[0, cost],
        utility=[[1, 0], [0, 1]],
        bound=1.0,
        efforts=("don't look", "look"),
    )


def binary_effort_limit(game: Game) -> float:
    """Largest cost at which effort 1 of a `binary_effort` game can be induced."""
    first = game.beliefs[:, 0]
    prior = float(first[0])
    spread = float(game.information[1] @ np.abs(first - prior))
    return game.bound * spread / (2 * max(prior, 1 - prior))


def two_action_contract(trials: int = 3, bound: float = 100.0) -> Game:
    """Contract with binomial outcomes: `trials` successes of chance 0.5 (cost 0) or 0.8 (cost 1).

    Effort 1 costs ``1 / (1 - min_j f0_j / f1_j)`` in expectation when the bound does not bind.
    """
    trials = whole(trials, "trials", least=1, most=200)
    successes = range(trials + 1)
    outcomes = [[math.comb(trials, j) * p**j * (1 - p) ** (trials - j) for j in successes] for p in (0.5, 0.8)]
    return Game.from_contract(
        outcomes,
        rewards=[4.0 * j / trials for j in successes],
        costs=[0, 1],
        bound=bound,
        efforts=("shirk", "work"),
        states=tuple(f"{j} of {trials}" for j in successes),
    )
