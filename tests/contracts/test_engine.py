"""One suite for every engine: each task is done, its result comes once, whoever dies, and it is the same for all."""

from __future__ import annotations

import sys

import pytest

import scorewright as sw
from scorewright.errors import MissingExtraError, ScorewrightError
from scorewright.study import Dask, EngineError, Processes, Serial
from scorewright.study.task import perform
from tasks import Sum, Sums

ENGINES = [Serial(), Processes(1), Processes(2), Dask(1), Dask(3)]
STUDY = sw.study.Study(
    games=["three_efforts", {"family": "random", "efforts": 4, "states": 3}],
    learners=["osrl-ucb", {"name": "osrl-ucb", "radius": 0.03}, "scaled-quadratic"],
    agents=["rational", {"name": "noisy", "error": 0.1}],
    rounds=[50, 200],
    repeats=1,
    seed=7,
)


def name(engine) -> str:
    """Say which engine, with how many workers."""
    return f"{type(engine).__name__}-{engine.workers}"


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """Return the results of the study on one worker."""
    return sw.study.run(STUDY, tmp_path_factory.mktemp("serial"))


@pytest.mark.parametrize("engine", ENGINES[1:], ids=name)
def test_the_same_tables_on_every_engine(engine, expected, tmp_path):
    """Cells, curves and failures are equal to the last bit."""
    results = sw.study.run(STUDY, tmp_path, engine=engine)
    assert len(results.cells()) == len(STUDY.tasks())
    assert results.cells().equals(expected.cells())
    assert results.curves().equals(expected.curves())
    assert results.failures().equals(expected.failures())


@pytest.mark.parametrize("engine", ENGINES, ids=name)
def test_every_task_once_and_errors_are_results(engine):
    """A task that raises is given back with its traceback, and stops no other."""
    tasks = [Sum(number, "raises" if number == 3 else "well") for number in range(9)]
    found = dict(engine.each(perform, tasks))
    assert sorted(found) == list(range(9))
    assert found[3].outcome is None
    assert "ValueError: no 3" in found[3].trace
    assert [found[n].outcome.facts["number"] for n in range(9) if n != 3] == [0, 1, 2, 4, 5, 6, 7, 8]


@pytest.mark.parametrize("engine", [Processes(1), Processes(2), Dask(2)], ids=name)
def test_a_killed_worker_costs_only_time(engine, tmp_path):
    """SIGKILL in the middle of a task: everything is done all the same, with the same results."""
    mark = tmp_path / "killed"
    tasks = tuple(Sum(n, "dies once" if n == 4 else "well", str(mark)) for n in range(12))
    killed = sw.study.run(Sums(tasks), tmp_path / "killed-once", engine=engine)
    assert mark.exists()
    calm = sw.study.run(Sums(tasks), tmp_path / "calm", engine=Serial())
    assert killed.cells().equals(calm.cells())
    assert killed.curves().equals(calm.curves())


@pytest.mark.parametrize("engine", [Processes(2), Dask(2)], ids=name)
def test_a_task_that_always_kills_its_worker_is_given_up(engine, tmp_path):
    """It is a failure, in words; the others are done."""
    tasks = tuple(Sum(n, "dies" if n == 1 else "well") for n in range(5))
    results = sw.study.run(Sums(tasks), tmp_path, engine=engine)
    assert len(results.cells()) == 4
    assert results.failures()["error"].str.startswith("WorkerLost").all()
    assert len(results.failures()) == 1


def test_engines_by_name():
    """A name, a number of workers, a scheduler; what does not go together is said."""
    assert sw.study.engine("serial") == Serial()
    assert sw.study.engine(workers=2) == Processes(2)
    assert sw.study.engine(workers=1) == Serial()
    assert sw.study.engine(scheduler="tcp://1.2.3.4:5").scheduler == "tcp://1.2.3.4:5"
    for words in ({"name": "threads"}, {"name": "serial", "workers": 2}, {"name": "processes", "scheduler": "x"},
                  {"workers": 0}):  # fmt: skip
        with pytest.raises(ScorewrightError):
            sw.study.engine(**words)


def test_a_scheduler_that_is_not_there():
    """The address is in the error."""
    with pytest.raises(EngineError, match=r"127\.0\.0\.1:9"):
        list(Dask(1, "tcp://127.0.0.1:9", patience=1).each(perform, [Sum(1)]))


@pytest.mark.parametrize(("module", "engine"), [("loky.process_executor", Processes(1)), ("distributed", Dask(1))])
def test_missing_packages_are_named(module, engine, monkeypatch):
    """The error says what to install."""
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match="pip install"):
        list(engine.each(perform, [Sum(1)]))


def test_a_running_cluster_by_its_address(tmp_path, expected):
    """As on a real cluster: a scheduler elsewhere, reached by its address."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0", silence_logs=50) as cluster:
        engine = sw.study.engine(scheduler=cluster.scheduler_address)
        assert sw.study.run(STUDY, tmp_path, engine=engine).cells().equals(expected.cells())
