r"""The optimum of a known game.

For every effort k, LP_k gives the cheapest proper rule that induces it, or there is none; the optimum is the effort
with the best profit :math:`q_k \cdot u - q_k \cdot s`. Ties of the agent break in the principal's favour, so the
optimum is attained.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, overload

import numpy as np

from scorewright import tolerance
from scorewright.errors import CannotInduceError, InvalidInputError
from scorewright.game import Game
from scorewright.optimum.bounds import climb, crossing
from scorewright.optimum.certificate import Certificate, Multipliers, violation
from scorewright.optimum.margins import Margin, firmest
from scorewright.optimum.programs import Found, Programs
from scorewright.optimum.robust import robust
from scorewright.optimum.solution import Induced, Prices, Reason, Solution
from scorewright.optimum.uncertainty import RobustSolution
from scorewright.rules.properness import distinct
from scorewright.validation import number, read_only


@overload
def solve(
    game: Game,
    *,
    margin: float = 0.0,
    strength: float = 0.0,
    uncertainty: None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Solution: ...


@overload
def solve(
    game: Game,
    *,
    margin: float = 0.0,
    strength: float = 0.0,
    uncertainty: Any,
    progress: Callable[[int, int], None] | None = None,
) -> RobustSolution: ...


def solve(
    game: Game,
    *,
    margin: float = 0.0,
    strength: float = 0.0,
    uncertainty: Any = None,
    progress: Callable[[int, int], None] | None = None,
) -> Solution | RobustSolution:
    """Return the best proper rule for `game`, effort by effort, with proofs.

    Parameters
    ----------
    game : Game
    margin : float
        The induced effort must beat every rival by this much: stay that far from the knife's edge between efforts.
    strength : float
        Rules must be this strongly proper: stay that far from the knife's edge between reports.
    uncertainty : (R, K, M) array, Uncertainty or Assessment, optional
        Plausible information structures. The rule must then induce its effort in all of them, the game's own included,
        and earn most in the worst; the answer is a `RobustSolution`, with the price of that.
    progress : callable, optional
        Called as ``progress(done, of)`` after each effort.

    Raises
    ------
    CannotInduceError
        No effort can be induced at this `margin` and `strength` (with neither, one always can).

    Examples
    --------
    >>> import scorewright as sw
    >>> solution = sw.solve(sw.families.make("three_efforts"))
    >>> solution.effort, round(solution.profit, 9), round(solution.payment, 9)
    (1, 0.525, 0.175)
    >>> solution.certificate.gap < 1e-9
    True
    """
    if not isinstance(game, Game):
        raise InvalidInputError(f"solve takes a Game, not {type(game).__name__}")
    margin = number(margin, "margin", least=0)
    programs = Programs(game, _attainable(game, number(strength, "strength", least=0)))
    induced: list[Induced | None] = []
    reasons: list[Reason | None] = []
    for effort in range(len(game.costs)):
        answer = _induce(programs, effort, margin)
        induced.append(answer if isinstance(answer, Induced) else None)
        reasons.append(answer if isinstance(answer, Reason) else None)
        if progress is not None:
            progress(effort + 1, len(game.costs))
    most = max((found.profit for found in induced if found is not None), default=None)
    if most is None:
        raise CannotInduceError(_nothing(game, reasons, margin, strength))
    near = most - tolerance.ROUNDING * max(1.0, abs(most))
    best = next(k for k, found in enumerate(induced) if found is not None and found.profit >= near)
    solution = Solution(game, best, tuple(induced), tuple(reasons))
    if uncertainty is None:
        return solution
    return robust(game, uncertainty, solution, margin=margin, strength=programs.strength, progress=progress)


def _attainable(game: Game, strength: float) -> float:
    if strength and distinct(game.beliefs).any():
        greatest = Programs(game).polytope.strongest()[1] * Programs(game).unit
        if strength > greatest + tolerance.FEASIBLE * tolerance.scale(game.bound):
            raise CannotInduceError(
                f"no rule with payments up to {game.bound:g} is proper with strength {strength:g}: "
                f"on these beliefs the greatest is {greatest:.6g}"
            )
        return min(strength, greatest)
    return strength


def _induce(programs: Programs, effort: int, margin: float) -> Induced | Reason:
    """The cheapest rule for one effort, or the proof that there is none."""
    found = programs.cheapest(effort, margin)
    if found is not None:
        return _induced(programs, effort, found, margin)
    widest = firmest(programs, effort)
    if widest.value < margin - tolerance.FEASIBLE * tolerance.scale(programs.game.bound):
        return _reason(programs, effort, widest, margin)
    # On the knife's edge rounding decides whether a region that is a single point is there at all. Aim for the very
    # margin that there is; the certificate's violation says by how much that falls short of zero.
    for short in (0.0, 1e-3, 1e-2, 1e-1, 1.0):
        edge = min(margin, widest.value) - short * tolerance.FEASIBLE * programs.unit
        found = programs.cheapest(effort, edge)
        if found is not None:
            return _induced(programs, effort, found, margin)
    return _reason(programs, effort, widest, margin)


def _induced(programs: Programs, effort: int, found: Found, asked: float) -> Induced:
    """The answer for one effort; on the knife's edge the margin solved for is a hair below the one `asked` for."""
    game, multipliers = programs.game, found.multipliers
    payment, least = found.certificate.primal, found.certificate.dual
    worth = float(game.worth[effort])
    broken = violation(game, effort, found.rule, margin=asked, strength=programs.strength)
    return Induced(
        effort=effort,
        profit=worth - payment,
        payment=payment,
        rule=found.rule,
        certificate=Certificate.of(worth - payment, worth - least, broken),
        prices=_prices(game, effort, multipliers),
        multipliers=multipliers,
    )


