"""Moves: what a learner does next, and why."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Self

import numpy as np

from scorewright.kernel import Phase
from scorewright.validation import Array


@dataclass(frozen=True, eq=False)
class Move:
    """What to offer next, and why.

    Attributes
    ----------
    phase : str
    target : int
        The effort that it should buy.
    payments : (M, W) array
    repeats : int
        For how many rounds, unless it is answered otherwise.
    why : str
    chance : float
        Of failure, as the worlds have it; 0 for a rule that was answered before.
    campaign : int or None
        The effort whose budget pays for it.
    price, loss : float
        What it costs a round against the incumbent if it works, and if it fails.
    charged : int or None
        The effort on whose allowance that is entered (account.py); none if nothing is limited.
    """

    phase: Phase
    target: int
    payments: Array
    repeats: int
    why: str
    chance: float = 0.0
    campaign: int | None = None
    price: float = 0.0
    loss: float = 0.0
    charged: int | None = None

    def cost(self, effort: int) -> float:
        """What a round of it cost that was answered by an effort."""
        return self.price if effort == self.target else self.loss

    @property
    def at_most(self) -> float:
        """What it may cost against the incumbent in all."""
        return self.repeats * max(self.price, self.loss)

    def fits(self, shape: tuple[int, ...], efforts: int) -> bool:
        """Whether it is an offer of payments of this shape, entered on the accounts of these efforts."""
        entered = [effort for effort in (self.charged, self.campaign) if effort is not None]
        known = all(type(effort) is int and 0 <= effort < efforts for effort in entered)
        return self.payments.shape == shape and known

    def to_dict(self) -> dict[str, Any]:
        """Return the move, JSON-able."""
        return asdict(self) | {"payments": self.payments.tolist()}

    @classmethod
    def from_dict(cls, saved: dict[str, Any]) -> Self:
        """Take back what `to_dict` returned."""
        move = cls(**(saved | {"payments": np.array(saved["payments"], dtype=np.float64)}))
        if not np.isfinite([move.chance, move.price, move.loss]).all() or min(move.price, move.loss) < 0:
            raise ValueError("this move was not saved by a learner")
        return move
