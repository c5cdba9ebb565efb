"""Desk: what all requests of one process share: the store, the sessions in memory, and a bell for new events."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable

from scorewright.session import Session, Store

_MOST_SESSIONS = 1000
"""Sessions kept in memory; of others the next request reads the snapshot."""


class Desk:
    """The sessions of a store, as one process serves them.

    Parameters
    ----------
    store : Store
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.ending: Callable[[], bool] = lambda: False  # whoever runs the server knows
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self._lock = threading.Lock()

    def session(self, session: str) -> Session:
        """Return a session by its id, from memory if it is there."""
        with self._lock:
            known = self._sessions.get(session)
            if known is not None:
                self._sessions.move_to_end(session)
                return known
        return self.keep(Session.open(self.store, session))

    def keep(self, session: Session) -> Session:
        """Keep a session in memory, unless it is there already; return the one that is."""
        with self._lock:
            kept = self._sessions.setdefault(session.config.id, session)
            while len(self._sessions) > _MOST_SESSIONS:
                self._sessions.popitem(last=False)
            return kept

    def close(self) -> None:
        """Keep a snapshot of what is in memory, so that the next start is quick."""
        for session in list(self._sessions.values()):
            session.leave()