def _prices(game: Game, effort: int, multipliers: Multipliers) -> Prices:
    costs = multipliers.rivals.copy()
    costs[effort] = -multipliers.rivals.sum()
    coefficients = multipliers.coefficients(game, effort, paid=True)
    return Prices(
        costs=read_only(costs + 0.0),
        bound=float(np.maximum(-coefficients, 0.0).sum()),
        penalty=float(np.maximum(coefficients, 0.0)[game.beliefs == 0].sum()),
    )


def _reason(programs: Programs, effort: int, widest: Margin, margin: float) -> Reason:
    game = programs.game
    rivals = " and ".join(
        f"{game.name(k)!r} ({weight:.0%})" if weight < 0.995 else repr(game.name(k))
        for k, weight in enumerate(widest.multipliers.rivals)
        if weight > 0.005
    )
    rules = f"every rule with payments up to {game.bound:g}"
    if programs.strength:
        rules += f" and strength {programs.strength:g}"
    if widest.value < 0:
        words = f"under {rules} the agent gains at least {-widest.value:.6g} by switching to {rivals}"
    else:
        words = f"under {rules} it beats {rivals} by {widest.value:.6g} at most, less than the margin of {margin:g}"
    least = math.nan
    if margin == 0 and programs.strength == 0:
        found = climb(game, effort, crossing(game, effort, widest.multipliers))
        least, proved = found.value, found.certificate.dual
        if proved * tolerance.ROUNDING > np.ptp(game.costs):  # as far as floats can tell, for ever
            words += "; no bound would change that"
        elif math.isinf(least):
            words += f"; no bound up to {proved:.3g} would change that"
        else:
            words += f"; it takes a bound of {proved:.6g} or more"
    return Reason(effort, widest.value, least, widest.certificate, widest.multipliers, words)


def _nothing(game: Game, reasons: list[Reason | None], margin: float, strength: float) -> str:
    widest = max((reason for reason in reasons if reason is not None), key=lambda reason: reason.margin)
    proper = f" and strength {strength:g}" if strength else ""
    return (
        f"no effort can be induced with margin {margin:g}{proper}: the widest margin is {widest.margin:.6g}, "
        f"for {game.name(widest.effort)!r}; ask for less"
    )
