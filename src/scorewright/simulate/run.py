"""Run: what happened, round by round."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scorewright.errors import MissingExtraError
from scorewright.game import Game
from scorewright.validation import Array, number

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Run:
    """A simulated run; arrays have one entry per recorded round.

    Attributes
    ----------
    round : array of int
        Number of the round, from 1 (with ``record="thin"`` log-spaced).
    effort, target, report, state : arrays of int
        What was made, aimed for (-1: nothing), reported and true.
    phase : array of str
    payment, utility : arrays
        Realised.
    regret : array
        Expected and cumulative: the optimum less the expected profit of the deployed rule at the actual response. The
        optimum is that of the game as given, also where the agent's costs drift.
    realised_regret : array
        The same with the realised utility and payment.
    phases : dict
        Rounds per phase.
    obeyed : float
        Share of rounds with a target in which it was made.
    """

    game: Game
    optimum: float
    rounds: int
    round: NDArray[np.int64]
    effort: NDArray[np.int64]
    target: NDArray[np.int64]
    phase: NDArray[np.str_]
    report: NDArray[np.int64]
    state: NDArray[np.int64]
    payment: Array
    utility: Array
    regret: Array
    realised_regret: Array
    phases: dict[str, int]
    obeyed: float
    paid: float
    earned: float

    def exponents(self, factor: float = 10.0) -> tuple[Array, Array]:
        """Return the local exponent of regret: at round t, its slope on log axes over a window of `factor` around t.

        Returns
        -------
        rounds, exponents : arrays
            Regret grew like ``t ** exponent`` from ``t / sqrt(factor)`` to ``t * sqrt(factor)``; none where the
            record or a positive regret does not reach that far.
        """
        half = np.sqrt(number(factor, "factor", above=1))
        fine = self.regret > 0
        times, logs = np.log(self.round[fine]), np.log(self.regret[fine])
        if len(times) < 2:
            return np.zeros(0), np.zeros(0)
        middle = times[(times >= times[0] + np.log(half)) & (times <= times[-1] - np.log(half))]
        rise = np.interp(middle + np.log(half), times, logs) - np.interp(middle - np.log(half), times, logs)
        return np.exp(middle), rise / np.log(factor)

    def to_frame(self) -> pd.DataFrame:
        """Return the recorded rounds as a pandas frame."""
        try:
            import pandas as pd
        except ImportError:
            raise MissingExtraError("frames need pandas: pip install 'scorewright[frames]'") from None
        columns = {
            field.name: getattr(self, field.name)
            for field in dataclasses.fields(self)
            if isinstance(getattr(self, field.name), np.ndarray)
        }
        return pd.DataFrame(columns)

    def __repr__(self) -> str:
        return (
            f"Run(rounds={self.rounds}, regret={self.regret[-1]:.6g}, obeyed={self.obeyed:.1%}, paid={self.paid:.6g})"
        )
