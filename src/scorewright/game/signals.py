r"""From observations to beliefs: Bayes' rule on a joint distribution.

Effort k gives the state and an observation jointly, :math:`p(\omega, o \mid k)`. Observing o, the agent believes
:math:`\sigma = p(\cdot, o \mid k) / p(o \mid k)`. Posteriors that are equal within `tolerance.MERGE` are one belief,
whichever effort or observation they came from, so that :math:`M \le K \cdot C_O`.
"""

from __future__ import annotations

import numpy as np

from scorewright import tolerance
from scorewright.validation import Array


def posteriors(joint: Array) -> tuple[Array, Array]:
    """Beliefs (M, W) and information (K, M) of a joint distribution (K, O, W)."""
    chances = joint.sum(axis=2)
    beliefs: list[Array] = []
    found = np.empty((0, joint.shape[2]))
    places: list[tuple[int, int, float]] = []
    for effort, observation in np.argwhere(chances > 0):
        chance = chances[effort, observation]
        posterior = joint[effort, observation] / chance
        same = np.abs(found - posterior).max(axis=1) <= tolerance.MERGE if len(beliefs) else np.zeros(0, bool)
        if same.any():
            places.append((effort, int(np.argmax(same)), chance))
        else:
            places.append((effort, len(beliefs), chance))
            beliefs.append(posterior)
            found = np.array(beliefs)
    information = np.zeros((len(joint), len(beliefs)))
    for effort, belief, chance in places:
        information[effort, belief] += chance
    return found, information
