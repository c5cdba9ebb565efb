"""Setting: what the principal knows. A learner is given this."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorewright import document
from scorewright.errors import InvalidInputError
from scorewright.game.terms import Terms
from scorewright.validation import Array, Numbers, labels, read_only, table
from scorewright.values import Value


@dataclass(frozen=True, eq=False, init=False)
class Setting(Value):
    """The terms and the principal's own utility.

    Parameters
    ----------
    terms : Terms
        What both sides see.
    utility : (A, W) array
        The principal's utility by decision and state.
    decisions : sequence of labels, optional
    """

    terms: Terms
    utility: Array
    decisions: tuple[str, ...] | None

    def __init__(self, terms: Terms, utility: Numbers, decisions: Sequence[str] | None = None) -> None:
        if not isinstance(terms, Terms):
            raise InvalidInputError(f"terms must be a Terms, not {type(terms).__name__}")
        payoff = table(utility, "utility", ("decisions", "states"))
        states = terms.beliefs.shape[1]
        if payoff.shape[1] != states:
            raise InvalidInputError(
                f"utility has {payoff.shape[1]} columns but there are {states} states: one column per state"
            )
        self._set(terms=terms, utility=payoff, decisions=labels(decisions, "decisions", len(payoff), "decisions"))

    @cached_property
    def value(self) -> Array:
        """What a belief is worth to her before paying: ``u(sigma) = max_a <sigma, u(a, .)>``, (M,)."""
        return read_only((self.terms.beliefs @ self.utility.T).max(axis=1))

    @cached_property
    def decision(self) -> NDArray[np.intp]:
        """Her best decision at each belief, (M,); the first of equals."""
        result: NDArray[np.intp] = np.argmax(self.terms.beliefs @ self.utility.T, axis=1)
        result.setflags(write=False)
        return result

    def to_dict(self) -> dict[str, Any]:
        """Return the setting as a JSON-able document."""
        return document.stamp("setting", self.entries())

    def entries(self) -> dict[str, Any]:
        """Return the JSON-able entries of the setting, without the stamp."""
        return self.terms.to_dict() | {
            "utility": self.utility.tolist(),
            "decisions": None if self.decisions is None else list(self.decisions),
        }

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Setting:
        """Return the setting of a document that `to_dict` made."""
        entries = document.check(content, "setting")[1]
        return cls(Terms.from_entries(entries), entries["utility"], entries.get("decisions"))

    def save(self, path: document.Path_) -> None:
        """Write the setting to a JSON file; `scorewright.load` reads it."""
        document.write(path, self.to_dict())
