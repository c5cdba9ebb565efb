"""The demo's bot: it plays the analyst, the meter and, a few rounds behind, the principal who settles.

It leaves every offer open for a moment, and the last rounds to settle, so that whoever watches can be faster: what is
done is done, and the bot goes on with the next round.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

import numpy as np

from scorewright.client import AgentClient, MeterClient, PrincipalClient, rule_of
from scorewright.errors import ScorewrightError, ServiceError
from scorewright.game import Game
from scorewright.session import Session

PAUSE = 6.0
"""Seconds for which an offer is left open."""

BEHIND = 4
"""Answered rounds that are left for somebody to settle."""


class Bot:
    """Plays rounds of a game, with its own idea of what every effort finds.

    Parameters
    ----------
    game : Game
        What the analyst knows: costs and information.
    """

    def __init__(self, game: Game) -> None:
        self.game, self._rng = game, np.random.default_rng(7)

    def warm_up(self, session: Session, rounds: int) -> None:
        """Play some rounds at once, so that there is something to see."""
        for number in range(1, rounds + 1):
            effort = self.game.respond(session.ask().rule)
            session.tell(number, effort=effort, report=self._found(effort))
            if number <= rounds - BEHIND:
                session.settle(number, self._came(session.round(number).row or 0))

    def play(self, url: str, tokens: dict[str, str], stop: threading.Event) -> None:
        """Play a round every few seconds over HTTP until told to stop, or until the service is gone."""
        with (
            contextlib.suppress(ScorewrightError),
            AgentClient(url, tokens["agent"], patience=5) as agent,
            MeterClient(url, tokens["meter"], patience=5) as meter,
            PrincipalClient(url, tokens["principal"], patience=5) as principal,
        ):
            while not stop.is_set():
                offer = agent.ask()
                if stop.wait(PAUSE):
                    return
                effort = self.game.respond(rule_of(offer))
                with _somebody_was_faster():
                    agent.answer(offer.round, self._found(effort))
                with _somebody_was_faster():
                    meter.attest(offer.round, effort)
                standing = principal.session(tokens["session"])
                for number in standing.oldest[: max(0, standing.awaiting - BEHIND)]:
                    with _somebody_was_faster():
                        row = principal.round(tokens["session"], number).row or 0
                        principal.settle(tokens["session"], number, self._came(row))

    def _found(self, effort: int) -> int:
        return int(self._rng.choice(len(self.game.beliefs), p=self.game.information[effort]))

    def _came(self, row: int) -> int:
        return int(self._rng.choice(self.game.beliefs.shape[1], p=self.game.beliefs[row]))


@contextlib.contextmanager
def _somebody_was_faster() -> Iterator[None]:
    try:
        yield
    except ServiceError as problem:
        if problem.status not in (404, 409):
            raise
