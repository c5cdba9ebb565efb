"""Games from data: forecast tables, recalibrated and binned, and how far the game in them can be trusted.

Needs the extra ``forecasts`` (pandas, scikit-learn), imported when a table is read.
"""

from scorewright.forecasts.assessing import assess, game
from scorewright.forecasts.assessment import Assessment, Variant, Verdict
from scorewright.forecasts.decisions import classify, invest, newsvendor
from scorewright.forecasts.reading import EXAMPLES, HEART_COSTS, example, read
from scorewright.forecasts.scores import Difference, Interval, Score
from scorewright.forecasts.spoken import spoken
from scorewright.forecasts.table import Forecasts

__all__ = [
    "EXAMPLES",
    "HEART_COSTS",
    "Assessment",
    "Difference",
    "Forecasts",
    "Interval",
    "Score",
    "Variant",
    "Verdict",
    "assess",
    "classify",
    "example",
    "game",
    "invest",
    "newsvendor",
    "read",
    "spoken",
]
