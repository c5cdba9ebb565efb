"""scorewright designs and learns payment rules that buy good information.

>>> import scorewright as sw
>>> solution = sw.solve(sw.families.make("three_efforts"))
>>> solution
Solution(effort='skim', profit=0.525, payment=0.175, gap=...)
"""

import importlib
import sys
from types import ModuleType

from scorewright import agents, errors, families, forecasts, game, learn, optimum, oracles, plot, rules, study
from scorewright.game import Game, Setting, Terms, load
from scorewright.optimum import least_bound, margin, solve
from scorewright.rules import Rule
from scorewright.simulate import Run, simulate

__version__ = "0.1.0"

if "gymnasium" in sys.modules:  # too dear to import for everybody else
    from scorewright.simulate import environment as environment

__all__ = [
    "Game",
    "Rule",
    "Run",
    "Setting",
    "Terms",
    "__version__",
    "agents",
    "errors",
    "families",
    "forecasts",
    "game",
    "learn",
    "least_bound",
    "load",
    "margin",
    "optimum",
    "oracles",
    "plot",
    "rules",
    "simulate",
    "solve",
    "study",
]


def __getattr__(name: str) -> ModuleType:
    """Import late what needs an extra: sessions, the service and its client."""
    if name in ("client", "service", "session"):
        return importlib.import_module(f"scorewright.{name}")
    raise AttributeError(f"module 'scorewright' has no attribute {name!r}")
