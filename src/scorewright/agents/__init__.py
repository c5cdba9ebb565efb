"""Who answers: rational, noisy, quantal, drifting, holdout, scripted, replaying real items."""

from scorewright.agents.agent import Agent, Answer, Player, Witness
from scorewright.agents.rational import Noisy, Quantal, Rational
from scorewright.agents.registry import make, names
from scorewright.agents.replay import Replay
from scorewright.agents.strategic import Drifting, Holdout, Scripted

__all__ = [
    "Agent",
    "Answer",
    "Drifting",
    "Holdout",
    "Noisy",
    "Player",
    "Quantal",
    "Rational",
    "Replay",
    "Scripted",
    "Witness",
    "make",
    "names",
]
