"""A game, a learner and a way to play it, for the tests of sessions."""

from __future__ import annotations

import numpy as np

import scorewright as sw
from scorewright.session import (
    Session,
)

GAME = sw.families.make("three_efforts")
ORACLE = sw.oracles.best_margin(GAME)


def learner() -> sw.learn.Learner:
    """Return a quick learner that learns."""
    return sw.learn.OsrlUcb(GAME.setting, ORACLE, radius=sw.learn.Radius(0.03))


def play(session: Session, rounds: int, settle: float = 1.0, seed: int = 0) -> None:
    """Play rounds as a rational agent does; settle a share of them."""
    rng = np.random.default_rng(seed)
    for _ in range(rounds):
        offer = session.ask()
        effort = GAME.respond(offer.rule)
        session.tell(offer.number, effort=effort, report=int(rng.choice(5, p=GAME.information[effort])))
        if rng.random() < settle:
            session.settle(offer.number, int(rng.integers(2)))


def same(session: Session) -> None:
    """Check that memory, the store's snapshots and the log alone agree."""
    with session.reading() as book:
        now = book.to_dict()
    with Session.open(session.store, session.config.id).reading() as book:
        assert book.to_dict() == now
    assert session.replay().to_dict() == now


# -- rounds ----------------------------------------------------------------------------------------------------------
