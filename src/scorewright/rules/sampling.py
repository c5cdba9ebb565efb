r"""Random strongly proper rules.

`sample` draws from the uniform distribution on the polytope of :math:`\beta`-strongly proper rules with payments in
[least, bound], by coordinate hit-and-run: from the analytic centre, choose one axis at random, move to a uniform point
of the chord along it, repeat. The axes are those of the payments, and those of the coordinates in which the polytope's
Dikin ellipsoid at the centre is a ball, so that long thin classes mix too. The walk converges to the uniform
distribution, and from M W steps on every open part of the class has a positive chance. The default number of steps,
80 M W + 200, is what the tests need, several times over, to agree with exact rejection sampling and, where that can't
reach, with longer walks; a support with probabilities very near zero may want more.

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
        """Draw one rule, independent of all others."""
        random = generator(rng)
        place = self._centre
        room = self._room(place)
        steps = self.steps or 80 * place.size + 200
        for axis, share in zip(random.integers(2 * place.size, size=steps), random.random(steps), strict=True):
            direction = self._axes[axis]
            speed = self._speeds(direction)
            pace = speed / room  # the chord is where 1 + t * pace stays nonnegative
            low, high = -1 / pace.max(), -1 / pace.min()
            step = low + share * (high - low)
            place = place + step * direction
            room = np.maximum(room + step * speed, np.finfo(float).tiny)
        payments = self.least + (self.bound - self.least) * np.clip(place, 0.0, 1.0)
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

    @cached_property
    def _required(self) -> Array:
        """Slack that the strength asks for, (M, M); on the diagonal less than zero, so that there is always room."""
        result = np.full((len(self._polytope.beliefs),) * 2, -1.0)
        result[self._polytope.pairs] = self._polytope.strength * self._polytope.squares
        return result

    def _room(self, place: Array) -> Array:
        """How far `place` is from each limit: slacks (M M), payments above zero (M W), payments below one (M W)."""
        slack = slacks(place, self._polytope.beliefs) - self._required
        return np.concatenate([slack.ravel(), place.ravel(), 1 - place.ravel()])

    def _speeds(self, direction: Array) -> Array:
        """How fast that room grows along `direction`."""
        slack = slacks(direction, self._polytope.beliefs)
        return np.concatenate([slack.ravel(), direction.ravel(), -direction.ravel()])

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
    def _axes(self) -> Array:
        """Axes of the Dikin ellipsoid at the centre (rows of A with ``A' A`` the inverse Hessian), then the payments'.

        Of shape (2 M W, M, W). A payment in a state that its belief holds next to impossible is almost free: only a
        step along its own axis moves it far.
        """
        inverse = np.linalg.inv(np.linalg.cholesky(self._hessian(self._centre)))
        both: Array = np.concatenate([inverse, np.eye(len(inverse))])
        return both.reshape(-1, *self._centre.shape)

    def _weights(self, place: Array) -> Array:
        """Reciprocal room of each properness row, as an (M, M) table."""
        result = 1 / (slacks(place, self._polytope.beliefs) - self._required)
        np.fill_diagonal(result, 0.0)
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
