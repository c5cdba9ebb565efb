"""Run a study: what is not done yet, on any engine, every result on the disk as soon as it is there."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from scorewright.document import Path_
from scorewright.errors import FileError
from scorewright.study.engines import Engine, Serial
from scorewright.study.results import Results
from scorewright.study.task import Plan, Task, key, perform


@dataclass(frozen=True)
class Progress:
    """Where a run stands.

    Attributes
    ----------
    done, failed, total : int
        Tasks, those of earlier runs included.
    elapsed : float
        Seconds since this run began.
    left : float or None
        Seconds to go, estimated from the tasks done so far, kind by kind; None before the first.
    """

    done: int
    failed: int
    total: int
    elapsed: float
    left: float | None


def run(
    plan: Plan,
    folder: Path_,
    *,
    engine: Engine | None = None,
    retry: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> Results:
    """Run what is left of a study and return its results.

    A task that is done is never done again; one that raised is not tried again unless `retry`. Where the folder holds
    another study's results, an error says what differs.

    Parameters
    ----------
    plan : Study
    folder : path
        Made if it is not there.
    engine : Engine
        `Serial()` by default.
    retry : bool
        Try failed tasks once more.
    progress : callable, optional
        Called with a `Progress` at the start and after every task.
    """
    results, engine = Results(folder), engine or Serial()
    tasks = plan.tasks()
    results.begin(plan)
    with _alone_in(results.folder):
        finished, failed = results.finished(), set() if retry else results.failed()
        left = [task for task in tasks if key(task) not in finished | failed]
        clock = Clock(left, engine.workers)
        known = {key(task) for task in tasks}
        done, broken = len(known & finished), len(known & failed)
        if progress is not None:
            progress(Progress(done, broken, len(tasks), 0.0, None if left else 0.0))
        for position, result in engine.each(perform, left):
            results.keep(left[position], result)
            clock.saw(left[position], result.seconds)
            done, broken = done + (result.outcome is not None), broken + (result.outcome is None)
            if progress is not None:
                progress(Progress(done, broken, len(tasks), clock.elapsed(), clock.left()))
    return results


class Clock:
    """How long the rest will take: the cost of a task is its size times what its kind has cost so far."""

    def __init__(self, tasks: Sequence[Task], workers: int) -> None:
        self.started, self.workers = time.monotonic(), max(1, workers)
        self._todo: dict[str, list[float]] = defaultdict(list)
        self._seen: dict[str, list[tuple[float, float]]] = defaultdict(list)
        for task in tasks:
            self._todo[task.kind].append(task.size)

    def saw(self, task: Task, seconds: float) -> None:
        """Take note of a task that is done."""
        self._todo[task.kind].remove(task.size)
        self._seen[task.kind].append((seconds, task.size))

    def elapsed(self) -> float:
        """Seconds since the beginning."""
        return time.monotonic() - self.started

    def left(self) -> float | None:
        """Seconds to go; a task of a kind not seen yet is taken to cost what the others did on average."""
        if not self._seen:
            return None
        spent = [seconds for tasks in self._seen.values() for seconds, _ in tasks]
        average, work = sum(spent) / len(spent), 0.0
        for kind, sizes in self._todo.items():
            seen = self._seen.get(kind)
            work += sum(sizes) * sum(s for s, _ in seen) / sum(z for _, z in seen) if seen else average * len(sizes)
        return work / self.workers


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Hold a lock on the folder: two runs at once would do everything twice."""
    try:
        import fcntl
    except ImportError:  # no such locks on this system: two runs at once would still be right, only wasteful
        yield
        return
    with (folder / ".lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise FileError(f"another run is at work in {folder}: wait for it, or name another folder") from None
        try:
            yield
        finally:
            with suppress(OSError):
                fcntl.flock(file, fcntl.LOCK_UN)
