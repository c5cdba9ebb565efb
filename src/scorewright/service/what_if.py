r"""What if: the best rule under another utility or bound, were the estimates so far exact.

The efforts seen so far, their estimated information :math:`\hat q_k` and cost gaps :math:`\hat C(k, r)` to one of them
make a known game, which `solve` solves. An effort that was never seen, or whose cost nothing is known about, is left
out. Nothing of this is issued, and the learner does not hear of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scorewright.errors import NothingLearnedError
from scorewright.game import Game, Setting, Terms
from scorewright.learn import Estimates
from scorewright.optimum import Solution, solve
from scorewright.validation import Numbers, table


@dataclass(frozen=True, eq=False)
class WhatIf:
    """The game that was solved, and its solution.

    Attributes
    ----------
    setting : Setting
        With the changes made.
    efforts : tuple of int
        The learner's numbers of the game's efforts.
    game : Game
    solution : Solution
    """

    setting: Setting
    efforts: tuple[int, ...]
    game: Game
    solution: Solution


def what_if(
    setting: Setting,
    known: Estimates,
    *,
    utility: Numbers | None = None,
    bound: float | None = None,
    penalty: float | None = None,
) -> WhatIf:
    """Return the best rule at the estimates, with what is given changed."""
    changed = _changed(setting, utility, bound, penalty)
    kept = _comparable(known)
    costs = known.cost_gap[kept, kept[0]]
    game = Game(
        beliefs=changed.terms.beliefs,
        information=known.information[kept],
        costs=costs - costs.min(),
        utility=changed.utility,
        bound=changed.terms.bound,
        penalty=changed.terms.penalty,
        states=changed.terms.states,
    )
    return WhatIf(changed, tuple(int(effort) for effort in kept), game, solve(game))


def _changed(setting: Setting, utility: Numbers | None, bound: float | None, penalty: float | None) -> Setting:
    old = setting.terms
    terms = Terms(
        old.beliefs,
        old.bound if bound is None else bound,
        old.penalty if penalty is None else penalty,
        old.efforts,
        old.states,
    )
    if utility is None:
        return Setting(terms, setting.utility, setting.decisions)
    worth = table(utility, "utility", ("decisions", "states"))
    return Setting(terms, worth, setting.decisions if len(worth) == len(setting.utility) else None)


def _comparable(known: Estimates) -> NDArray[np.intp]:
    """Return the efforts whose costs can be compared with the first of them: as many as there are, itself first."""
    seen = np.flatnonzero(known.counts > 0)
    if not len(seen):
        raise NothingLearnedError("nothing has been learned yet: a rule can be found after the first answers")
    finite = np.isfinite(known.cost_radius[np.ix_(seen, seen)])
    np.fill_diagonal(finite, True)
    best = int(np.argmax(finite.sum(axis=0)))
    others = [int(one) for one in np.flatnonzero(finite[:, best]) if one != best]
    return seen[[best, *others]]
