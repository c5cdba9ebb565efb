r"""Random games, with the controls that matter.

A game is drawn in three steps. *Information*: each effort has a quality that grows from the first effort to the last,
and the better the quality, the further its beliefs lie from the prior. *Costs*: draw scales :math:`x_1 < x_2 < \dots`,
let :math:`c_k - c_{k-1} = x_k (v_k - v_{k-1})`, where :math:`v_k` is what effort k earns under the quadratic rule; then
the quadratic rule scaled between :math:`x_k` and :math:`x_{k+1}` induces effort k, so that every effort can be induced.
*Margin*: `margins.with_margin` moves the costs to the margin that is asked for.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scorewright.errors import InvalidInputError
from scorewright.families.margins import with_margin
from scorewright.game import Game
from scorewright.rules import quadratic
from scorewright.validation import Array, generator, member, number, whole

SUPPORTS = ("disjoint", "shared", "nested")


def random(
    *,
    rng: Any = None,
    efforts: int = 3,
    states: int = 2,
    observations: int = 3,
    quality: Any = (0.1, 0.9),
    spread: float = 1.0,
    margin: float | None = None,
    support: str = "disjoint",
    dominated: int = 0,
    skew: float = 0.0,
    decisions: int | None = None,
    bound: float = 1.0,
    stake: float = 1.0,
) -> Game:
    """Draw a game.

    Parameters
    ----------
    rng
        Anything that `numpy.random.default_rng` takes.
    efforts, states, observations : int
        K, W and the observations per effort.
    quality : (float, float)
        Quality of the first and the last effort, from 0 (learns nothing) to 1.
    spread : float
        How far apart the efforts are in cost: 1 fills the range that the bound can pay for, near 0 they almost tie.
    margin : float, optional
        The least, over efforts, of the widest margin: what an oracle can promise.
    support : {"disjoint", "shared", "nested"}
        Each effort has beliefs of its own; all efforts share `observations` beliefs (and effort moves the state); an
        effort sees the prior or, the better it is the more often, one of `observations` - 1 common beliefs.
    dominated : int
        Add this many efforts that no payment can induce: mixtures of others, at a higher cost.
    skew : float
        From 0 (uniform prior) towards 1 (one state almost certain).
    decisions : int, optional
        Number of decisions; as many as states if left out.
    bound : float
    stake : float
        Size of the principal's utility.
    """
    draw = generator(rng)
    efforts = whole(efforts, "efforts", least=1)
    states = whole(states, "states", least=2)
    observations = whole(observations, "observations", least=1)
    support = member(support, "support", SUPPORTS)
    bound = number(bound, "bound", above=0)
    spread = number(spread, "spread", above=0, most=1)
    stake = number(stake, "stake", least=0)
    qualities = _qualities(quality, efforts)
    prior = _prior(draw, states, number(skew, "skew", least=0, most=0.99))
    beliefs, information = _information(draw, prior, qualities, observations, support)
    order = np.argsort(information @ quadratic(beliefs, 1.0).expected, kind="stable")
    information = information[order]
    costs = _costs(draw, beliefs, information, bound, spread)
    utility = _utility(draw, states, whole(states if decisions is None else decisions, "decisions", least=1))
    game = Game(beliefs, information, costs, stake * utility, bound)
    if margin is not None:
        game = with_margin(game, margin)
    return with_dominated(game, draw, dominated) if dominated else game


def random_contract(
    *,
    rng: Any = None,
    efforts: int = 4,
    outcomes: int = 4,
    spread: float = 1.0,
    margin: float | None = None,
    dominated: int = 0,
    bound: float = 1.0,
    stake: float = 2.0,
) -> Game:
    """Draw a contract game: better efforts make better outcomes more likely."""
    draw = generator(rng)
    efforts, outcomes = whole(efforts, "efforts", least=1), whole(outcomes, "outcomes", least=2)
    bound = number(bound, "bound", above=0)
    ladder = np.linspace(0, 1, outcomes)
    tilts = np.linspace(-1.5, 1.5, efforts) + draw.uniform(-0.2, 0.2, efforts)
    weights = np.exp(tilts[:, None] * 2 * ladder) * draw.gamma(4.0, size=(efforts, outcomes))
    chances = weights / weights.sum(axis=1, keepdims=True)
    chances = chances[np.argsort(chances @ ladder, kind="stable")]
    spread, stake = number(spread, "spread", above=0, most=1), number(stake, "stake", least=0)
    costs = _ladder(draw, chances @ ladder, bound, spread)
    game = Game.from_contract(chances, rewards=stake * ladder, costs=costs, bound=bound)
    if margin is not None:
        game = with_margin(game, margin)
    return with_dominated(game, draw, dominated) if dominated else game


def with_dominated(game: Game, rng: Any, count: int) -> Game:
    """Return `game` with `count` more efforts that no payment can induce."""
    draw, count = generator(rng), whole(count, "dominated", least=0)
    mixtures = draw.dirichlet(np.ones(len(game.costs)), size=count)
    premium = draw.uniform(0.02, 0.1, count) * game.bound
    return Game(
        game.beliefs,
        np.concatenate([game.information, mixtures @ game.information]),
        np.concatenate([game.costs, mixtures @ game.costs + premium]),
        game.utility,
        game.bound,
        game.penalty,
        states=game.states,
        decisions=game.decisions,
    )


def _qualities(quality: Any, efforts: int) -> Array:
    if not isinstance(quality, tuple | list | np.ndarray) or len(quality) != 2:
        raise InvalidInputError("quality must be two numbers, the first effort's and the last one's")
    low, high = (number(q, "quality", least=0, most=1) for q in quality)
    if low > high:
        raise InvalidInputError(f"quality must go up, not from {low:g} to {high:g}")
    return np.linspace(low, high, efforts) if efforts > 1 else np.array([high])


def _prior(draw: np.random.Generator, states: int, skew: float) -> Array:
    uniform = np.full(states, 1 / states)
    favourite = np.eye(states)[draw.integers(states)]
    result: Array = (1 - skew) * uniform + skew * favourite
    return result


def _information(
    draw: np.random.Generator, prior: Array, qualities: Array, observations: int, support: str
) -> tuple[Array, Array]:
    """Beliefs (M, W) and information (K, M)."""
    states, efforts = len(prior), len(qualities)
    if support == "disjoint":
        joint = np.empty((efforts, observations, states))
        for k, quality in enumerate(qualities):
            clear = draw.dirichlet(np.full(observations, 0.4), size=states).T
            blurred = (1 - quality) * clear.mean(axis=1, keepdims=True) + quality * clear
            joint[k] = blurred * prior
        game = Game.from_signals(joint, costs=np.zeros(efforts), utility=np.zeros((1, states)), bound=1)
        return game.beliefs, game.information
    if support == "nested":
        seen = draw.dirichlet(np.full(max(2, observations - 1), 0.4), size=states).T * prior
        chances = seen.sum(axis=1)
        beliefs = np.concatenate([prior[None, :], seen / chances[:, None]])
        information = np.concatenate([1 - qualities[:, None], qualities[:, None] * chances], axis=1)
        return beliefs, information
    beliefs = draw.dirichlet(0.7 * states * prior, size=observations)
    extreme = quadratic(beliefs, 1.0).expected
    tilt = np.exp(4 * qualities[:, None] * (extreme - extreme.mean()) / max(float(extreme.std()), 1e-3))
    weights = tilt * draw.gamma(2.0, size=(efforts, observations))
    return beliefs, weights / weights.sum(axis=1, keepdims=True)


def _costs(draw: np.random.Generator, beliefs: Array, information: Array, bound: float, spread: float) -> Array:
    return _ladder(draw, information @ quadratic(beliefs, 1.0).expected, bound, spread)


def _ladder(draw: np.random.Generator, earned: Array, bound: float, spread: float) -> Array:
    """Costs under which the rule that earns `earned` (K,), scaled up, induces one effort after another."""
    if len(earned) == 1:
        return np.zeros(1)
    steps = draw.uniform(0.5, 1.5, len(earned))
    scales = spread * bound * 0.9 * np.cumsum(steps)[:-1] / steps.sum()
    return np.concatenate([[0.0], np.cumsum(scales * np.diff(earned))])


def _utility(draw: np.random.Generator, states: int, decisions: int) -> Array:
    """Decisions that each suit one state, unevenly."""
    suits = np.eye(states)[np.arange(decisions) % states]
    result: Array = suits * draw.uniform(0.6, 1.4, (decisions, states)) + draw.uniform(-0.2, 0.2, (decisions, states))
    return result
