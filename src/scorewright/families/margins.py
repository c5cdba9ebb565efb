r"""Games with a given oracle margin.

The least margin :math:`m(c) = \min_k \max_S \min_{i \ne k} (q_k - q_i) \cdot s - (c_k - c_i)` is concave in the costs,
and the costs for which it is widest come from one linear program over costs and K rules at once. On the way from the
game's own costs to those, concavity says how far to go for the margin that is asked for; and raising the cost of the
effort with the least margin lowers that margin by as much and no other's, which makes it exact.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from scorewright import tolerance
from scorewright.errors import CannotInduceError, InvalidInputError
from scorewright.game import Game
from scorewright.optimum import margin
from scorewright.program import Program, Rows
from scorewright.rules import Polytope
from scorewright.validation import Array, expect, number


def with_margin(game: Game, least: float) -> Game:
    """Return `game` with costs moved so that the least of its widest margins is `least`.

    Raises
    ------
    CannotInduceError
        No costs do it: the error says how wide the least margin can be.
    """
    least = number(least, "margin", above=0)
    if len(expect(game, Game, "game").costs) == 1:
        raise InvalidInputError("a game with one effort has no margin to choose")
    costs, margins = np.array(game.costs), _margins(game)
    if margins.min() < least:
        best, greatest = widest_costs(game)
        if least > greatest - tolerance.FEASIBLE * tolerance.scale(game.bound):
            raise CannotInduceError(
                f"whatever the costs, some effort of this game has a margin of no more than {greatest:.6g}: "
                f"ask for less"
            )
        costs += min(1.0, (least - margins.min()) / (greatest - margins.min())) * (best - costs)
        margins = _margins(_with_costs(game, costs))
    worst = int(np.argmin(margins))
    costs[worst] += margins[worst] - least
    return _with_costs(game, costs)


def widest_costs(game: Game) -> tuple[Array, float]:
    """Return costs in [0, bound] for which the least margin is widest, and that margin."""
    efforts, size, unit = len(game.costs), game.beliefs.size, game.bound or 1.0
    polytope = Polytope(game.beliefs, game.setting.terms.lowest / unit, game.bound / unit)
    block, width = polytope.rows, efforts * size + efforts + 1
    rows = Rows(
        np.concatenate([[0], *(block.starts[1:] + k * len(block.entries) for k in range(efforts))]).astype(np.int32),
        np.concatenate([block.columns + k * size for k in range(efforts)]).astype(np.int32),
        np.tile(block.entries, efforts),
        np.tile(block.least, efforts),
    )
    incentives = []
    for k in range(efforts):
        for rival in range(efforts):
            if rival != k:
                row = np.zeros(width)
                row[k * size : (k + 1) * size] = (
                    (game.information[k] - game.information[rival])[:, None] * game.beliefs
                ).ravel()
                row[efforts * size + k], row[efforts * size + rival], row[-1] = -1.0, 1.0, -1.0
                incentives.append(row)
    lowest = np.concatenate([np.tile(polytope.lowest.ravel(), efforts), np.zeros(efforts), [-2.0]])
    highest = np.concatenate([np.full(efforts * size, polytope.highest), np.ones(efforts), [2.0]])
    objective = np.append(np.zeros(width - 1), -1.0)
    program = Program(objective, rows.over(np.array(incentives), np.zeros(len(incentives))), lowest, highest)
    point = program.optimum().point
    return point[efforts * size : -1] * unit, float(point[-1]) * unit


def _margins(game: Game) -> Array:
    return np.array([margin(game, effort).value for effort in range(len(game.costs))])


def _with_costs(game: Game, costs: Array) -> Game:
    """The same game at other costs, all shifted (which changes no incentive) if one went below zero."""
    return dataclasses.replace(game, costs=costs - min(0.0, float(costs.min())))
