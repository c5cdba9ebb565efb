"""Standing: where a session stands, in figures."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from scorewright.session.book import Book
from scorewright.session.config import Config
from scorewright.session.round import Round

_SHOWN = 100
"""Rounds that await settlement and are named."""


@dataclass(frozen=True, eq=False)
class Standing:
    """Where a session stands.

    Attributes
    ----------
    config : Config
    sequence : int
        Events so far.
    rounds, answered, settled, abandoned : int
        Rounds opened, and of those how many were ever answered, settled, abandoned.
    missed : int
        Answers that the learner could not learn from (see `book`); 0 unless the learner was changed by an upgrade.
    paid, utility : float
        Sums over the settled rounds.
    awaiting : int
        Rounds answered and not yet settled.
    oldest : tuple of int
        The first hundred of them.
    open : Round or None
    discovered : dict
        The labels that efforts were told by, where the setting does not name them, by number.
    """

    config: Config
    sequence: int
    rounds: int
    answered: int
    settled: int
    abandoned: int
    missed: int
    paid: float
    utility: float
    awaiting: int
    oldest: tuple[int, ...]
    open: Round | None
    discovered: dict[int, str]

    @classmethod
    def of(cls, book: Book) -> Standing:
        """Return where a book stands."""
        return cls(
            config=book.config,
            sequence=book.sequence,
            rounds=book.rounds,
            answered=book.answered,
            settled=book.settled,
            abandoned=book.abandoned,
            missed=book.missed,
            paid=book.total_paid,
            utility=book.utility,
            awaiting=book.awaiting.count,
            oldest=tuple(itertools.islice(book.awaiting, _SHOWN)),
            open=book.open,
            discovered=book.learner.discovered,
        )
