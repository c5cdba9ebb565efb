"""The compiled kernel: OSRL-UCB, the baselines and the loop, in C (`source`), called by `ask`, `tell` and `simulate`.

One implementation of the mathematics: a round asked and told one by one, and a million rounds in one call, run the
same code and give the same digits.
"""

from scorewright.kernel.board import Board, Ledger
from scorewright.kernel.formulas import paid, radii, respond, shortest_paths
from scorewright.kernel.library import Phase
from scorewright.kernel.memory import Hand, Memory, Proposed
from scorewright.kernel.worlds import Worlds

__all__ = [
    "Board",
    "Hand",
    "Ledger",
    "Memory",
    "Phase",
    "Proposed",
    "Worlds",
    "paid",
    "radii",
    "respond",
    "shortest_paths",
]
