"""Opening: what an oracle's rules cost to look at."""

from __future__ import annotations

import json

import numpy as np
import pytest

import scorewright as sw
from scorewright.learn.opening import FirstPlays, Opening

GAME = sw.families.random(rng=4)
NAMES = ["skim", "read", "study"]


def played(answers: dict[tuple[int, float], int], oracle: list[sw.Rule | None]) -> list[tuple[int, float]]:
    """Efforts and sizes in the order of their first plays, given who answers which."""
    plays, order = FirstPlays(oracle, NAMES), []
    while (move := plays.next()) is not None:
        whole = oracle[move.target].payments
        size = float(move.payments.max() / whole.max()) if whole.any() else 0.0
        assert np.allclose(move.payments, whole if size == 0 else size * whole)
        assert move.phase == "oracle"
        assert NAMES[move.target] in move.why
        order.append((move.target, size))
        plays.hear(answers[order[-1]])
        resumed = FirstPlays(oracle, NAMES)
        resumed.load(json.loads(json.dumps(plays.save())))
        plays = resumed
    plays.hear(0)
    assert plays.next() is None
    return order


def rules(*sizes: float) -> list[sw.Rule | None]:
    """The quadratic rule at several sizes."""
    return [None if np.isnan(size) else sw.rules.quadratic(GAME.beliefs, 1.0).scaled(size) for size in sizes]


def test_half_of_each_rule_is_enough_if_it_is_answered():
    """What pays nothing can't be halved; what is not known is not played."""
    assert played({(0, 0.0): 0, (1, 0.5): 1, (2, 0.5): 2}, rules(0, 0.6, 0.8)) == [(0, 0.0), (1, 0.5), (2, 0.5)]
    assert played({(0, 0.0): 0, (2, 0.5): 2}, rules(0, np.nan, 0.8)) == [(0, 0.0), (2, 0.5)]


def test_the_whole_rule_is_played_where_half_of_it_fails():
    """Once, whoever answers it: an oracle may be wrong, and then there is nothing more to be had of it."""
    order = played({(0, 0.0): 0, (1, 0.5): 0, (1, 1.0): 1, (2, 0.5): 0, (2, 1.0): 0}, rules(0, 0.6, 0.8))
    assert order == [(0, 0.0), (1, 0.5), (1, 1.0), (2, 0.5), (2, 1.0)]
    assert played({(0, 0.0): 1, (2, 0.5): 2}, rules(0, 0.6, 0.8)) == [(0, 0.0), (2, 0.5)]


def test_an_effort_that_another_rule_has_shown_is_not_played():
    """Half of the second's rule showed the third."""
    answers = {(0, 0.0): 0, (1, 0.5): 2, (1, 1.0): 1}
    assert played(answers, rules(0, 0.6, 0.8)) == [(0, 0.0), (1, 0.5), (1, 1.0)]


@pytest.mark.parametrize("seed", range(4))
def test_first_plays_show_every_effort_and_cost_less_than_the_oracle(seed):
    """On random games about half."""
    game = sw.families.random(rng=[7, seed])
    oracle = sw.oracles.best_margin(game)
    best = sw.solve(game).profit
    learner = sw.learn.Haggler(game.setting, oracle, rng=seed)
    paid, efforts = 0.0, set()
    while (offer := learner.ask()).phase == "oracle":
        effort = game.respond(offer.rule)
        paid += best - game.profit(offer.rule)
        efforts.add(effort)
        learner.tell(offer, effort, int(np.argmax(game.information[effort])))
    assert efforts == set(range(len(game.costs)))
    assert paid < 0.8 * sum(best - game.profit(rule) for rule in oracle if rule is not None)


@pytest.mark.parametrize(
    "damage", [{"left": [1]}, {"left": [2, 2]}, {"left": [0.5]}, {"size": -1.0}, {"size": float("nan")}, {"size": 5.0}]
)
def test_first_plays_that_are_not_of_this_oracle_are_refused(damage):
    """An effort without a rule or twice, and sizes that are never offered."""
    plays = FirstPlays(rules(0, np.nan, 0.8), NAMES)
    plays.load({"left": [2], "size": 0.5})
    with pytest.raises(ValueError, match="none of this oracle's"):
        plays.load({"left": [2], "size": 0.5} | damage)


@pytest.mark.parametrize(
    "tried", [[0, 9.0, 1], [0, float("nan"), 1], [99, 0.5, 1], [-5, 0.5, 1], [0, 0.5, -1], [0, -0.5, 1]]
)
def test_an_opening_that_offers_what_none_does_is_refused(tried):
    """A rule beyond its bound, of no shape, or answered by nobody."""
    opening = Opening(GAME.setting)
    opening.load({"tried": [[0, 0.5, 1]], "trying": [1, 0.25]})
    with pytest.raises(ValueError, match="no opening does"):
        opening.load({"tried": [[0, 0.0, 0], tried], "trying": None})
    with pytest.raises(ValueError, match="no opening does"):
        opening.load({"tried": [], "trying": [tried[0] if tried[2] > 0 else 99, tried[1]]})
