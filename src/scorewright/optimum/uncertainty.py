"""What `solve` answers when the information is uncertain, and how that uncertainty is said."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from scorewright import tolerance
from scorewright.errors import InvalidInputError
from scorewright.game import Game
from scorewright.optimum.certificate import Certificate
from scorewright.optimum.solution import Solution
from scorewright.rules import Rule
from scorewright.validation import Array, number, probabilities
from scorewright.values import Value


@dataclass(frozen=True, eq=False, init=False)
class Uncertainty(Value):
    """A set of plausible information structures, (R, K, M)."""

    information: Array

    def __init__(self, information: Any) -> None:
        chances = probabilities(information, "uncertainty", ("scenarios", "efforts", "beliefs"))
        self._set(information=chances)

    def central(self, estimate: Array, probability: float) -> Uncertainty:
        r"""The share `probability` of the scenarios that are nearest to the `estimate`: a confidence set.

        Distance is in standard errors: :math:`\sum_{km} (q^r_{km} - q_{km})^2 / \text{var}_{km}`.
        """
        share = number(probability, "probability", above=0, most=1)
        drawn = self.information
        spread = np.maximum(drawn.var(axis=0), tolerance.PROBABILITY)
        far = (np.square(drawn - estimate) / spread).sum(axis=(1, 2))
        kept = np.argsort(far, kind="stable")[: max(1, round(share * len(drawn)))]
        return Uncertainty(drawn[np.sort(kept)])

    def __len__(self) -> int:
        return len(self.information)


@dataclass(frozen=True, eq=False)
class RobustlyInduced(Value):
    """The rule that induces one effort in every scenario and earns most in the worst.

    Attributes
    ----------
    effort : int
    profit : float
        Earned in every scenario: the worst of them.
    estimated : float
        Earned if the game is as estimated.
    payment : float
        Expected payment in the game as estimated.
    rule : Rule
    certificate : Certificate
        Proof, in worst-case profit.
    """

    effort: int
    profit: float
    estimated: float
    payment: float
    rule: Rule
    certificate: Certificate


@dataclass(frozen=True)
class Doubtful:
    """Why an effort can't be induced in every scenario. ``str`` puts it in words.

    Attributes
    ----------
    effort : int
    margin : float
        The best that any rule can do for the effort in the worst scenario: negative, or less than what was asked for.
    certificate : Certificate
        `dual` is the margin that no rule can beat.
    words : str
    """

    effort: int
    margin: float
    certificate: Certificate
    words: str

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True, eq=False, repr=False)
class RobustSolution(Value):
    """The best rule against a set of plausible games.

    Attributes
    ----------
    game : Game
        As estimated.
    uncertainty : Uncertainty
    effort : int
    by_effort : tuple of RobustlyInduced or None
    reasons : tuple of Doubtful or None
    plain : Solution
        The optimum if the estimate were the truth.
    """

    game: Game
    uncertainty: Uncertainty
    effort: int
    by_effort: tuple[RobustlyInduced | None, ...]
    reasons: tuple[Doubtful | None, ...]
    plain: Solution

    @property
    def best(self) -> RobustlyInduced:
        """The entry of `by_effort` that is best."""
        found = self.by_effort[self.effort]
        if found is None:  # never: `robust` chooses among those that are there
            raise LookupError("the best effort can't be induced")
        return found

    @property
    def profit(self) -> float:
        """Profit in the worst scenario."""
        return self.best.profit

    @property
    def estimated(self) -> float:
        """Profit if the game is as estimated."""
        return self.best.estimated

    @property
    def payment(self) -> float:
        """Expected payment if the game is as estimated."""
        return self.best.payment

    @property
    def rule(self) -> Rule:
        """The rule that does it."""
        return self.best.rule

    @property
    def price(self) -> float:
        """The price of robustness: what the plain optimum promises more, if the game is as estimated."""
        return self.plain.profit - self.best.estimated

    @cached_property
    def certificate(self) -> Certificate:
        """Proof that no rule earns more in the worst scenario, whichever effort it induces in all of them."""
        most = max(found.certificate.dual for found in self.by_effort if found is not None)
        return Certificate.of(self.profit, most, self.best.certificate.violation)

    def to_dict(self) -> dict[str, Any]:
        """Return the solution as JSON-able entries."""
        return {
            "effort": self.effort,
            "effort_name": self.game.name(self.effort),
            "profit": self.profit,
            "estimated": self.estimated,
            "payment": self.payment,
            "price": self.price,
            "plain": {"effort": self.plain.effort, "profit": self.plain.profit, "payment": self.plain.payment},
            "scenarios": len(self.uncertainty),
            "gap": self.certificate.gap,
            "violation": self.certificate.violation,
            "reasons": [None if reason is None else reason.words for reason in self.reasons],
            "rule": self.rule.to_dict(),
        }

    def __repr__(self) -> str:
        return (
            f"RobustSolution(effort={self.game.name(self.effort)!r}, profit={self.profit:.9g}, "
            f"estimated={self.estimated:.9g}, price={self.price:.9g}, scenarios={len(self.uncertainty)})"
        )


def as_uncertainty(said: Any, game: Game) -> Uncertainty:
    """Read what `solve` was given: an Uncertainty, whatever has one (an Assessment), or an array (R, K, M)."""
    said = getattr(said, "uncertainty", said)
    known = said if isinstance(said, Uncertainty) else Uncertainty(said)
    if known.information.shape[1:] != game.information.shape:
        raise InvalidInputError(
            f"uncertainty has scenarios of {known.information.shape[1]} efforts and {known.information.shape[2]} "
            f"beliefs; this game has {game.information.shape[0]} and {game.information.shape[1]}"
        )
    return known
