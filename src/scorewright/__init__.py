"""scorewright designs and learns payment rules that buy good information.

>>> import scorewright as sw
>>> solution = sw.solve(sw.families.make("three_efforts"))
>>> solution
Solution(effort='skim', profit=0.525, payment=0.175, gap=...)
"""

from scorewright import errors, families, game, optimum, plot, rules
from scorewright.game import Game, Setting, Terms, load
from scorewright.optimum import least_bound, margin, solve
from scorewright.rules import Rule

__version__ = "0.1.0"

__all__ = [
    "Game",
    "Rule",
    "Setting",
    "Terms",
    "__version__",
    "errors",
    "families",
    "game",
    "least_bound",
    "load",
    "margin",
    "optimum",
    "plot",
    "rules",
    "solve",
]
