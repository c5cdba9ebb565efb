"""Expenses: what finding out has cost, and which pot paid for it (account.py says what may)."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, get_args

Pot = Literal["free", "allowance", "promise"]
"""What pays for a step; what is free is not entered."""

POTS: tuple[Pot, ...] = get_args(Pot)


@dataclass(frozen=True)
class Expenses:
    """What was taken from either pot so far, by what each step was thought to cost when it was taken."""

    allowance: float = 0.0
    promise: float = 0.0

    def charged(self, pot: Pot, cost: float) -> Expenses:
        """Enter the cost of a step."""
        if pot == "allowance":
            return replace(self, allowance=self.allowance + cost)
        return replace(self, promise=self.promise + cost) if pot == "promise" else self

    def save(self) -> dict[str, float]:
        """Return them, JSON-able."""
        return asdict(self)

    @staticmethod
    def load(saved: dict[str, Any]) -> Expenses:
        """Take back what `save` returned."""
        spent = Expenses(allowance=float(saved["allowance"]), promise=float(saved["promise"]))
        if len(saved) > 2 or not (0 <= spent.allowance < float("inf") and 0 <= spent.promise < float("inf")):
            raise ValueError("no learner spends less than nothing, or without end")
        return spent
