r"""Worlds: what the game may be, as a sample that can be asked.

A world is :math:`(q, c)`, information and costs. The agent answers with a best response, so answer k to rule S says

.. math:: (q_k - q_i) \cdot s \ge c_k - c_i \quad \text{for every other effort } i,

which is linear in :math:`(q, c)`: the worlds that agree with all answers form a polytope. On it lies the posterior: for
each effort a Dirichlet density from its reports, with a prior of each world's own (priors.py); for the costs, in one
half of the worlds every cost is as likely as another, in the other half every order of magnitude (of what an effort
costs beyond the cheapest): what is cheap next to the largest payment should not be written off as dear. A hundred draws
are kept and moved on whenever something new is known (worlds.c in the kernel, along the directions of shape.py), and
every question is put to them: would this rule work, what would it save, what is the best that another effort could
bring?

If no world agrees with all answers, the agent is not the rational one: `ContradictionError` says so.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorewright import tolerance
from scorewright.errors import DocumentError, SolverError
from scorewright.game import Setting
from scorewright.kernel import Worlds
from scorewright.learn.priors import PRIORS, believed_priors
from scorewright.learn.shape import Shape, likeliest, shape
from scorewright.program import Program, Rows
from scorewright.validation import Array

COUNT = 96
"""Worlds kept: their share that answers otherwise is the chance of failure, to within a few per cent."""

SWEEPS, STEPS = 1, 40
"""Moves per refit: rounds of all coordinates, and steps along the shape."""

NOISY_SWEEPS = 6
"""Rounds of all coordinates per refit where the agent errs: dearer, and more frequent."""

NOISY_ANSWERS = 120
"""Rules whose answers are weighed there: those offered most often, the latest of equals."""

_OUT_OF_TOUCH = 2.0
"""Worlds in which the reports are less likely than this, in units of what chance does, are stuck."""

_CHANGED = "this state was not saved by this version of scorewright, or has been changed since"

_CONTRADICTED = 1e-6
"""Answers that no world agrees with within this, relative to the payments, contradict each other."""

_BROKEN = 1e-7
"""An answer is broken by more than this, likewise."""


class ContradictionError(Exception):
    """No rational agent gives these answers."""


class Ensemble:
    """The worlds of one learner, with the answers that they agree with.

    Parameters
    ----------
    setting : Setting
    seed : int
    information : (K, M) array, optional
        The true information, for a learner that was told.
    """

    def __init__(self, setting: Setting, seed: int, information: Array | None = None) -> None:
        terms = setting.terms
        self.bound, self.beliefs, self.value = terms.bound, terms.beliefs, setting.value
        self.reach = terms.bound - float(terms.lowest.min())
        self.known = information
        self.worlds = Worlds(terms.beliefs, terms.lowest, terms.bound, COUNT, np.array(PRIORS), seed)
        self.expected = np.zeros((0, len(terms.beliefs)))
        self.answers = np.zeros(0, dtype=np.intp)
        self.heard = np.zeros(0, dtype=np.bool_)
        self._turn = 0
        if information is not None:
            self.worlds.grow(len(information))
            self.worlds.place(information, np.zeros(len(information)), given=True)
            self._read()

    @property
    def efforts(self) -> int:
        """Efforts that the worlds know of, never seen ones included."""
        return self.worlds.efforts

    def grow(self, efforts: int) -> None:
        """Make room for more efforts."""
        if efforts > self.efforts:
            self.worlds.grow(efforts)
            self._read()

    def answer(self, expected: Array, effort: int) -> None:
        """Take in that a new rule was answered with an effort."""
        self.worlds.answer(expected, effort)
        self.expected = np.vstack([self.expected, expected])
        self.answers = np.append(self.answers, effort)
        self.heard = np.append(self.heard, True)

    def amend(self, rule: int, effort: int) -> None:
        """Take in that a rule is answered with another effort than was thought, or is heard again."""
        self.answers[rule], self.heard[rule] = effort, True
        self._retell()

    def ignore(self, rules: NDArray[np.bool_]) -> None:
        """Listen no longer to the answers to some rules."""
        self.heard &= ~rules
        self._retell()

    def hear_all(self) -> None:
        """Listen to all answers again."""
        self.heard[:] = True
        self._retell()

    def _retell(self) -> None:
        self.worlds.unanswer()
        for rule in np.flatnonzero(self.heard):
            self.worlds.answer(self.expected[rule], int(self.answers[rule]))

    def refit(self, counts: Array) -> None:
        """Move the worlds on, given all answers and the reports by effort (K, M).

        Raises
        ------
        ContradictionError
            No world agrees with all answers.
        """
        self._turn += 1
        priors = believed_priors(counts, self.value, COUNT)
        agreed = self._agreed()
        if agreed.any():
            form = self._shape(counts, self.information[agreed].mean(axis=0), self.costs[agreed].mean(axis=0))
        if not agreed.any() or self.worlds.refit(counts, priors, form.steps, form.unseen, SWEEPS, STEPS) == 0:
            found = self._agreeing(counts)
            self.worlds.place(*found, given=self.known is not None)
            form = self._shape(counts, *found)
            if self.worlds.refit(counts, priors, form.steps, form.unseen, SWEEPS, STEPS) == 0:
                raise ContradictionError
        self._read()
        if self._lost_touch(counts):
            found = self._likeliest(counts, form)
            self.worlds.place(*found)
            form = self._shape(counts, *found)
            self.worlds.refit(counts, priors, form.steps, form.unseen, SWEEPS, STEPS)
            self._read()

    def _agreed(self) -> NDArray[np.bool_]:
        """Which worlds agree with all answers."""
        gains = self.worlds.paid(self.expected[self.heard]) - self.costs[:, None, :]
        made = np.take_along_axis(gains, self.answers[self.heard][None, :, None], axis=2)[:, :, 0]
        result: NDArray[np.bool_] = (made - gains.max(axis=2)).min(axis=1, initial=0.0) >= -_BROKEN * self.reach
        return result

    def _shape(self, counts: Array, information: Array, costs: Array) -> Shape:
        """The shape about a world that agrees with all answers, in units of the payments."""
        moving, unit = counts if self.known is None else np.zeros_like(counts), self.reach
        rules, made = self.expected[self.heard] / unit, self.answers[self.heard]
        return shape(rules, made, moving, information, costs / unit, 1.0).scaled(unit)

    def _likeliest(self, counts: Array, form: Shape) -> tuple[Array, Array]:
        """Where to place worlds that have lost touch."""
        rules, made = self.expected[self.heard] / self.reach, self.answers[self.heard]
        information, costs = likeliest(rules, made, counts, form.information, form.costs / self.reach, 1.0)
        return information, costs * self.reach

    def _lost_touch(self, counts: Array) -> bool:
        r"""Whether the reports are too unlikely in the worlds: stuck in a corner, they have not moved with them.

        In the true game :math:`\sum_k n_k \, KL(\hat q_k, q_k)` is half of a chi-squared number with a degree of
        freedom for every belief seen; so it is in a draw from the posterior, about its mean.
        """
        if self.known is not None:
            return False
        seen = counts > 0
        share = (counts / np.maximum(counts.sum(axis=1, keepdims=True), 1))[seen]
        odds = np.log(share / np.maximum(self.information[:, seen], 1e-300))
        return bool(np.median(odds @ counts[seen]) > _OUT_OF_TOUCH * seen.sum() + 10)

    def refit_noisy(self, counts: Array, weights: Array) -> None:
        """Move the worlds on where the agent errs; `weights` (answers, K): how often each rule was answered how."""
        self._turn += 1
        order = np.lexsort((np.arange(len(weights)), weights.sum(axis=1)))
        weighed = weights.copy()
        weighed[order[:-NOISY_ANSWERS]] = 0.0
        self.worlds.refit_noisy(counts, believed_priors(counts, self.value, COUNT), weighed, NOISY_SWEEPS)
        self._read()

    def _read(self) -> None:
        self.information, self.costs, self.noise, _ = self.worlds.read()

    def some(self, count: int) -> range:
        """A few worlds with every prior among them, others each time."""
        first = self._turn * count % COUNT
        return range(first, min(COUNT, first + count))

    def _agreeing(self, counts: Array) -> tuple[Array, Array]:
        """A world that agrees with all answers, with half the room that there is, close to the reports."""
        efforts, beliefs = counts.shape
        size, width = efforts * beliefs, efforts * beliefs + efforts + 1
        rows = []
        heard = self.expected[self.heard] / (self.bound or 1.0)
        for expected, made in zip(heard, self.answers[self.heard], strict=True):
            for rival in range(efforts):
                if rival != made:
                    row = np.zeros(width)
                    row[made * beliefs : (made + 1) * beliefs] += expected
                    row[rival * beliefs : (rival + 1) * beliefs] -= expected
                    row[size + made], row[size + rival], row[-1] = -1.0, 1.0, -1.0
                    rows.append(row)
        sums = np.zeros((efforts, width))
        for effort in range(efforts):
            sums[effort, effort * beliefs : (effort + 1) * beliefs] = 1.0
        matrix = np.vstack([*rows, sums, -sums])
        least = np.concatenate([np.zeros(len(rows)), np.ones(efforts), -np.ones(efforts)])
        low, high = np.full(width, 1e-9), np.ones(width)
        low[size:], high[size : size + 1] = -2.0, 0.0
        low[size], low[-1] = 0.0, -1.0
        if self.known is not None:
            low[:size] = high[:size] = self.known.ravel()
        objective = np.zeros(width)
        objective[-1] = -1.0
        try:
            widest = Program(objective, Rows.dense(matrix, least), low, high).optimum().point
        except SolverError:  # too thin for the solver to tell: no world can be found, so none is claimed
            raise ContradictionError from None
        room = float(widest[-1])
        if room < -_CONTRADICTED:
            raise ContradictionError
        low[-1] = room / 2 if room > 0 else room - tolerance.FEASIBLE
        try:
            point = self._closest(matrix, least, low, high, counts)
        except SolverError:
            point = widest
        information = np.maximum(point[:size].reshape(efforts, beliefs), 1e-12)
        return information / information.sum(axis=1, keepdims=True), point[size:-1] * (self.bound or 1.0)

    @staticmethod
    def _closest(matrix: Array, least: Array, low: Array, high: Array, counts: Array) -> Array:
        """The point within these limits closest to the reports, each effort by how often it was seen."""
        efforts, beliefs = counts.shape
        size, seen = efforts * beliefs, counts.sum(axis=1, keepdims=True)
        target = ((counts + 1 / beliefs) / (seen + 1)).ravel()
        apart = np.zeros((size, matrix.shape[1]))
        apart[:, :size] = np.eye(size)
        rows = np.block([[matrix, np.zeros((len(matrix), size))], [apart, np.eye(size)], [-apart, np.eye(size)]])
        price = np.concatenate([np.zeros(matrix.shape[1]), np.repeat(seen + 1, beliefs, axis=1).ravel()])
        program = Program(
            price / price.max(),
            Rows.dense(rows, np.concatenate([least, target, -target])),
            np.concatenate([low, np.zeros(size)]),
            np.concatenate([high, np.ones(size)]),
        )
        return program.optimum().point[: matrix.shape[1]]

    # -- keeping -----------------------------------------------------------------------------------------------------

    def save(self) -> dict[str, Any]:
        """Return the worlds, JSON-able."""
        information, costs, noise, chance = self.worlds.read()
        return {
            "efforts": self.efforts,
            "information": information.ravel().tolist(),
            "costs": costs.ravel().tolist(),
            "noise": noise.ravel().tolist(),
            "chance": [str(number) for number in chance],
            "expected": self.expected.ravel().tolist(),
            "answers": self.answers.tolist(),
            "heard": self.heard.tolist(),
            "turn": self._turn,
        }

    def load(self, saved: dict[str, Any], efforts: int) -> None:
        """Take back what `save` returned, into an ensemble just made; `efforts`: how many there are at most.

        Raises
        ------
        DocumentError
            It was not saved by this version, or has been changed since.
        """
        count, beliefs = saved["efforts"], len(self.beliefs)
        answers = np.array(saved["answers"], dtype=np.int64).reshape(-1)
        chance = np.array([int(number) for number in saved["chance"]], dtype=np.int64)
        if not 0 <= count <= efforts or ((answers < 0) | (answers >= count)).any() or chance.shape != (4,):
            raise DocumentError(_CHANGED)
        shapes = {
            "information": (COUNT, count, beliefs), "costs": (COUNT, count), "noise": (2, COUNT),
            "expected": (len(answers), beliefs),
        }  # fmt: skip
        parts = {name: np.array(saved[name], dtype=np.float64).reshape(shape) for name, shape in shapes.items()}
        sums = parts["information"].sum(axis=2)
        if not all(np.isfinite(part).all() for part in parts.values()) or (parts["noise"] < 0).any():
            raise DocumentError(_CHANGED)
        if (parts["information"] < 0).any() or (np.abs(sums - 1) > 1e-6).any() or not chance.any():
            raise DocumentError(_CHANGED)
        self.grow(count)
        for expected, effort in zip(parts["expected"], answers, strict=True):
            self.answer(expected, int(effort))
        if len(saved["heard"]) != len(answers):
            raise DocumentError(_CHANGED)
        self.ignore(~np.array(saved["heard"], dtype=np.bool_))
        self._turn = int(saved["turn"])
        self.worlds.write(parts["information"], parts["costs"], parts["noise"], chance, placed=self._turn == 0)
        self._read()


def seen_efforts(counts: Array) -> NDArray[np.bool_]:
    """Which efforts have answered at all, (K,)."""
    result: NDArray[np.bool_] = counts.sum(axis=1) > 0
    return result
