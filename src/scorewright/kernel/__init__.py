"""The compiled kernel: OSRL-UCB, the baselines and the loop, in C (`source`), called by `ask`, `tell` and `simulate`.

One implementation of the mathematics: a round asked and told one by one, and a million rounds in one call, run the
same code and give the same digits.
"""

from scorewright.kernel.board import Board, Ledger, paid, radii, respond
from scorewright.kernel.memory import Hand, Memory, Proposed

__all__ = ["Board", "Hand", "Ledger", "Memory", "Proposed", "paid", "radii", "respond"]
