"""Payments in whole units: a rule that can be paid in cents, and is proper again.

Round every entry to the nearest unit (within the range that the rule already pays), then let every belief choose its
best row of the rounded table. The second step restores properness and moves no expected payment by more than the
rounding did: at most one unit, half a unit where no entry met the edge of the range. (Rules with fines may have to move
further: a row whose fine others would risk is lowered until nobody wants to.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from scorewright import tolerance
from scorewright.errors import InvalidInputError
from scorewright.validation import Array, expect, number

if TYPE_CHECKING:
    from scorewright.rules.rule import Rule


@dataclass(frozen=True)
class Rounding:
    """A rounded rule and what the rounding changed.

    Attributes
    ----------
    rule : Rule
        The rule in whole units.
    unit : float
        The unit.
    change : float
        Largest change of an expected payment, over beliefs.
    """

    rule: Rule
    unit: float
    change: float


def in_units(payments: Array, beliefs: Array, unit: float) -> Array:
    """Payments (M, W) in whole multiples of `unit`, proper on `beliefs` (M, W)."""
    unit = number(unit, "unit", least=tolerance.SMALLEST)
    if np.abs(payments).max() > unit * 2.0**52:
        raise InvalidInputError(f"unit is {unit:g}; too small to count payments up to {np.abs(payments).max():g} in")
    nudge = tolerance.PROPER  # 0.3 / 0.1 is 2.9999999999999996
    lowest = np.ceil(min(0.0, payments.min()) / unit - nudge)
    highest = max(lowest, np.floor(payments.max() / unit + nudge))
    menu = np.clip(np.rint(payments / unit), lowest, highest)
    ruled_out = beliefs == 0
    floor = np.where(ruled_out, lowest, menu[~ruled_out].min())
    while True:
        chosen, envied, envy = _choose(menu, beliefs, ruled_out)
        if envied is None:
            return _multiples(menu[chosen], unit)
        menu[envied] = np.maximum(menu[envied] - max(1.0, np.ceil(envy)), floor[envied])


def _choose(menu: Array, beliefs: Array, ruled_out: NDArray[np.bool_]) -> tuple[NDArray[np.intp], int | None, float]:
    """Each belief's best row among those whose fines it would never pay, and a row that somebody still envies.

    A fine is a negative payment in a state that the row's own belief rules out. Without fines nobody envies anything.
    With them (a game with a penalty) a belief may want a row whose fine it could be asked to pay; that row is then
    made less attractive by as many units, and the choice made again.
    """
    gains = beliefs @ menu.T
    fines = (menu < 0) & ruled_out
    if not fines.any():
        return gains.argmax(axis=1), None, 0.0
    fined = (fines[None, :, :] & ~ruled_out[:, None, :]).any(axis=2)
    allowed = np.where(fined, -np.inf, gains)
    chosen = allowed.argmax(axis=1)
    used = np.unique(chosen)
    envy = gains[:, used] - allowed.max(axis=1)[:, None]
    if envy.max() <= tolerance.PROPER * tolerance.scale(float(np.abs(menu).max())):
        return chosen, None, 0.0
    return chosen, int(used[np.unravel_index(envy.argmax(), envy.shape)[1]]), float(envy.max())


def _multiples(counts: Array, unit: float) -> Array:
    """``counts * unit`` as the nearest floats to the decimal amounts: 3 cents is 0.03, not 0.030000000000000002."""
    inverse = 1.0 / unit
    whole = np.rint(inverse)
    exact = whole > 0 and abs(inverse - whole) <= tolerance.PROPER * inverse
    digits = 12 - int(np.floor(np.log10(unit)))
    result: Array = counts / whole if exact else np.round(counts * unit, min(max(digits, 0), 300))
    return result + 0.0


def rounding(rule: Rule, unit: float = 0.01) -> Rounding:
    """Round `rule` to whole units and say what that changed.

    Examples
    --------
    >>> import scorewright as sw
    >>> rule = sw.rules.quadratic([[0.5, 0.5], [0.7, 0.3], [0.3, 0.7]], bound=1)
    >>> done = sw.rules.rounding(rule, unit=0.05)
    >>> done.rule.payments.tolist()
    [[0.75, 0.75], [0.9, 0.5], [0.5, 0.9]]
    >>> done.rule.is_proper(), round(done.change, 3)
    (True, 0.01)
    """
    from scorewright.rules.rule import Rule  # here, because a Rule rounds itself with this module

    rounded = expect(rule, Rule, "rule").rounded(unit)
    return Rounding(
        rounded,
        float(unit),
        float(np.abs(rounded.expected - rule.expected).max()),
    )
