r"""Random strongly proper rules.

`sample` draws from the uniform distribution on the polytope of :math:`\beta`-strongly proper rules with payments in
[least, bound], by hit-and-run: from the analytic centre, draw a direction at random, move to a uniform point of the
chord, repeat. Directions are normal in the coordinates in which the polytope's Dikin ellipsoid at the centre is a ball,
so that long thin classes mix too. The walk converges to the uniform distribution; every step has positive density
everywhere in the class, so no rule is out of reach after any number of steps. The default number of steps, 10 M W +
100, is measured against exact rejection sampling in the tests.

Beliefs that coincide share a row. Uniformity by volume is what the paper's random-sampling oracle assumes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorewright import tolerance
from scorewright.errors import CannotInduceError
from scorewright.rules.polytope import Polytope
from scorewright.rules.properness import distinct, slacks
from scorewright.rules.rule import Rule
from scorewright.validation import Array, Numbers, generator, number, probabilities, whole
from scorewright.values import Value


@dataclass(frozen=True, eq=False, init=False)
class Sampler(Value):
    """Draws independent random rules; keeps what all draws share.

    Parameters
    ----------
    beliefs : (M, W) array
    bound : float
        Largest payment.
    strength : float
        The rules are at least this strongly proper.
    least : float
        Smallest payment.
    steps : int, optional
        Hit-and-run steps per draw.
    """

    beliefs: Array
    bound: float
    strength: float
    least: float
    steps: int | None

    def __init__(
        self,
        beliefs: Numbers,
        bound: float,
        strength: float = 0.0,
        least: float = 0.0,
        steps: int | None = None,
    ) -> None:
        least = number(least, "least")
        self._set(
            beliefs=probabilities(beliefs, "beliefs", ("beliefs", "states")),
            bound=number(bound, "bound", above=least),
            strength=number(strength, "strength", least=0),
            least=least,
            steps=None if steps is None else whole(steps, "steps", least=1),
        )

    def draw(self, rng: Any = None) -> Rule:
        """Draw one rule."""
        random = generator(rng)
        span = self.bound - self.least
        place, shape = self._centre, self._centre.shape
        for _ in range(self.steps or 10 * place.size + 100):
            direction = (self._ellipsoid @ random.standard_normal(place.size)).reshape(shape)
            low, high = self._chord(place, direction)
            place = place + random.uniform(low, high) * direction
        payments = self.least + span * np.clip(place, 0.0, 1.0)
        return Rule(payments[self._own], self.beliefs)

    @cached_property
    def _own(self) -> NDArray[np.intp]:
        """Position among the different beliefs of each belief."""
        first = np.argmin(distinct(self.beliefs), axis=1)
        return np.unique(first, return_inverse=True)[1]

    @cached_property
    def _polytope(self) -> Polytope:
        different = self.beliefs[np.unique(self._own, return_index=True)[1]]
        return Polytope(different, np.zeros_like(different), 1.0, self.strength / (self.bound - self.least))

    def _slacks(self, place: Array) -> Array:
        return slacks(place, self._polytope.beliefs)[self._polytope.pairs]

    @cached_property
    def _required(self) -> Array:
        result: Array = self._polytope.strength * self._polytope.squares
        return result

    def _chord(self, place: Array, direction: Array) -> tuple[float, float]:
        """Range of t for which ``place + t direction`` stays in the class."""
        room = np.concatenate([self._slacks(place) - self._required, place.ravel(), 1 - place.ravel()])
        speed = np.concatenate([self._slacks(direction), direction.ravel(), -direction.ravel()])
        room = np.maximum(room, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            times = -room / speed
        return float(times[speed > 0].max()), float(times[speed < 0].min())

    @cached_property
    def _centre(self) -> Array:
        """Analytic centre, by damped Newton steps from the centre of the largest ball."""
        place, radius = self._polytope.centre()
        if radius <= tolerance.FEASIBLE:
            greatest = self._polytope.strongest()[1] * (self.bound - self.least)
            raise CannotInduceError(
                f"no rule with payments in [{self.least:g}, {self.bound:g}] has room at strength {self.strength:g}: "
                f"on these beliefs the strength must be less than {greatest:.6g}"
            )
        for _ in range(50):
            step = np.linalg.solve(self._hessian(place), self._gradient(place).ravel()).reshape(place.shape)
            decrement = float(np.sqrt(max(0.0, np.vdot(step, self._gradient(place)))))
            if decrement < 1e-3:
                break
            place = place + step / (1 + decrement)
        return place

    @cached_property
    def _ellipsoid(self) -> Array:
        """The map from a ball to the Dikin ellipsoid: A with ``A A' = inverse Hessian``."""
        result: Array = np.linalg.inv(np.linalg.cholesky(self._hessian(self._centre))).T
        return result

    def _weights(self, place: Array) -> Array:
        """Reciprocal room of each properness row, as an (M, M) table."""
        result = np.zeros((len(place), len(place)))
        result[self._polytope.pairs] = 1 / (self._slacks(place) - self._required)
        return result

    def _gradient(self, place: Array) -> Array:
        """Gradient of the log barrier, (M, W)."""
        beliefs, weights = self._polytope.beliefs, self._weights(place)
        result: Array = weights.sum(axis=1)[:, None] * beliefs - weights.T @ beliefs + 1 / place - 1 / (1 - place)
        return result

    def _hessian(self, place: Array) -> Array:
        """Minus the Hessian of the log barrier, (M W, M W)."""
        count, states = place.shape
        weights = self._weights(place) ** 2
        outer = np.einsum("iv,iw->ivw", self._polytope.beliefs, self._polytope.beliefs)
        result = np.zeros((count, states, count, states))
        envied = np.einsum("ij,ivw->ivjw", weights, outer)
        result -= envied + envied.transpose(2, 3, 0, 1)
        own = np.arange(count)
        result[own, :, own, :] = weights.sum(axis=1)[:, None, None] * outer + np.einsum("ij,ivw->jvw", weights, outer)
        flat = result.reshape(place.size, place.size)
        flat[np.diag_indices(place.size)] += (1 / place**2 + 1 / (1 - place) ** 2).ravel()
        return flat


def sample(beliefs: Any, bound: float, strength: float = 0.0, *, rng: Any = None, least: float = 0.0) -> Rule:
    """Draw a random rule, uniform on the `strength`-strongly proper rules with payments in [least, bound].

    Examples
    --------
    >>> rule = sample([[0.5, 0.5], [0.8, 0.2], [0.1, 0.9]], bound=1, strength=0.1, rng=7)
    >>> rule.strength >= 0.1, rule.within(1)
    (True, True)
    """
    return Sampler(beliefs, bound, strength, least).draw(rng)
