"""Who does the work: this process, processes beside it, or a Dask cluster.

The contract, tested by one suite against every engine: `work` is called on every task, and each result is given back
once, with the task's position, as soon as it is there, in any order. A worker that dies costs its tasks a new start,
not the study; a task whose worker dies every time is given back as lost. Whatever the engine, the results are the same.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from scorewright.errors import InvalidInputError, MissingExtraError, ScorewrightError
from scorewright.study.task import Done, Task, lost
from scorewright.validation import member, whole

Work = Callable[[Task], Done]

LIVES = 2
"""How often a worker may die over a task before the task is tried alone, and given up if it dies again."""


_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""Each worker keeps to one core: its neighbours have the others."""


class EngineError(ScorewrightError, RuntimeError):
    """A cluster that can't be reached, or is gone."""


class Engine(Protocol):
    """Does tasks."""

    @property
    def workers(self) -> int:
        """How many tasks are done at a time, as far as is known."""

    def each(self, work: Work, tasks: Sequence[Task]) -> Iterator[tuple[int, Done]]:
        """Yield the position of each task and its result, as they come."""


@dataclass(frozen=True)
class Serial:
    """One task after the other, in this process."""

    workers: int = 1

    def each(self, work: Work, tasks: Sequence[Task]) -> Iterator[tuple[int, Done]]:
        """Yield the position of each task and its result, in order."""
        for position, task in enumerate(tasks):
            yield position, work(task)


@dataclass(frozen=True)
class Processes:
    """Processes of this machine, by loky.

    Parameters
    ----------
    workers : int, optional
        As many as there are cores by default.
    """

    workers: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "workers", whole(self.workers, "workers") or _cores())

    def each(self, work: Work, tasks: Sequence[Task]) -> Iterator[tuple[int, Done]]:
        """Yield the position of each task and its result, as they come."""
        try:
            from loky.process_executor import BrokenProcessPool
        except ImportError:
            raise MissingExtraError("processes need loky: pip install 'scorewright[study]'") from None
        waiting = list(range(len(tasks)))
        deaths = dict.fromkeys(waiting, 0)
        while waiting:
            alone = [position for position in waiting if deaths[position] >= LIVES]
            batch = alone[:1] or waiting
            started: list[int] = []
            finished: set[int] = set()
            try:
                for position, done in self._batch(work, tasks, batch, started):
                    finished.add(position)
                    yield position, done
            except BrokenProcessPool:
                # Nobody knows whose worker it was: all that were under way begin again.
                for position in started:
                    if position not in finished:
                        deaths[position] += 1
                        if batch == alone[:1]:
                            finished.add(position)
                            yield position, lost(deaths[position])
            waiting = [position for position in waiting if position not in finished]

    def _batch(
        self, work: Work, tasks: Sequence[Task], batch: Sequence[int], started: list[int]
    ) -> Iterator[tuple[int, Done]]:
        from loky import FIRST_COMPLETED, ProcessPoolExecutor, wait

        pool = ProcessPoolExecutor(self.workers, env=dict.fromkeys(_THREADS, "1"))
        running: dict[Any, int] = {}
        try:
            while len(started) < len(batch) or running:
                for position in batch[len(started) :][: self.workers + 1 - len(running)]:  # one more waits at the door
                    started.append(position)
                    running[pool.submit(work, tasks[position])] = position
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    yield running.pop(future), future.result()
        finally:
            pool.shutdown(kill_workers=True)


@dataclass(frozen=True)
class Dask:
    """A Dask cluster: one of this machine's own, or the one behind `scheduler`.

    Parameters
    ----------
    workers : int, optional
        Processes of a cluster of our own; as many as there are cores by default.
    scheduler : str, optional
        Address of a running scheduler, such as tcp://10.0.0.1:8786; its workers need scorewright installed.
    patience : float
        Seconds to wait for that scheduler.
    """

    workers: int = 0
    scheduler: str | None = None
    patience: float = 20.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "workers", whole(self.workers, "workers") or _cores())

    def each(self, work: Work, tasks: Sequence[Task]) -> Iterator[tuple[int, Done]]:
        """Yield the position of each task and its result, as they come."""
        with self._client() as client:
            suspects = []
            for position, done in self._results(client, work, tasks, range(len(tasks))):
                if done is None:
                    suspects.append(position)
                else:
                    yield position, done
            for suspect in suspects:  # alone, so that no neighbour on the same worker is to blame
                for position, done in self._results(client, work, tasks, [suspect]):
                    yield position, done or lost(2 * (LIVES + 1))

    def _results(
        self, client: Any, work: Work, tasks: Sequence[Task], positions: Sequence[int]
    ) -> Iterator[tuple[int, Done | None]]:
        """Yield positions and results as they come, None for a task whose worker died too often."""
        distributed = _distributed()
        waiting = {client.submit(work, tasks[position], pure=False): position for position in positions}
        for future in distributed.as_completed(list(waiting), loop=client.loop):
            done: Done | None = None
            try:
                done = future.result()
            except distributed.KilledWorker:
                pass
            except Exception as problem:
                gone = "the scheduler is gone" if client.status != "running" else "its workers can't do the work"
                raise EngineError(f"Dask gave up, {gone}: {problem}; run again to go on") from None
            yield waiting.pop(future), done
            future.release()

    @contextlib.contextmanager
    def _client(self) -> Iterator[Any]:
        import dask

        distributed = _distributed()
        # On a busy machine a worker that was killed may take a while to come back: do not give up its place.
        settings = {
            "distributed.scheduler.allowed-failures": LIVES,
            "distributed.deploy.lost-worker-timeout": "10 minutes",
        }
        with dask.config.set(settings), contextlib.ExitStack() as stack:
            try:
                where = self.scheduler or stack.enter_context(self._cluster(distributed))
                client = distributed.Client(where, timeout=self.patience, set_as_default=False)
                stack.enter_context(client)
            except (OSError, ValueError, TypeError, RuntimeError) as problem:
                place = self.scheduler or "this machine"
                raise EngineError(f"can't reach a Dask scheduler at {place}: {problem}") from None
            yield client

    def _cluster(self, distributed: Any) -> Any:
        """A cluster of this machine's own; no limit on memory but the machine's, no fixed port."""
        return distributed.LocalCluster(
            n_workers=self.workers,
            threads_per_worker=1,
            processes=True,
            dashboard_address=":0",
            silence_logs=50,
            memory_limit=0,
        )


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise MissingExtraError("Dask needs its packages: pip install 'scorewright[dask]'") from None
    return distributed


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


ENGINES = ("serial", "processes", "dask")


def engine(name: str | None = None, workers: int | None = None, scheduler: str | None = None) -> Engine:
    """Return an engine by name; without a name, Dask for a scheduler, processes for more workers than one.

    Examples
    --------
    >>> engine("processes", workers=2)
    Processes(workers=2)
    """
    if name is None:
        name = "dask" if scheduler is not None else "serial" if (workers or _cores()) == 1 else "processes"
    member(name, "engine", ENGINES)
    if scheduler is not None and name != "dask":
        raise InvalidInputError(f"a scheduler is Dask's: say --engine dask, not {name}")
    if workers is not None:
        whole(workers, "workers", least=1)
    if name == "serial":
        if (workers or 1) > 1:
            raise InvalidInputError(f"the serial engine has one worker, not {workers}: use processes or dask")
        return Serial()
    return Processes(workers or 0) if name == "processes" else Dask(workers or 0, scheduler)
