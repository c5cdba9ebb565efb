"""What the principal decides: the usual decisions, as utilities over the states of a table.

Each is a recipe that is told the states when the table has been read: ``recipe(states)`` gives the utility (A, W) and
the names of the decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from scorewright.errors import InvalidInputError
from scorewright.validation import Array, Numbers, member, number, read_only, table

Decisions: TypeAlias = tuple[Array, tuple[str, ...] | None]
Recipe: TypeAlias = Callable[[Sequence[str]], Decisions]


def classify(errors: Any = 1.0) -> Recipe:
    """Name the state; being wrong costs.

    Parameters
    ----------
    errors : float, mapping or (W, W) array
        What every error costs; or ``{state: cost}``, what it costs to miss each state; or the cost by what was said
        (rows) and what is true (columns).

    Examples
    --------
    >>> classify({"healthy": 2, "disease": 10})(("healthy", "disease"))[0].tolist()
    [[0.0, -10.0], [-2.0, 0.0]]
    """

    def recipe(states: Sequence[str]) -> Decisions:
        count = len(states)
        if isinstance(errors, Mapping):
            missed = _by_state(errors, states, "errors")
            costs = np.where(np.eye(count, dtype=bool), 0.0, missed[None, :])
        elif np.ndim(errors) == 0:
            costs = number(errors, "errors", least=0) * (1 - np.eye(count))
        else:
            costs = np.array(table(errors, "errors", ("said", "true")))
            if costs.shape != (count, count):
                raise InvalidInputError(f"errors has shape {costs.shape} for {count} states: a row and column for each")
        return read_only(0.0 - costs), tuple(states)

    return recipe


def invest(gains: Any) -> Recipe:
    """Invest or stay out: investing gains (or loses) by the state, staying out is zero.

    Parameters
    ----------
    gains : mapping or (W,) array
        ``{state: gain}``, or the gains in the order of the states.

    Examples
    --------
    >>> invest({"up": 100, "down": -80})(("down", "up"))
    (array([[  0.,   0.], [-80., 100.]]), ('stay out', 'invest'))
    """

    def recipe(states: Sequence[str]) -> Decisions:
        gained = _by_state(gains, states, "gains")
        return read_only(np.stack([np.zeros(len(states)), gained])), ("stay out", "invest")

    return recipe


def newsvendor(price: float, cost: float, salvage: float = 0.0, demand: Any = None) -> Recipe:
    """Order a quantity before demand is known: sell at `price` what is asked for, what is left at `salvage`.

    Parameters
    ----------
    price, cost, salvage : float
        Per unit; ``salvage < cost < price``.
    demand : mapping or (W,) array, optional
        How much is asked for in each state; by default the states' own labels, read as numbers. The decisions are to
        order one of these quantities.

    Examples
    --------
    >>> newsvendor(price=5, cost=3)(("0", "10"))[0].tolist()
    [[0.0, 0.0], [-30.0, 20.0]]
    """
    sold, bought, left = (number(v, n) for v, n in ((price, "price"), (cost, "cost"), (salvage, "salvage")))
    if not left < bought < sold:
        raise InvalidInputError(f"salvage {left:g}, cost {bought:g} and price {sold:g} must ascend")

    def recipe(states: Sequence[str]) -> Decisions:
        if demand is None:
            try:
                asked = np.array([float(state) for state in states])
            except ValueError:
                raise InvalidInputError(
                    f"the states {', '.join(map(repr, states))} are no quantities: say demand={{state: quantity}}"
                ) from None
        else:
            asked = _by_state(demand, states, "demand")
        if (asked < 0).any():
            raise InvalidInputError(f"demand holds {asked.min():g}; a quantity can't be negative")
        orders = np.unique(asked)
        met = np.minimum(orders[:, None], asked[None, :])
        utility = sold * met + left * (orders[:, None] - met) - bought * orders[:, None]
        return read_only(utility), tuple(f"order {order:g}" for order in orders)

    return recipe


def utility_of(utility: Recipe | Numbers, states: Sequence[str], decisions: Sequence[str] | None) -> Decisions:
    """The utility (A, W) that is meant, and the names of the decisions."""
    if callable(utility):
        payoff, names = utility(states)
        return payoff, tuple(decisions) if decisions is not None else names
    payoff = table(utility, "utility", ("decisions", "states"))
    if payoff.shape[1] != len(states):
        raise InvalidInputError(
            f"utility has {payoff.shape[1]} columns but the table has {len(states)} states, in this order: "
            f"{', '.join(map(repr, states))}"
        )
    return payoff, tuple(decisions) if decisions is not None else None


def _by_state(said: Any, states: Sequence[str], name: str) -> Array:
    """One number per state, from a mapping by label or a list in order."""
    if isinstance(said, Mapping):
        given = {str(state): value for state, value in said.items()}
        for state in given:
            member(state, f"state in {name}", tuple(states))
        missing = [state for state in states if state not in given]
        if missing:
            raise InvalidInputError(f"{name} has no entry for state {missing[0]!r}")
        said = [given[state] for state in states]
    result = table(said, name, ("state",))
    if len(result) != len(states):
        raise InvalidInputError(f"{name} has {len(result)} entries for {len(states)} states")
    return result
