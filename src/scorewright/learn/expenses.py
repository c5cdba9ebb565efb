"""Expenses: what finding out has cost, and which pot paid for it (account.py says what may)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

Pot = Literal["free", "allowance", "promise"]
"""What pays for a step; what is free is not entered."""


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
