r"""Oracle by linear search (the paper's second example).

Pay a share :math:`\lambda` of the principal's utility, :math:`S = \lambda\,u(a^*(\sigma), \omega)`. When the marginal
gain of information decays, small shares buy the first effort, larger ones the next, and so on up to the last. Play the
two ends of the range, then halve, widest first, every segment between neighbouring shares that are answered
differently. Each effort's rule is the middle of the segment of shares that it answered.

The range is R = min(2 / epsilon, B_S / max u), with u raised to be nonnegative; with epsilon and b (the decay and the
largest ratio of gain to cost) known, segments are halved to the depth ceil(log2(2 R b (b - epsilon) / epsilon)), which
finds every effort and its margin in O(K log(1/epsilon)) rounds; unknown, to a budget of rounds.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from scorewright.errors import InvalidInputError
from scorewright.game import Setting
from scorewright.rules import Rule, linear
from scorewright.validation import number, whole


@dataclass(frozen=True)
class LinearSearch:
    """Acquire an oracle by paying shares of the principal's utility.

    Parameters
    ----------
    rounds : int
        Budget of rounds.
    epsilon, b : float, optional
        The decay of the marginal gain and its largest value, where known: they limit the range and the depth.
    """

    rounds: int = 100
    epsilon: float | None = None
    b: float | None = None

    def __post_init__(self) -> None:
        whole(self.rounds, "rounds", least=2)
        if (self.epsilon is None) != (self.b is None):
            raise InvalidInputError("give both epsilon and b, or neither")
        if self.epsilon is not None and self.b is not None:
            number(self.epsilon, "epsilon", above=0)
            number(self.b, "b", above=self.epsilon)

    def start(self, setting: Setting, rng: np.random.Generator) -> Halving:
        """Begin."""
        del rng
        return Halving(setting, self)

    def options(self) -> dict[str, Any]:
        """Return the recipe as JSON-able entries."""
        return {"procedure": "linear-search", "rounds": self.rounds, "epsilon": self.epsilon, "b": self.b}


class Halving:
    """A linear search under way."""

    def __init__(self, setting: Setting, recipe: LinearSearch) -> None:
        self._unit = linear(setting.terms.beliefs, setting.utility, 1.0)
        top = float(setting.utility.max() - min(0.0, setting.utility.min()))
        if top <= 0:
            raise InvalidInputError("the principal's utility is the same whatever happens: there is nothing to share")
        self.reach = setting.terms.bound / top
        self._narrowest = 0.0
        if recipe.epsilon is not None and recipe.b is not None:
            self.reach = min(2 / recipe.epsilon, self.reach)
            depth = math.ceil(math.log2(2 * self.reach * recipe.b * (recipe.b - recipe.epsilon) / recipe.epsilon))
            self._narrowest = self.reach / 2 ** max(0, depth)
        self._left = recipe.rounds
        self._efforts = None if setting.terms.efforts is None else len(setting.terms.efforts)
        self._seen: list[tuple[float, int]] = []

    def propose(self) -> tuple[Rule, str] | None:
        """Return the next rule to play and why, or None when nothing is left to halve or the budget is spent."""
        share = self._next()
        if self._left == 0 or share is None:
            return None
        return self._unit.scaled(share), f"a share of {share:.6g} of the utility, to see which effort it buys"

    def _next(self) -> float | None:
        if len(self._seen) < 2:
            return (0.0, self.reach)[len(self._seen)]
        ordered = sorted(self._seen)
        gaps = [
            (high - low, -low)
            for (low, one), (high, other) in itertools.pairwise(ordered)
            if one != other and high - low > self._narrowest * (1 + 1e-9)
        ]
        if not gaps:
            return None
        width, minus_low = max(gaps)
        middle = -minus_low + width / 2
        return middle if -minus_low < middle < -minus_low + width else None

    def sought(self) -> int:
        """Return the first effort that has not answered yet."""
        answered = {effort for _, effort in self._seen}
        unseen = next(k for k in itertools.count() if k not in answered)
        return unseen if self._efforts is None else min(unseen, self._efforts - 1)

    def told(self, effort: int) -> None:
        """Take in the answer to the rule proposed."""
        share = self._next()
        if share is not None:
            self._seen.append((share, effort))
        self._left -= 1

    def rules(self) -> dict[int, Rule]:
        """Return for each effort the rule in the middle of its shares."""
        found = {}
        for effort in {effort for _, effort in self._seen}:
            shares = [share for share, seen in self._seen if seen == effort]
            found[effort] = self._unit.scaled((min(shares) + max(shares)) / 2)
        return found

    def state(self) -> dict[str, Any]:
        """Return where the procedure is, JSON-able."""
        return {"left": self._left, "seen": [list(pair) for pair in self._seen]}

    def load(self, state: dict[str, Any]) -> None:
        """Go on from a saved state."""
        self._left = state["left"]
        self._seen = [(share, effort) for share, effort in state["seen"]]
