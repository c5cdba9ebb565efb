"""Studies under stress: `python benchmarks/studies.py [same kills workers overhead long]` (all of them by default).

- same: one study on serial, processes with 1 and 2 workers, and Dask with 1 and 3: are the tables identical?
- workers: a worker killed with SIGKILL in mid-run, on processes and on Dask: the same tables, how much later?
- kills: the driver killed at 20 random moments, then let run: the same tables?
- overhead: time that an engine adds to cells of a second and longer, as a share of the work.
- long: memory and results of a run of ten million rounds.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import scorewright as sw
from scorewright.study import Dask, Processes, Progress, Results, Serial, Study

ENGINES = {
    "serial": Serial(),
    "processes, 1 worker": Processes(1),
    "processes, 2 workers": Processes(2),
    "Dask, 1 worker": Dask(1),
    "Dask, 3 workers": Dask(3),
}
TOML = """
repeats = 30
rounds = 100000
games = [{family = "three_efforts"}, {family = "random", efforts = 4}]
learners = ["osrl-ucb", {name = "osrl-ucb", radius = 0.03}, "oracle-bandit"]
"""


def study() -> Study:
    """Learners of every kind, a fixed and a drawn game, two agents."""
    sampled = {"procedure": "random-sampling", "rounds": 20}
    learners = ["osrl-ucb", {"name": "osrl-ucb", "radius": 0.03}, {"name": "osrl-ucb", "oracle": sampled}]
    learners += ["oracle-bandit", "scaled-quadratic", "explore-then-commit", "clairvoyant"]
    games = ["three_efforts", {"family": "random", "efforts": 4, "states": 3}]
    return Study(games, learners, agents=["rational", "noisy"], rounds=[500, 2000], repeats=2, seed=11)


def equal(one: Results, two: Results) -> bool:
    """Whether all tables of two studies are the same, to the last bit."""
    tables = ("cells", "curves", "failures")
    return all(getattr(one, table)().equals(getattr(two, table)()) for table in tables)


def same(folder: Path) -> None:
    """One study on five engines."""
    first = None
    for name, engine in ENGINES.items():
        started = time.perf_counter()
        results = sw.study.run(study(), folder / name, engine=engine)
        first = first or results
        took = time.perf_counter() - started
        print(f"same: {name}: {len(results.cells())} cells, {took:.1f} s, tables identical: {equal(results, first)}")


def workers(folder: Path) -> None:
    """Kill a worker when ten cells are done, and another one at forty."""
    calm = sw.study.run(study(), folder / "calm", engine=Serial())
    for name in ("processes, 2 workers", "Dask, 3 workers"):
        killed: list[int] = []

        def kill(state: Progress, killed: list[int] = killed) -> None:
            if state.done >= (10, 40, 10**9)[len(killed)]:
                pid = random.choice([pid for pid in _descendants(os.getpid()) if _works(pid)])
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)

        started = time.perf_counter()
        results = sw.study.run(study(), folder / f"killed {name}", engine=ENGINES[name], progress=kill)
        took = time.perf_counter() - started
        print(f"workers: {name}: {len(killed)} killed, {took:.1f} s, tables identical: {equal(results, calm)}")


def _works(pid: int) -> bool:
    """Whether a process is one of an engine's workers: a loky worker or one that a nanny spawned."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
    return b"popen_loky" in words or (b"spawn_main" in words and b"resource_tracker" not in words)


