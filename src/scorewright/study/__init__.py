"""Many runs: studies, on any engine, and what they found."""

from scorewright.study.engines import Dask, Engine, EngineError, Processes, Serial, engine
from scorewright.study.results import Results, read
from scorewright.study.running import Progress, run
from scorewright.study.spec import Study

__all__ = [
    "Dask",
    "Engine",
    "EngineError",
    "Processes",
    "Progress",
    "Results",
    "Serial",
    "Study",
    "engine",
    "read",
    "run",
]
