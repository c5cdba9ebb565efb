"""Threads: linear algebra on one of them, so that the digits do not depend on the machine.

A library of linear algebra that shares a product out among threads adds its terms up in another order, and the last
digit of the result hangs on how many there are: on the number of cores, or on how many workers share them. A learner
that decides by such results would decide otherwise on another machine. At these sizes one thread is also as fast.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from threadpoolctl import OpenBLASController, threadpool_limits

_lock = threading.RLock()


@contextmanager
def one_thread() -> Iterator[None]:
    """Within this block linear algebra runs on one thread.

    The limit is the process's, so one thread of it is in such a block at a time; blocks may nest.
    """
    with _lock:
        try:
            with threadpool_limits(1):
                yield
        finally:
            _release()


def _release() -> None:
    """Let other threads set limits: from version 3.8 on threadpoolctl lets only one do so, for as long as it lives."""
    clear = getattr(OpenBLASController, "clear_controlling_thread", None)
    if clear is not None:
        clear()
