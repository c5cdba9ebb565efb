"""Hopes: what an effort's best rule would earn beyond the incumbent, and how sure that is."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from scorewright.learn.leads import Leads
from scorewright.learn.prospects import Candidates, Incumbent, Position
from scorewright.validation import Array

SURPRISES = 2.0
"""What else an effort may do, seen n times: as bad a guess as so many reports at the far end of the range."""


@dataclass(frozen=True, eq=False)
class Hope:
    """What an effort's best rule would earn beyond the incumbent, as the worlds that can induce it see it.

    Attributes
    ----------
    chance, lead, worth : (C,) arrays
        Chance of each kind of world; the lead on average, and its standard deviation: the part that the effort's
        reports would tell.
    wage : float
        Standard deviation of the rest, which only probes tell.
    inducible : float
        The share of worlds that can induce it.
    """

    chance: Array
    lead: Array
    worth: Array
    wage: float
    inducible: float

    @property
    def better(self) -> float:
        """The chance that some rule for the effort beats the incumbent."""
        spread = np.maximum(np.sqrt(self.worth**2 + self.wage**2), 1e-15)
        below = [math.erfc(z / math.sqrt(2)) / 2 for z in (self.lead / spread).tolist()]
        return self.inducible * float(self.chance @ (1 - np.array(below)))


def hope_for(position: Position, incumbent: Incumbent, others: Candidates) -> Hope:
    r"""Regress what the best rule earns on what the best rule so far does: reports tell the latter.

    :math:`\text{best} = a + b \cdot \text{now} + \text{rest}` over the worlds: where an effort that is worth more is
    cheaper to buy as well, b exceeds 1, and few reports leave more to hope for than they say by themselves. It is 1 at
    least: nothing is written off because its reports seem to tell nothing.
    """
    effort, ensemble, can = others.effort, position.ensemble, np.isfinite(others.best)
    base = incumbent.by_effort.get(effort)
    expected = np.zeros(len(position.value)) if base is None else ensemble.expected[base]
    now = ensemble.information[:, effort] @ (position.value - expected)
    leads = Leads.of(now[:, None], incumbent.earned, position.kinds)
    asked = now[others.asked][can]
    beyond, apart = others.best[can] - asked, asked - asked.mean()
    varies = len(apart) * max(float(now.std()), 1e-6 * position.size) ** 2  # at least; a few worlds may be close
    steeper = max(0.0, float(apart @ beyond) / max(float(apart @ apart), varies))
    rest = beyond - beyond.mean() - steeper * apart
    more = beyond.mean() + (asked.mean() - now.mean() if base is None else 0.0)
    worth: Array = (1 + steeper) * leads.own[:, 0]
    return Hope(leads.chance, leads.ahead[:, 0] + more, worth, float(rest.std()), float(can.mean()))


def wary(position: Position, incumbent: Incumbent, effort: int, worth: Array) -> Array:
    """The standard error of what an effort is worth, if nobody trusts few reports: theirs and surprising ones'.

    Where effort does not move the state, what is linear in the belief is known by the base rate, and only the rest of
    what a report is worth is in doubt. What each kind of world takes for its own error, `worth` (C,), is the least;
    what is feared beyond that counts, in variance, as much as the kind is likely.
    """
    base, counts, ensemble = incumbent.by_effort.get(effort), position.counts[effort], position.ensemble
    if base is None or ensemble.known is not None:
        return worth
    lead, seen, surprise = position.value - ensemble.expected[base], float(counts.sum()), float(np.ptp(position.value))
    feared = []
    for kind in position.kinds:
        values, far = lead, surprise
        if kind.still:
            values = _beyond_linear(lead, ensemble.beliefs, counts + 1)
            far = min(far, float(np.ptp(_beyond_linear(position.value, ensemble.beliefs, np.ones(len(counts))))))
        feared.append(math.sqrt(kind.chance * _squares(values, counts, far)) / (seen + 1))
    return np.maximum(worth, feared)


def _squares(values: Array, counts: Array, surprise: float) -> float:
    """Squared errors of reports about their mean, and of a few at the far ends of a range."""
    mean = counts @ values / counts.sum()
    return float(counts @ (values - mean) ** 2) + SURPRISES * (surprise / 2) ** 2


def _beyond_linear(values: Array, beliefs: Array, weights: Array) -> Array:
    """What of the values of beliefs is not linear in them: residuals of weighted least squares."""
    root = np.sqrt(weights)
    fit = np.linalg.lstsq(root[:, None] * beliefs, root * values, rcond=None)[0]
    result: Array = values - beliefs @ fit
    return result
