r"""Two states: every proper rule is a sum of V-shaped ones.

Beliefs :math:`\sigma = (1 - p, p)` then lie on a line, and the expected payment U(p) is convex: between the first and
the last belief a straight line and kinks, :math:`d_i \ge 0` at belief i. A kink is a V-shaped rule. It pays :math:`p_i`
in the first state to reports up to :math:`p_i`, and :math:`1 - p_i` in the second to those beyond. Payments in the
first state fall with the report and those in the second rise, so that the bounds bind at the two ends alone:

.. math:: a + \sum_i d_i\,p_i \le \text{highest}, \qquad b + \sum_i d_i\,(1 - p_i) \le \text{highest},
          \qquad a, b, d \ge 0,

where a and b are paid whatever is reported. So a task has two rows more than rivals, however many beliefs there are.

The proof is a transport along the line. Beliefs of negative weight are to be paid more. Each is balanced by the nearest
beliefs of positive weight on either side, in the proportions that have its own chances for their mean; they envy it so
much. At the two ends of the line lies what the bounds are worth, and behind those, in plenty, the payments that are at
zero: a balance may leave something over. When no reduced cost is negative there is enough of everything, for that is
what being smaller in the convex order means.
"""

from __future__ import annotations

import numpy as np

from scorewright.optimum.task import Answer, Numbers, Task
from scorewright.program import Growing, Program, Rows, Way
from scorewright.validation import Array

MAGNIFIED = 1e3
"""So many times its costs is what the solver is given: its least tolerance for prices is absolute."""


def fits(task: Task) -> bool:
    """Whether `solve` takes the task: two states, no fines, no strength."""
    return task.beliefs.shape[1] == 2 and task.loose


def solve(task: Task, way: Way) -> Answer | None:
    """Return the optimum of a task that `fits`, or None when its rows can't be met."""
    order = np.argsort(task.beliefs[:, 1], kind="stable")
    beliefs = task.beliefs[order]
    peaks = beliefs[1:-1, ::-1].T  # what a kink pays, state by state
    cost, *rows = (_paid(beliefs, weights[order]) for weights in (task.cost, *task.rows))
    width, margin = len(cost), np.full(int(task.reach > 0), -1.0)
    matrix = np.zeros((len(rows) + 2, width + len(margin)))
    matrix[:, :width] = [*rows, *-np.hstack([np.eye(2), peaks])]
    matrix[:-2, width:] = margin
    program = Program(
        np.concatenate([cost, margin]) * MAGNIFIED,
        Rows.dense(matrix, np.concatenate([task.least, np.full(2, -task.highest)])),
        np.concatenate([np.zeros(width), task.reach * margin]),
        np.concatenate([np.full(width, np.inf), -task.reach * margin]),
    )
    vertex = Growing(program, way).solve()
    if vertex is None:
        return None
    always, kinks, most = np.split(vertex.point, [2, width])
    falling, rising = np.zeros((2, len(order)))
    falling[1:-1], rising[2:] = kinks * peaks[0], kinks * peaks[1]
    menu = np.empty(beliefs.shape)
    menu[order, 0], menu[order, 1] = always[0] + np.cumsum(falling[::-1])[::-1], always[1] + np.cumsum(rising)
    prices, caps = np.split(vertex.multipliers / MAGNIFIED, [len(rows)])
    weights = task.weights(prices)[order]
    # The solver leaves reduced costs a hair below zero. Prices of the bound that are so much higher make up for it.
    reduced = _paid(beliefs, weights) + np.concatenate([caps, caps @ peaks])
    enviers, envied, envy = _balanced(beliefs, weights, caps + max(0.0, -float(reduced.min())))
    return Answer(menu, np.arange(len(order)), float(most.sum()), prices, order[enviers], order[envied], envy)


def _paid(beliefs: Array, weights: Array) -> Array:
    """What a, b and the kinks between the ends pay to beliefs (M, 2), from left to right, that weigh `weights`."""
    first, second = (weights[:, None] * beliefs).T
    up_to, beyond = np.cumsum(first), np.cumsum(second[::-1])[::-1] - second
    bent = beliefs[:, 1] * up_to + beliefs[:, 0] * beyond
    return np.concatenate([[first.sum(), second.sum()], bent[1:-1]])


def _balanced(beliefs: Array, weights: Array, caps: Array) -> tuple[Numbers, Numbers, Array]:
    """Enviers, the envied and the prices of envy, (p,) each: what balances the beliefs of negative weight.

    The sweep goes from left to right. `behind` are beliefs of positive weight on the left, the nearest last; what is
    left of those on the right begins at `ahead`.
    """
    first, second = np.concatenate([[[0.0, -1.0], [1.0, 0.0]], beliefs, [[0.0, 1.0], [-1.0, 0.0]]]).T.tolist()
    left = [np.inf, float(caps[0]), *weights.tolist(), float(caps[1]), np.inf]
    last = len(beliefs) + 1
    behind, ahead = [0, 1], 2
    pairs: list[tuple[int, int]] = []
    envy: list[float] = []
    for here in range(2, last + 1):
        if left[here] > 0:
            behind.append(here)
        ahead = max(ahead, here + 1)
        while left[here] < 0:
            while left[ahead] <= 0:
                ahead += 1
            back = behind[-1]
            apart = first[back] * second[ahead] - second[back] * first[ahead]
            near = first[here] * second[ahead] - second[here] * first[ahead]
            far = first[back] * second[here] - second[back] * first[here]
            if back > 0 and far <= 0:  # at the same place
                near, far = 1.0, 0.0
            elif ahead <= last + 1 and near <= 0:
                near, far = 0.0, 1.0
            elif apart > 0:
                near, far = near / apart, far / apart
            else:  # rounding has taken the last of what there was
                break
            enough = -left[here], left[back] / near if near > 0 else np.inf, left[ahead] / far if far > 0 else np.inf
            much = min(enough)
            pairs += (back, here), (ahead, here)
            envy += much * near, much * far
            left[here] = left[here] + much if much < enough[0] else 0.0
            left[ahead] = left[ahead] - much * far if much < enough[2] else 0.0
            left[back] = left[back] - much * near if much < enough[1] else 0.0
            if left[back] <= 0:
                behind.pop()
    found, prices = np.array(pairs, dtype=np.intp).reshape(-1, 2), np.array(envy)
    there = (prices > 0) & (found[:, 0] >= 2) & (found[:, 0] <= last)
    return found[there, 0] - 2, found[there, 1] - 2, prices[there]
