"""Many runs: studies, on any engine, and what they found."""

from scorewright.study.engines import Dask, Engine, EngineError, Processes, Serial, engine
from scorewright.study.forecasts import assessment_report
from scorewright.study.leaderboard import Interval, bootstrap, leaderboard
from scorewright.study.report import report
from scorewright.study.results import Results, read
from scorewright.study.running import Progress, run
from scorewright.study.spec import Study
from scorewright.study.suite import load

__all__ = [
    "Dask",
    "Engine",
    "EngineError",
    "Interval",
    "Processes",
    "Progress",
    "Results",
    "Serial",
    "Study",
    "assessment_report",
    "bootstrap",
    "engine",
    "leaderboard",
    "load",
    "read",
    "report",
    "run",
]
