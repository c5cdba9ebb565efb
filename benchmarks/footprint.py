"""What a user pays before anything runs: `python benchmarks/footprint.py`.

Installs the core (no extras) into a fresh virtual environment and prints what it added on disk, package by package, and
how long `import scorewright` takes beside `import numpy` alone, measured in turn in the same run.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
LOADED = "import scorewright, sys; print([m for m in ('matplotlib', 'highspy', 'scipy', 'typer') if m in sys.modules])"


def size(folder: Path) -> float:
    """Megabytes below a folder."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6


def seconds(python: Path, statement: str) -> float:
    """Wall-clock time of one fresh interpreter running one statement."""
    start = time.perf_counter()
    subprocess.run([python, "-c", statement], check=True)
    return time.perf_counter() - start


def main() -> None:
    """Install, weigh, time, print."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder) / "bin" / "python"
        site = next(Path(folder).glob("lib/python*/site-packages"))
        before = {entry.name for entry in site.iterdir()}
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", HERE], check=True)
        added = sorted(((size(e) if e.is_dir() else e.stat().st_size / 1e6, e.name) for e in site.iterdir()
                        if e.name not in before), reverse=True)  # fmt: skip
        print(f"core install: {sum(weight for weight, _ in added):.0f} MB")
        for weight, name in added:
            if weight >= 0.1:
                print(f"  {weight:7.1f} MB  {name}")
        rounds = [
            (seconds(python, "pass"), seconds(python, "import numpy"), seconds(python, "import scorewright"))
            for _ in range(15)
        ]
        bare, numpy, ours = (statistics.median(column) for column in zip(*rounds, strict=True))
        print(f"import numpy:       {1000 * (numpy - bare):.0f} ms")
        print(f"import scorewright: {1000 * (ours - bare):.0f} ms, {(ours - bare) / (numpy - bare):.1f}x numpy alone")
        loaded = subprocess.run([python, "-c", LOADED], check=True, capture_output=True, text=True).stdout.strip()
        print(f"of matplotlib, highspy, scipy, typer the import loads: {loaded}", file=sys.stdout)


if __name__ == "__main__":
    main()
