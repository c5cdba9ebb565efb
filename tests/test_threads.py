"""Linear algebra on one thread: the same digits, however many cores or workers there are."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import threadpoolctl

from scorewright.threads import one_thread


def threads() -> set[int]:
    """How many threads the libraries of linear algebra use now."""
    np.linalg.inv(np.eye(2))
    return {library["num_threads"] for library in threadpoolctl.threadpool_info() if library["user_api"] == "blas"}


def test_one_within_and_as_before_after():
    """In whichever thread; blocks may nest, and an error lifts the limit too."""
    before, seen = threads(), []

    def within() -> None:
        with one_thread():
            with one_thread():
                seen.append(threads())
            seen.append(threads())
        seen.append(threads())

    for run in (within, threading.Thread(target=within).start):
        seen.clear()
        run()
        while len(seen) < 3:
            time.sleep(0.01)
        assert seen == [{1}, {1}, before]
    with pytest.raises(ZeroDivisionError), one_thread():
        _ = 1 / 0
    assert threads() == before


def test_one_at_a_time():
    """The limit is the process's: whoever leaves first must not lift it for the other."""
    inside, leave, order = threading.Event(), threading.Event(), []

    def first() -> None:
        with one_thread():
            inside.set()
            leave.wait(10)
            order.append("first")

    thread = threading.Thread(target=first)
    thread.start()
    assert inside.wait(10)
    threading.Timer(0.2, leave.set).start()
    with one_thread():
        order.append("second")
        assert threads() == {1}
    thread.join()
    assert order == ["first", "second"]


def test_whoever_set_a_limit_before():
    """A limit that another thread has set is not in the way."""
    with threadpoolctl.threadpool_limits(2):
        seen = []

        def within() -> None:
            with one_thread():
                seen.append(threads())

        thread = threading.Thread(target=within)
        thread.start()
        thread.join()
    assert seen == [{1}]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks here")
def test_a_fork_is_not_held_up_by_what_its_parent_was_doing():
    """The thread that was in a block is not in the child, and can't leave it there."""
    told = subprocess.run([sys.executable, "-c", FORK], capture_output=True, text=True, timeout=60)
    assert told.returncode == 0, told.stderr


FORK = """
import os, threading
from scorewright.threads import one_thread
inside, leave = threading.Event(), threading.Event()
def other():
    with one_thread():
        inside.set()
        leave.wait()
thread = threading.Thread(target=other)
thread.start()
inside.wait()
child = os.fork()
if not child:
    import signal
    signal.alarm(10)
    with one_thread():
        os._exit(0)
status = os.waitpid(child, 0)[1]
leave.set()
thread.join()
raise SystemExit(status)
"""

PLAY = """
import numpy as np, scorewright as sw
game = sw.families.CHALLENGES["K5 W3 M15"](np.random.default_rng([2026, 3, 0]))
learner = sw.learn.Haggler(game.setting, sw.oracles.best_margin(game), rng=0)
print(sw.simulate(game, learner, 60, rng=0).regret.tolist(), learner.recommend())
"""


def test_a_learner_decides_the_same_whatever_the_number_of_threads():
    """Seventy-five numbers to learn are enough for products to be shared out among threads."""
    told = [
        subprocess.run(
            [sys.executable, "-c", PLAY],
            env=os.environ | {"OPENBLAS_NUM_THREADS": count, "OMP_NUM_THREADS": count, "MKL_NUM_THREADS": count},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for count in ("1", "2")
    ]
    assert told[0] == told[1]
    assert "effort" in told[0]
