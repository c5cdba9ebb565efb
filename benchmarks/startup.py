"""What a newcomer waits for: `python benchmarks/startup.py` (needs the package index).

In a fresh virtual environment: the install; the first run of `simulate` and later ones, beside `import numpy` in the
same environment; and the first run where the library has to be built first, as after `git pull` in a checkout.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
import time
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
RUN = """
import scorewright as sw
game = sw.families.make("three_efforts")
learner = sw.learn.OsrlUcb(game.setting, oracle=sw.oracles.best_margin(game))
sw.simulate(game, learner, rounds=1000, rng=0)
"""
PLAY = """
import time, scorewright as sw
game = sw.families.make("three_efforts")
oracle = sw.oracles.best_margin(game)
start = time.perf_counter()
sw.learn.OsrlUcb(game.setting, oracle)
print(time.perf_counter() - start)
"""


def seconds(python: Path, statement: str, **environment: str) -> float:
    """Wall-clock time of one fresh interpreter running one statement."""
    start = time.perf_counter()
    subprocess.run([python, "-c", statement], check=True, env=os.environ | environment)
    return time.perf_counter() - start


def main() -> None:
    """Install, run, print."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder, "bin", "python")
        cache = str(Path(folder, "cache"))
        start = time.perf_counter()
        subprocess.run([python, "-m", "pip", "install", "-q", "--disable-pip-version-check", HERE], check=True)
        print(f"install (downloads, and building the kernel): {time.perf_counter() - start:.1f} s")
        first = seconds(python, RUN, SCOREWRIGHT_CACHE=cache)
        later = [seconds(python, RUN, SCOREWRIGHT_CACHE=cache) for _ in range(7)]
        numpy = [seconds(python, "import numpy") for _ in range(7)]
        loads = subprocess.run([python, "-c", PLAY], check=True, capture_output=True, text=True).stdout
        print(f"first run of 1,000 rounds, interpreter and imports included: {first:.2f} s")
        print(f"later runs: {statistics.median(later):.2f} s;  import numpy alone: {statistics.median(numpy):.2f} s")
        print(f"of which finding and loading the kernel, and the first learner: {1000 * float(loads):.1f} ms")
        for library in Path(folder).rglob("scorewright-*.so"):
            library.unlink()
        built = seconds(python, RUN, SCOREWRIGHT_CACHE=cache)
        again = seconds(python, RUN, SCOREWRIGHT_CACHE=cache)
        print(f"first run where the library must be built: {built:.2f} s; the next: {again:.2f} s")


if __name__ == "__main__":
    main()
