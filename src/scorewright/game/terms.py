"""Terms: what both sides see. An agent is given this and nothing else, so that a leak is a type error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from scorewright import tolerance
from scorewright.errors import InvalidInputError
from scorewright.validation import Array, Numbers, index, labels, number, probabilities, read_only
from scorewright.values import Value


@dataclass(frozen=True, eq=False, init=False)
class Terms(Value):
    """The terms of trade.

    Parameters
    ----------
    beliefs : (M, W) array
        The posteriors that the agent can hold, and so the menu of reports.
    bound : float
        Largest payment; payments lie in [0, bound].
    penalty : float
        Largest fine in a state to which the reported belief gives probability zero; the truthful agent never pays it.
    efforts, states : sequences of labels, optional
        An agent whose `efforts` are not named may have any number of them.
    """

    beliefs: Array
    bound: float
    penalty: float
    efforts: tuple[str, ...] | None
    states: tuple[str, ...] | None

    def __init__(
        self,
        beliefs: Numbers,
        bound: float,
        penalty: float = 0.0,
        efforts: Sequence[str] | None = None,
        states: Sequence[str] | None = None,
    ) -> None:
        support = probabilities(beliefs, "beliefs", ("beliefs", "states"))
        self._set(
            beliefs=support,
            bound=_bound(bound),
            penalty=number(penalty, "penalty", least=0),
            efforts=labels(efforts, "efforts", None, "efforts"),
            states=labels(states, "states", support.shape[1], "states"),
        )

    @cached_property
    def lowest(self) -> Array:
        """Smallest payment per report and state: 0, or ``-penalty`` where the report rules the state out, (M, W)."""
        return read_only(np.where(self.beliefs == 0, -self.penalty, 0.0) + 0.0)

    def state(self, state: Any) -> int:
        """Position of a state given by number or label."""
        return index(state, "state", self.states, self.beliefs.shape[1])

    def to_dict(self) -> dict[str, Any]:
        """Return the terms as JSON-able entries (a game's or a setting's document holds them)."""
        return {
            "beliefs": self.beliefs.tolist(),
            "bound": self.bound,
            "penalty": self.penalty,
            "efforts": None if self.efforts is None else list(self.efforts),
            "states": None if self.states is None else list(self.states),
        }

    @classmethod
    def from_entries(cls, entries: Mapping[str, Any]) -> Terms:
        """Return the terms among the entries of a larger document."""
        names = ("beliefs", "bound", "penalty", "efforts", "states")
        return cls(**{name: entries[name] for name in names if name in entries})


def _bound(value: Any) -> float:
    bound = number(value, "bound", least=0)
    if 0 < bound < tolerance.SMALLEST:
        raise InvalidInputError(f"bound is {bound:g}; it must be 0 or at least {tolerance.SMALLEST:g}")
    return bound
