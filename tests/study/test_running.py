"""Running: what is on the disk, what is done again and what is not, and what a kill leaves behind."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pyarrow.dataset
import pytest

import scorewright as sw
from scorewright.errors import ScorewrightError
from scorewright.study import Study
from tasks import Sum, Sums

STUDY = Study(["three_efforts"], ["osrl-ucb", "oracle-bandit"], rounds=[50, 500], repeats=3, seed=2)


class Counting:
    """An engine that counts what it is given."""

    workers = 1

    def __init__(self, most: int = 10**9) -> None:
        self.given, self.most = 0, most

    def each(self, work, tasks):
        """Do at most so many, then stop as if interrupted."""
        self.given = len(tasks)
        for position, task in enumerate(tasks):
            if position == self.most:
                raise KeyboardInterrupt
            yield position, work(task)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Return the results of an undisturbed run."""
    return sw.study.run(STUDY, tmp_path_factory.mktemp("whole"))


def test_one_dataset_a_file_per_cell(whole):
    """The folder reads as one dataset by anybody's Parquet reader; metadata says what a cell is."""
    table = pyarrow.dataset.dataset(whole.cells_folder).to_table().to_pandas()
    assert len(table) == len(whole.curves())
    assert set(table["learner"]) == {"osrl-ucb", "oracle-bandit"}
    head = whole.heads()[0]
    assert head["spec"]["seed"] == 2
    assert head["versions"]["scorewright"] == sw.__version__
    assert head["seconds"] > 0
    assert len(list(whole.cells_folder.iterdir())) == len(STUDY.tasks()) == 12
    assert isinstance(whole.cells(), pd.DataFrame)
    assert "seconds" not in whole.cells()
    assert (whole.timing()["seconds"] > 0).all()


def test_interrupted_runs_go_on_and_never_redo(whole, tmp_path):
    """Five cells, an interruption, then only the rest; the same tables in the end."""
    with pytest.raises(KeyboardInterrupt):
        sw.study.run(STUDY, tmp_path, engine=Counting(5))
    times = {file.name: file.stat().st_mtime_ns for file in (tmp_path / "cells").iterdir()}
    assert len(times) == 5
    (tmp_path / "cells" / ".half-written.parquet").write_bytes(b"PAR1")
    rest = Counting()
    results = sw.study.run(STUDY, tmp_path, engine=rest)
    assert rest.given == 7
    assert results.cells().equals(whole.cells())
    assert results.curves().equals(whole.curves())
    assert all((tmp_path / "cells" / name).stat().st_mtime_ns == at for name, at in times.items())
    nothing = Counting()
    sw.study.run(STUDY, tmp_path, engine=nothing)
    assert nothing.given == 0


def test_failures_are_kept_and_retried_only_when_asked(tmp_path):
    """A traceback per failure; the others are done."""
    plan = Sums(tuple(Sum(n, "raises" if n == 2 else "well") for n in range(4)))
    results = sw.study.run(plan, tmp_path)
    assert len(results.cells()) == 3
    failure = results.failures().iloc[0]
    assert failure["error"] == "ValueError: no 2"
    assert "Traceback" in failure["traceback"]
    for retry, given in ((False, 0), (True, 1)):
        again = Counting()
        sw.study.run(plan, tmp_path, engine=again, retry=retry)
        assert again.given == given


def test_another_study_is_refused_in_words(whole):
    """What changed is named; the results stay as they are."""
    changed = Study(["three_efforts"], ["osrl-ucb"], rounds=[50, 500], repeats=4, seed=2)
    with pytest.raises(ScorewrightError, match="learners, repeats changed"):
        sw.study.run(changed, whole.folder)
    assert len(whole.cells()) == 12


def test_two_runs_at_once_are_refused(tmp_path):
    """The folder is locked while a run is at work."""
    fcntl = pytest.importorskip("fcntl")
    results = sw.study.run(STUDY.part(repeats=1), tmp_path)
    with (results.folder / ".lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(ScorewrightError, match="another run"):
            sw.study.run(STUDY.part(repeats=1), tmp_path)


def test_folders_that_hold_no_results(tmp_path):
    """Each is said for what it is."""
    (tmp_path / "file").write_text("")
    (tmp_path / "empty").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "study.json").write_text("{}")
    for name in ("nowhere", "empty", "other"):
        with pytest.raises(ScorewrightError):
            sw.study.read(tmp_path / name)
    with pytest.raises(ScorewrightError):
        sw.study.run(STUDY, tmp_path / "file")
    results = sw.study.run(STUDY.part(repeats=1, rounds=[50]), tmp_path / "good")
    damaged = next(results.cells_folder.iterdir())
    damaged.write_bytes(b"")
    assert damaged.stem not in results.finished()
    damaged.write_bytes(b"PAR1")
    with pytest.raises(ScorewrightError, match="delete it"):
        results.cells()


def test_progress_is_told(tmp_path):
    """At the start and after every cell, with an estimate of the time left."""
    seen: list[sw.study.Progress] = []
    sw.study.run(STUDY, tmp_path, progress=seen.append)
    assert [state.done for state in seen] == list(range(13))
    assert seen[0].left is None
    assert all(state.left is not None and state.left >= 0 for state in seen[1:])
    assert seen[-1].left == 0


TOML = """
seed = 2
repeats = 6
rounds = 30000
[[games]]
family = "three_efforts"
[[learners]]
name = "osrl-ucb"
radius = 0.03
[[learners]]
name = "osrl-ucb"
"""


def test_a_driver_killed_at_random_moments_resumes_to_the_same(tmp_path):
    """SIGKILL, twice; the third run ends it; benchmarks/studies.py does it twenty times."""
    file = tmp_path / "study.toml"
    file.write_text(TOML)
    command = [str(Path(sys.executable).with_name("scorewright")), "study", "run", str(file), "--engine", "processes",
               "--workers", "2", "--out", str(tmp_path / "killed"), "--quiet"]  # fmt: skip
    chance = random.Random(1)
    for _ in range(2):
        driver = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 20
        wanted = len(list((tmp_path / "killed" / "cells").glob("[!.]*"))) + 1
        while driver.poll() is None and time.monotonic() < deadline:  # at least one more cell, then anywhere
            if len(list((tmp_path / "killed" / "cells").glob("[!.]*"))) >= wanted:
                break
            time.sleep(0.01)
        time.sleep(chance.uniform(0, 0.1))
        os.kill(driver.pid, signal.SIGKILL)
        driver.wait()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    killed, calm = sw.study.read(tmp_path / "killed"), sw.study.run(Study.load(file), tmp_path / "calm")
    assert killed.cells().equals(calm.cells())
    assert killed.curves().equals(calm.curves())


def test_long_runs_stay_small(tmp_path):
    """A million rounds are a few hundred rows and a few dozen kilobytes."""
    study = Study(["three_efforts"], ["oracle-bandit"], rounds=1_000_000, repeats=1)
    results = sw.study.run(study, tmp_path)
    assert len(results.curves()) < 1000
    assert sum(file.stat().st_size for file in results.cells_folder.iterdir()) < 100_000
