r"""Recommendation: the rule to settle on.

The agent answers the same rule with the same effort, so a rule that was answered with effort k induces it. Its profit
is :math:`q_k \cdot (u - s)`, estimated at :math:`\hat q_k`. The interval is the L1 concentration of an empirical
distribution (the lemma behind the paper's radii, there for fixed n), made uniform over efforts and over the random
number of rounds by a union bound: with probability at least 1 - delta, for all k and n at once,

.. math:: \lVert \hat q_k - q_k \rVert_1 \le \epsilon_k
          = \sqrt{\tfrac{2}{n} \bigl(M \log 2 + \log \tfrac{K n (n + 1)}{\delta}\bigr)},

and :math:`|(\hat q_k - q_k) \cdot f| \le \tfrac12 \epsilon_k (\max f - \min f)` for every f, whichever rule was picked
by looking at the data. The rule with the highest lower end is recommended, among those that the kernel keeps (of rules
on one line the first and the last that each effort answered). K is the number of efforts known; where the
setting names none and more are discovered later, the promise is for those discovered so far.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from scorewright.errors import NothingLearnedError
from scorewright.game import Setting
from scorewright.kernel import Memory
from scorewright.rules import Rule
from scorewright.validation import number


@dataclass(frozen=True, eq=False)
class Recommendation:
    """A rule to settle on.

    Attributes
    ----------
    rule : Rule
    effort : int
        The effort that it was seen to induce.
    profit : float
        Estimated expected profit.
    low, high : float
        Interval that holds the profit with the stated probability.
    probability : float
    rounds : int
        Rounds behind it: those answered with that effort.
    evidence : str
        What stands behind it, in words.
    """

    rule: Rule
    effort: int
    profit: float
    low: float
    high: float
    probability: float
    rounds: int
    evidence: str


def recommend(memory: Memory, setting: Setting, probability: float) -> Recommendation:
    """Return the rule already seen to work whose profit is surely the highest."""
    probability = number(probability, "probability", above=0, most=1 - 1e-12)
    seen = memory.counts.sum(axis=1)
    if seen.sum() == 0:
        raise NothingLearnedError("nothing has been learned yet: ask for an offer and tell its answer first")
    beliefs = setting.terms.beliefs
    spread = np.array([l1_radius(max(1, int(n)), len(seen), len(beliefs), 1 - probability) for n in seen])
    effort, payments, profit, half = memory.recommend(spread)
    return Recommendation(
        rule=Rule(payments, beliefs),
        effort=effort,
        profit=profit,
        low=profit - half,
        high=profit + half,
        probability=probability,
        rounds=int(seen[effort]),
        evidence=f"effort {effort} answered it, and was seen to report {int(seen[effort]):,} times",
    )


def l1_radius(seen: int, efforts: int, beliefs: int, error: float) -> float:
    """L1 radius around an empirical distribution of `seen` draws, valid for all efforts and all times at once."""
    return math.sqrt(2 / seen * (beliefs * math.log(2) + math.log(efforts * seen * (seen + 1) / error)))


def hoeffding_radius(rounds: int, rule: int, error: float) -> float:
    """Half-width, as a share of the range, around the mean of one rule's rounds; for all rules and times at once."""
    return math.sqrt(math.log(2 * (rule + 1) * (rule + 2) * rounds * (rounds + 1) / error) / (2 * rounds))
