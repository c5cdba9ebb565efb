"""What `solve` answers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from scorewright.game import Game
from scorewright.optimum.certificate import Certificate, Multipliers
from scorewright.rules import Rule
from scorewright.validation import Array
from scorewright.values import Value


@dataclass(frozen=True, eq=False)
class Prices(Value):
    """What a small change of the game would be worth to the principal, in profit from this effort per unit.

    The best profit is concave in costs, bound and penalty taken together, so a price times a change is never less than
    the true gain, whatever the size of the change.

    Attributes
    ----------
    costs : (K,) array
        Of one unit more cost of each effort: at most 0 for the effort itself, at least 0 for its rivals.
    bound : float
        Of one unit more to pay at most.
    penalty : float
        Of one unit more to fine at most.
    """

    costs: Array
    bound: float
    penalty: float


@dataclass(frozen=True, eq=False)
class Induced(Value):
    """The cheapest way to get one effort.

    Attributes
    ----------
    effort : int
    profit : float
        The principal's expected utility less payment.
    payment : float
        Expected payment.
    rule : Rule
        The rule that does it.
    certificate : Certificate
        Proof, in profit: `primal` is attained, `dual` can't be beaten.
    prices : Prices
        What changes of the game are worth.
    multipliers : Multipliers
        Prices of the constraints, from which the certificate can be recomputed.
    """

    effort: int
    profit: float
    payment: float
    rule: Rule
    certificate: Certificate
    prices: Prices
    multipliers: Multipliers


@dataclass(frozen=True, eq=False)
class Reason(Value):
    """Why an effort can't be induced. ``str`` puts it in words.

    Attributes
    ----------
    effort : int
    margin : float
        The best that any rule can do for the effort against its rivals: negative, or less than what was asked for.
    least_bound : float
        Bound at which it could be induced; infinite if none would do, NaN where a margin or strength was asked for.
    certificate : Certificate
        `dual` is the margin that no rule can beat.
    multipliers : Multipliers
        The proof, a Farkas certificate: `multipliers.rivals` is a mixture of rivals that beats the effort whatever the
        rule.
    words : str
        The reason as a sentence.
    """

    effort: int
    margin: float
    least_bound: float
    certificate: Certificate
    multipliers: Multipliers
    words: str

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True, eq=False, repr=False)
class Solution(Value):
    """The optimum of a known game.

    Attributes
    ----------
    game : Game
    effort : int
        The effort that the principal should buy.
    profit, payment : float
        Her expected profit and the expected payment.
    rule : Rule
        The rule that does it.
    by_effort : tuple of Induced or None
        The cheapest way to each effort; None where it can't be induced.
    reasons : tuple of Reason or None
        Why not, where `by_effort` is None.
    certificate : Certificate
        Proof for the whole game, in profit: no rule, whichever effort it induces, earns more than `dual`.
    """

    game: Game
    effort: int
    by_effort: tuple[Induced | None, ...]
    reasons: tuple[Reason | None, ...]

    @property
    def best(self) -> Induced:
        """The entry of `by_effort` that is best."""
        found = self.by_effort[self.effort]
        if found is None:  # never: `solve` chooses among those that are there
            raise LookupError("the best effort can't be induced")
        return found

    @property
    def profit(self) -> float:
        """The principal's best expected profit."""
        return self.best.profit

    @property
    def payment(self) -> float:
        """Expected payment under the best rule."""
        return self.best.payment

    @property
    def rule(self) -> Rule:
        """The best rule."""
        return self.best.rule

    @property
    def certificate(self) -> Certificate:
        """Proof that no rule earns more, whichever effort it induces."""
        most = max(found.certificate.dual for found in self.by_effort if found is not None)
        return Certificate.of(self.profit, most, self.best.certificate.violation)

    def to_dict(self) -> dict[str, Any]:
        """Return the solution as JSON-able entries."""
        return {
            "effort": self.effort,
            "effort_name": self.game.name(self.effort),
            "profit": self.profit,
            "payment": self.payment,
            "certificate": _certificate(self.certificate),
            "by_effort": [
                None
                if found is None
                else {
                    "effort": found.effort,
                    "profit": found.profit,
                    "payment": found.payment,
                    "payments": found.rule.payments.tolist(),
                    "certificate": _certificate(found.certificate),
                    "prices": {
                        "costs": found.prices.costs.tolist(),
                        "bound": found.prices.bound,
                        "penalty": found.prices.penalty,
                    },
                }
                for found in self.by_effort
            ],
            "reasons": [
                None
                if reason is None
                else {
                    "effort": reason.effort,
                    "words": reason.words,
                    "margin": reason.margin,
                    "rivals": reason.multipliers.rivals.tolist(),
                    "least_bound": reason.least_bound if math.isfinite(reason.least_bound) else None,
                }
                for reason in self.reasons
            ],
            "rule": self.rule.to_dict(),
        }

    def __repr__(self) -> str:
        return (
            f"Solution(effort={self.game.name(self.effort)!r}, profit={self.profit:.9g}, payment={self.payment:.9g}, "
            f"gap={self.certificate.gap:.1e})"
        )


def _certificate(certificate: Certificate) -> dict[str, float]:
    return {
        "primal": certificate.primal,
        "dual": certificate.dual,
        "gap": certificate.gap,
        "violation": certificate.violation,
    }