def _descendants(pid: int) -> list[int]:
    listed = subprocess.run(["ps", "-e", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    parents = {int(child): int(parent) for child, parent in (line.split() for line in listed.splitlines())}
    return [child for child in parents if _has_ancestor(child, pid, parents)]


def _has_ancestor(child: int, pid: int, parents: dict[int, int]) -> bool:
    while child in parents and child != pid:
        child = parents[child]
        if child == pid:
            return True
    return False


def kills(folder: Path, wanted: int = 20) -> None:
    """Kill the driver at random moments until it has died often enough; then let it end."""
    file, out = folder / "study.toml", folder / "killed"
    file.write_text(TOML)
    command = [str(Path(sys.executable).with_name("scorewright")), "study", "run", str(file), "--workers", "2", "--out",
               str(out), "--quiet"]  # fmt: skip
    total, chance, died, at = len(Study.load(file).tasks()), random.Random(5), 0, []
    while died < wanted:
        driver = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wanted_cells = _done(out) + chance.randint(0, 8)  # a random number of cells further, and then anywhere
        while _done(out) < wanted_cells and driver.poll() is None:
            time.sleep(0.01)
        time.sleep(chance.uniform(0, 0.5))
        if driver.poll() is not None:
            break
        driver.kill()
        driver.wait()
        died += 1
        at.append(_done(out))
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    calm = sw.study.run(Study.load(file), folder / "calm", engine=Processes(2))
    print(f"kills: driver killed {died} times, with {at} of {total} cells done; tables identical: "
          f"{equal(sw.study.read(out), calm)}")  # fmt: skip


def _done(out: Path) -> int:
    return len(list((out / "cells").glob("[!.]*.parquet")))


def overhead(folder: Path) -> None:
    """Wall time times workers beside the time inside the cells, for cells of a second and longer."""
    rounds = 100_000
    while True:  # how many rounds are a second here and now
        cell = Study(["three_efforts"], [{"name": "osrl-ucb", "radius": 0.03}], rounds=rounds, repeats=1).tasks()[0]
        started = time.perf_counter()
        cell.perform()
        if time.perf_counter() - started > 1.2:
            break
        rounds *= 2
    for name in ("serial", "processes, 1 worker", "processes, 2 workers", "Dask, 1 worker"):
        engine, seen = ENGINES[name], []
        plan = Study(["three_efforts"], [{"name": "osrl-ucb", "radius": 0.03}], rounds=rounds, repeats=16)
        started = time.perf_counter()
        results = sw.study.run(
            plan, folder / name, engine=engine, progress=lambda _, seen=seen: seen.append(time.perf_counter())
        )
        wall, seconds = time.perf_counter() - started, results.timing()["seconds"]
        # From the first results on everybody is at work: what is left over is the engine's.
        many = engine.workers
        steady = (seen[-many] - seen[many]) * many / (seconds.mean() * (len(seconds) - 2 * many + 1)) - 1
        print(f"overhead: {name}: {len(seconds)} cells of {seconds.mean():.2f} s: {steady:.1%} once under way; "
              f"{wall - seconds.sum() / many:.1f} s in all, starting and stopping included")  # fmt: skip


def long(folder: Path) -> None:
    """Ten million rounds in a fresh process."""
    code = (
        "import resource, sys, scorewright as sw\n"
        "plan = sw.study.Study(['three_efforts', 'two_sources'], ['osrl-ucb', {'name': 'osrl-ucb', 'radius': 0.1}], "
        "rounds=10_000_000, repeats=1)\n"
        "sw.study.run(plan, sys.argv[1])\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    out = folder / "long"
    said = subprocess.run([sys.executable, "-c", code, str(out)], capture_output=True, text=True, check=True).stdout
    sizes = [file.stat().st_size for file in (out / "cells").iterdir()]
    print(f"long: {len(sizes)} runs of 10,000,000 rounds: {int(said) / 1024:.0f} MB of memory at most, results of "
          f"{max(sizes) / 1000:.0f} kB a run")  # fmt: skip


def main() -> None:
    """Run what was asked for."""
    parts = {"same": same, "workers": workers, "kills": kills, "overhead": overhead, "long": long}
    for name in sys.argv[1:] or parts:
        with tempfile.TemporaryDirectory() as folder:
            parts[name](Path(folder))
            sys.stdout.flush()


if __name__ == "__main__":
    main()
