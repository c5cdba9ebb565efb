r"""Oracle by random sampling (the paper's first example).

Draw a rule S uniformly from the :math:`\beta`-strongly proper ones, with payments in :math:`[\kappa, B_S]` where
:math:`\kappa = d_1^2 \beta / 2` and :math:`d_1` is the least L-infinity distance between two beliefs. See which effort
answers, then lower one belief's row after the other by :math:`\kappa`: each :math:`S - \kappa e_i` is still proper and
payable. If all M of them are answered with the same effort, S is accepted, and induces it with a margin of at least
:math:`d_2 \kappa`; at the first that is not, S is rejected. The first accepted sample of each effort is kept. If every
effort has at least a share :math:`\eta` of the class by volume, :math:`O(M K \log K / \eta)` rounds find them all.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from scorewright.errors import CannotInduceError, InvalidInputError
from scorewright.game import Setting
from scorewright.rules import Rule, Sampler, quadratic
from scorewright.validation import Array, number, whole


@dataclass(frozen=True)
class RandomSampling:
    """Acquire an oracle by random sampling.

    Parameters
    ----------
    strength : float, optional
        The paper's beta; by default a tenth of the strength of the quadratic rule.
    rounds : int
        Budget; the procedure also ends when every named effort has a rule.
    """

    strength: float | None = None
    rounds: int = 1000

    def __post_init__(self) -> None:
        if self.strength is not None:
            number(self.strength, "strength", above=0)
        whole(self.rounds, "rounds", least=1)

    def start(self, setting: Setting, rng: np.random.Generator) -> Sampling:
        """Begin."""
        return Sampling(setting, self, rng)

    def options(self) -> dict[str, Any]:
        """Return the recipe as JSON-able entries."""
        return {"procedure": "random-sampling", "strength": self.strength, "rounds": self.rounds}


class Sampling:
    """Random sampling under way."""

    def __init__(self, setting: Setting, recipe: RandomSampling, rng: np.random.Generator) -> None:
        terms = setting.terms
        beliefs = terms.beliefs
        apart = np.abs(beliefs[:, None] - beliefs[None]).max(axis=2)
        nearest = float(apart[~np.eye(len(beliefs), dtype=bool)].min(initial=np.inf))
        if not 0 < nearest < np.inf:
            raise InvalidInputError("random sampling needs at least two beliefs, all different")
        self.strength = 0.1 * quadratic(beliefs, terms.bound).strength if recipe.strength is None else recipe.strength
        self.kappa = nearest**2 * self.strength / 2
        if self.kappa >= terms.bound:
            raise CannotInduceError(f"strength {self.strength:g} asks for more than the bound {terms.bound:g} can pay")
        self._sampler = Sampler(beliefs, terms.bound, self.strength, least=self.kappa)
        self._wanted = None if terms.efforts is None else len(terms.efforts)
        self._left, self._rng, self._beliefs = recipe.rounds, rng, beliefs
        self._candidate: Array | None = None
        self._effort: int | None = None
        self._confirmed = 0
        self._found: dict[int, Array] = {}

    def propose(self) -> tuple[Rule, str] | None:
        """Return the next rule to play and why, or None when all efforts are found or the budget is spent."""
        if self._left == 0 or (self._wanted is not None and len(self._found) == self._wanted):
            return None
        if self._candidate is None:
            self._candidate = np.array(self._sampler.draw(self._rng).payments)
        payments = self._candidate.copy()
        if self._effort is None:
            return Rule(payments, self._beliefs), "a random rule, to see which effort it buys"
        payments[self._confirmed] -= self.kappa
        why = f"the random rule less {self.kappa:.3g} for belief {self._confirmed}: effort {self._effort} still?"
        return Rule(payments, self._beliefs), why

    def sought(self) -> int:
        """Return the effort being confirmed, or else the first one without a rule."""
        return next(k for k in itertools.count() if k not in self._found) if self._effort is None else self._effort

    def told(self, effort: int) -> None:
        """Take in the answer to the rule proposed."""
        self._left -= 1
        if self._candidate is None:
            return
        if self._effort is None:
            if effort in self._found:
                self._candidate = None
            else:
                self._effort, self._confirmed = effort, 0
        elif effort != self._effort:
            self._candidate = self._effort = None
        else:
            self._confirmed += 1
            if self._confirmed == len(self._beliefs):
                self._found[effort] = self._candidate
                self._candidate = self._effort = None

    def rules(self) -> dict[int, Rule]:
        """Return the accepted rule of each effort."""
        return {effort: Rule(payments, self._beliefs) for effort, payments in self._found.items()}

    def state(self) -> dict[str, Any]:
        """Return where the procedure is, JSON-able."""
        return {
            "left": self._left,
            "random": _plain(self._rng.bit_generator.state),
            "candidate": None if self._candidate is None else self._candidate.tolist(),
            "effort": self._effort,
            "confirmed": self._confirmed,
            "found": [[effort, payments.tolist()] for effort, payments in self._found.items()],
        }

    def load(self, state: dict[str, Any]) -> None:
        """Go on from a saved state."""
        self._left, self._effort, self._confirmed = state["left"], state["effort"], state["confirmed"]
        kind = getattr(np.random, state["random"]["bit_generator"])
        self._rng = np.random.Generator(kind())
        self._rng.bit_generator.state = _arrays(state["random"])
        self._candidate = None if state["candidate"] is None else np.array(state["candidate"])
        self._found = {effort: np.array(payments) for effort, payments in state["found"]}


def _plain(state: Any) -> Any:
    """A generator's state with its arrays as lists."""
    if isinstance(state, Mapping):
        return {key: _plain(value) for key, value in state.items()}
    return state.tolist() if isinstance(state, np.ndarray) else state


def _arrays(state: Any) -> Any:
    """A generator's state with its lists as arrays."""
    if isinstance(state, Mapping):
        return {key: _arrays(value) for key, value in state.items()}
    return np.array(state, dtype=np.uint64) if isinstance(state, list) else state
