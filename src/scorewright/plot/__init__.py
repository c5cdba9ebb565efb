"""Pictures: functions that take results and return matplotlib figures."""

from scorewright.plot.canvas import FORMATS, check_picture, save
from scorewright.plot.comparison import comparison
from scorewright.plot.forecasts import bounds, reliability
from scorewright.plot.payments import rule
from scorewright.plot.regions import regions
from scorewright.plot.runs import learning, rate, regret

__all__ = [
    "FORMATS",
    "bounds",
    "check_picture",
    "comparison",
    "learning",
    "rate",
    "regions",
    "regret",
    "reliability",
    "rule",
    "save",
]
