r"""Contract design as a special case (the paper's first appendix), both ways.

A contract pays :math:`C(\omega)` for the outcome. When the agent sees the outcome itself, beliefs are point masses, and
the rule :math:`S(\hat\sigma, \omega) = 1\{\hat\sigma = e_\omega\}\,C(\omega)` pays the same; back again,
:math:`C(\omega) = S(e_\omega, \omega)`. In any other game a contract is a rule that does not listen to the report
(every row is C), so that scoring rules do at least as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from scorewright.errors import CannotInduceError, InvalidInputError
from scorewright.game import Game
from scorewright.program import Program, Rows
from scorewright.rules import Rule
from scorewright.validation import Array, expect, read_only, table


def rule_of(contract: Any) -> Rule:
    """Return the rule over point-mass beliefs that pays `contract` (W,) for a correct report and nothing otherwise.

    Examples
    --------
    >>> rule_of([0, 3]).payments.tolist()
    [[0.0, 0.0], [0.0, 3.0]]
    """
    payments = table(contract, "contract", ("outcome",))
    return Rule(np.diag(payments), np.eye(len(payments)))


def contract_of(rule: Rule) -> Array:
    """Return the contract (W,) that pays what `rule` pays for correct point reports.

    Examples
    --------
    >>> contract_of(rule_of([0, 3])).tolist()
    [0.0, 3.0]
    """
    states = expect(rule, Rule, "rule").beliefs.shape[1]
    points = np.eye(states)
    rows = [np.flatnonzero((rule.beliefs == point).all(axis=1)) for point in points]
    if any(len(row) == 0 for row in rows):
        raise InvalidInputError(
            f"this rule has no report for certainty in state {next(w for w, row in enumerate(rows) if len(row) == 0)}; "
            f"only a rule over point-mass beliefs is a contract"
        )
    return read_only(np.array([rule.payments[row[0], state] for state, row in enumerate(rows)]))


@dataclass(frozen=True)
class BestContract:
    """The best rule that pays by the state alone.

    Attributes
    ----------
    contract : (W,) array
        Payment per state.
    rule : Rule
        The same as a rule: every row is the contract.
    effort : int
    profit, payment : float
    """

    contract: Array
    rule: Rule
    effort: int
    profit: float
    payment: float


def best_contract(game: Game) -> BestContract:
    """Return the best contract for `game`: payments depend on the state, not on the report.

    The agent, whom the report can't help, still makes it truthfully.

    Examples
    --------
    >>> game = Game.from_contract([[0.5, 0.5], [0.2, 0.8]], rewards=[0, 10], costs=[0, 1], bound=20)
    >>> found = best_contract(game)
    >>> found.effort, found.contract.round(6).tolist(), round(found.profit, 6)
    (1, [0.0, 3.333333], 5.333333)
    """
    found = [_cheapest(game, effort) for effort in range(len(expect(game, Game, "game").costs))]
    best = max((contract for contract in found if contract is not None), key=lambda one: one.profit, default=None)
    if best is None:
        raise CannotInduceError("no effort can be induced by a contract, which can't be: please report this game")
    return best


def _cheapest(game: Game, effort: int) -> BestContract | None:
    unit = game.bound or 1.0
    outcomes, costs = game.prior, game.costs / unit
    states = outcomes.shape[1]
    program = Program(
        outcomes[effort],
        Rows.dense(outcomes[effort] - np.delete(outcomes, effort, axis=0), costs[effort] - np.delete(costs, effort)),
        np.zeros(states),
        np.full(states, game.bound / unit),
    )
    vertex = program.solve()
    if vertex is None:
        return None
    contract = vertex.point * unit
    rule = Rule(np.tile(contract, (len(game.beliefs), 1)), game.beliefs)
    payment = float(outcomes[effort] @ contract)
    return BestContract(read_only(contract), rule, effort, float(game.worth[effort]) - payment, payment)
