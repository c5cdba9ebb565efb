"""The three quantities of OSRL-UCB that researchers vary, one at a time; the defaults are the paper's."""

from __future__ import annotations

from dataclasses import dataclass

from scorewright.kernel import radii
from scorewright.validation import Array, number


@dataclass(frozen=True)
class Radius:
    r"""Radius of the confidence ball around the information of an effort.

    ``scale * sqrt(2 log(K 2^M t) / n_k)``, the logarithm computed as log K + M log 2 + log t; infinite where n_k = 0.
    """

    scale: float = 1.0

    def __post_init__(self) -> None:
        number(self.scale, "scale", least=0)

    def __call__(self, counts: Array, efforts: int, beliefs: int, time: int) -> Array:
        """Radii (K,) at the start of round `time`, given the rounds played with each effort."""
        return radii(self.scale, counts, efforts, beliefs, time)


@dataclass(frozen=True)
class Mixing:
    """Weight of the oracle rule in the deployed one: ``min(factor * t^(-exponent), 1)``; `factor` None means K."""

    exponent: float = 1 / 3
    factor: float | None = None

    def __post_init__(self) -> None:
        number(self.exponent, "exponent", least=0)
        if self.factor is not None:
            number(self.factor, "factor", least=0)

    def __call__(self, efforts: int, time: int) -> float:
        """Weight in round `time`."""
        factor = efforts if self.factor is None else self.factor
        return min(float(factor * time**-self.exponent), 1.0)


@dataclass(frozen=True)
class Stop:
    """Width at which a search stops: ``scale`` times the smaller of the two radii frozen when it began."""

    scale: float = 1.0

    def __post_init__(self) -> None:
        number(self.scale, "scale", above=0)

    def __call__(self, rival: float, target: float) -> float:
        """Width, given the radii of the last other response and of the target."""
        return self.scale * min(rival, target)
