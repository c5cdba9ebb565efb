"""Who answers: rational, noisy, quantal, drifting, holdout, scripted."""

from scorewright.agents.agent import Agent, Player
from scorewright.agents.rational import Noisy, Quantal, Rational
from scorewright.agents.registry import make, names
from scorewright.agents.strategic import Drifting, Holdout, Scripted

__all__ = ["Agent", "Drifting", "Holdout", "Noisy", "Player", "Quantal", "Rational", "Scripted", "make", "names"]
