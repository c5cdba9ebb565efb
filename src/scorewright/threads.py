"""Threads: linear algebra on one of them, so that the digits do not depend on the machine.

A library of linear algebra that shares a product out among threads adds its terms up in another order, and the last
digit of the result hangs on how many there are: on the number of cores, or on how many workers share them. A learner
that decides by such results would decide otherwise on another machine. At these sizes one thread is also as fast.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from threadpoolctl import OpenBLASController, threadpool_limits

_lock = threading.RLock()


@contextmanager
def one_thread() -> Iterator[None]:
    """Within this block linear algebra runs on one thread; for short blocks.

    The limit is the process's, so one thread of it is in such a block at a time; blocks may nest.
    """
    with _lock:
        _take_control()
        with threadpool_limits(1):
            yield


def _take_control() -> None:
    """From version 3.8 on threadpoolctl lets only the thread that has set a limit set others, and ignores the rest."""
    clear = getattr(OpenBLASController, "clear_controlling_thread", None)
    if clear is not None:
        clear(force=True)


def _after_fork() -> None:
    """Another thread may have been in a block when the process was forked; in the child there is none."""
    global _lock
    _lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
