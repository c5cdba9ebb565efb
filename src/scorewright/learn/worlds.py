r"""Worlds: what the game may be, as a sample that can be asked.

A world is :math:`(q, c)`, information and costs. The agent answers with a best response, so answer k to rule S says

.. math:: (q_k - q_i) \cdot s \ge c_k - c_i \quad \text{for every other effort } i,

which is linear in :math:`(q, c)`: the worlds that agree with all answers form a polytope. On it lies the posterior: for
each effort a Dirichlet density from its reports, with a prior of each world's own (priors.py); for the costs, in one
half of the worlds every cost is as likely as another, in the other half every order of magnitude (of what an effort
costs beyond the cheapest): what is cheap next to the largest payment should not be written off as dear. In a share of
the worlds effort does not move the state (base_rate.py). A hundred draws
are kept and moved on whenever something new is known (worlds.c in the kernel, along the directions of shape.py; large
worlds only when that is news), and every question is put to them: would this rule work, what would it save, what is the
best that another effort could bring?

If no world agrees with all answers, the agent is not the rational one: `ContradictionError` says so.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from scorewright import tolerance
from scorewright.errors import DocumentError
from scorewright.game import Setting
from scorewright.kernel import Worlds
from scorewright.learn.agreement import ContradictionError, agreeing
from scorewright.learn.base_rate import chance_of_one, deal, foreseen_by, ties, within
from scorewright.learn.leads import kinds_of
from scorewright.learn.priors import PRIORS, believed_priors
from scorewright.learn.shape import Shape, likeliest, shape
from scorewright.validation import Array

COUNT = 96
"""Worlds kept: their share that answers otherwise is the chance of failure, to within a few per cent."""

SWEEPS, STEPS = 1, 40
"""Moves per refit: rounds of all coordinates, and steps along the shape."""

LARGE = 100
"""Worlds of more numbers than this (K M, an effort that may yet be discovered included) take long to move: they are
moved only when there is news, and further."""

FURTHER = 2, 100
"""Moves per refit of large worlds."""

NOISY_SWEEPS = 6
"""Rounds of all coordinates per refit where the agent errs: dearer, and more frequent."""

NOISY_ANSWERS = 120
"""Rules whose answers are weighed there: those offered most often, the latest of equals."""

NEWS = 0.2
"""It is news if an effort's reports have grown by so much,"""

FORESEEN = 0.7
"""or if fewer worlds than this foresaw every answer."""

_OUT_OF_TOUCH = 2.0
"""Worlds in which the reports are less likely than this, in units of what chance does, are stuck."""

_CHANGED = "this state was not saved by this version of scorewright, or has been changed since"

_NEVER = -50.0
"""The logarithm of next to no odds."""

_FAR = 20.0
"""Ties that have come apart by more than this are no ties."""

_BROKEN = 1e-7
"""An answer is broken by more than this, relative to the payments."""


@dataclass(frozen=True, eq=False)
class Asked:
    """The cheapest rules for one effort in a few worlds.

    Attributes
    ----------
    worlds : (n,) array
    rules : (n, M, W) array
    payment : (n,) array
        What each pays in its world; infinity where the effort can't be induced.
    """

    worlds: NDArray[np.intp]
    rules: Array
    payment: Array

    def of(self, some: NDArray[np.bool_]) -> Asked:
        """The same of some of these worlds."""
        return Asked(self.worlds[some], self.rules[some], self.payment[some])

    def to_dict(self) -> dict[str, Any]:
        """Return all, JSON-able."""
        payment = [one if math.isfinite(one) else None for one in self.payment.tolist()]
        return {"worlds": self.worlds.tolist(), "rules": self.rules.ravel().tolist(), "payment": payment}

    @classmethod
    def from_dict(cls, saved: dict[str, Any], shape: tuple[int, ...]) -> Self:
        """Take back what `to_dict` returned; ValueError if the parts don't fit."""
        worlds = np.array(saved["worlds"], dtype=np.intp).reshape(-1)
        rules = np.array(saved["rules"], dtype=np.float64).reshape(len(worlds), *shape)
        payment = np.array([math.inf if one is None else one for one in saved["payment"]], dtype=np.float64)
        if payment.shape != worlds.shape or ((worlds < 0) | (worlds >= COUNT)).any() or np.isnan(payment).any():
            raise ValueError
        return cls(worlds, rules, payment)


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
        self._told, self._sound, self._reports = 0, np.zeros(COUNT, dtype=np.bool_), np.zeros(0)
        self._asked: dict[int, Asked] = {}
        self.tied = np.zeros(COUNT, dtype=np.bool_)
        """In which worlds effort does not move the state, (worlds,)."""
        self.still = 0.0
        """The chance that it does not; nine worlds in ten are tied at most, however likely it is."""
        self._foreseen = 0.0  # by answers: logarithm of the odds that it does not
        if information is not None:
            self.worlds.grow(len(information))
            self.worlds.place(information, np.zeros(len(information)), given=True)
            self._read()

    @property
    def efforts(self) -> int:
        """Efforts that the worlds know of, never seen ones included."""
        return self.worlds.efforts

    @property
    def large(self) -> bool:
        """Whether moving the worlds takes long."""
        return self.efforts * len(self.beliefs) > LARGE

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
        self._foreseen = 0.0
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
        self._told = self.worlds.answers
        self._foreseen += foreseen_by(self.tied, self._sound & self._agreed(None))
        self._sound, self._reports, self._asked = np.ones(COUNT, dtype=np.bool_), counts.sum(axis=1), {}
        priors = believed_priors(counts, self.value, COUNT)
        self.still = chance_of_one(counts, self.beliefs, self._foreseen) if self.known is None else 0.0
        self.tied = deal(self.still, COUNT)
        if self.tied.any():
            try:
                self._move(counts, priors, self.tied, ties(counts, self.beliefs))
            except ContradictionError:
                self._foreseen, self.still, self.tied = _NEVER, 0.0, np.zeros(COUNT, dtype=np.bool_)
                self._read()
        if not self.tied.all():
            self._move(counts, priors, ~self.tied, None)

    def _move(self, counts: Array, priors: Array, which: NDArray[np.bool_], tied: Array | None) -> None:
        """Move some of the worlds on, whose mean beliefs are tied or not."""
        moves = FURTHER if self.large else (SWEEPS, STEPS)
        apart = None if tied is None else within(counts, self.beliefs)

        def moved(form: Shape) -> int:
            return self.worlds.refit(counts, priors, form.steps, form.unseen, *moves, which=which, within=apart)

        agreed = which & self._agreed(tied)
        if agreed.any():
            form = self._shape(counts, self.information[agreed].mean(axis=0), self.costs[agreed].mean(axis=0), tied)
        if not agreed.any() or moved(form) == 0:
            heard = self.expected[self.heard], self.answers[self.heard]
            found = agreeing(*heard, counts, self.bound or 1.0, self.known, tied)
            self.worlds.place(*found, which=which, given=self.known is not None)
            form = self._shape(counts, *found, tied)
            if moved(form) == 0:
                raise ContradictionError
        self._read()
        if self._lost_touch(counts, which):
            found = self._likeliest(counts, form, tied)
            self.worlds.place(*found, which=which)
            moved(self._shape(counts, *found, tied))
            self._read()

    def current(self, counts: Array) -> bool:
        """Whether large worlds need not be moved on yet: most have foreseen every answer since, and reports are few.

        What they were asked then holds as well. Those that break an answer give way to copies of others of their kind.
        """
        if not self.large or len(counts) != len(self._reports) or not self._sound.any():
            return False
        fits = self.worlds.sift(self._told, self.tied)
        self._told, self._sound = self.worlds.answers, self._sound & fits
        self._read()
        lost = any(not fits[kind.which].any() for kind in kinds_of(self.tied, self.still))
        if lost or self._sound.mean() < FORESEEN or (counts.sum(axis=1) > (1 + NEWS) * self._reports).any():
            return False
        self.worlds.forget()
        self._asked = {effort: asked.of(fits[asked.worlds]) for effort, asked in self._asked.items()}
        return True

    def ask(self, effort: int, seen: NDArray[np.bool_], margin: float, count: int) -> Asked:
        """Ask a few worlds for their cheapest rule for an effort against those seen; once, until they are moved.

        By then a first report of an effort is news, and the margin hardly changes: both are taken as they were.
        """
        known = self._asked.get(effort)
        if known is None or 2 * len(known.worlds) < count:
            asked = np.array(self.some(count))
            found = [self.worlds.cheapest(int(world), effort, seen, margin) for world in asked]
            rules = np.array([np.zeros(self.beliefs.shape) if one is None else one[0] for one in found])
            known = Asked(asked, rules, np.array([np.inf if one is None else one[1] for one in found]))
            self._asked[effort] = known
        return known

    def _agreed(self, tied: Array | None) -> NDArray[np.bool_]:
        """Which worlds agree with all answers, and with ties."""
        gains = self.worlds.paid(self.expected[self.heard]) - self.costs.T[:, :, None]
        made = np.take_along_axis(gains, self.answers[self.heard][None, None, :], axis=0)[0]
        result: NDArray[np.bool_] = (made - gains.max(axis=0)).min(axis=1, initial=0.0) >= -_BROKEN * self.reach
        if tied is not None:
            worlds = np.hstack([self.information.reshape(COUNT, -1), self.costs])
            result &= np.abs(worlds @ tied.T).max(axis=1) <= _FAR
        return result

    def _shape(self, counts: Array, information: Array, costs: Array, tied: Array | None) -> Shape:
        """The shape about a world that agrees with all answers, in units of the payments."""
        moving, unit = counts if self.known is None else np.zeros_like(counts), self.reach
        rules, made = self.expected[self.heard] / unit, self.answers[self.heard]
        return shape(rules, made, moving, information, costs / unit, 1.0, tied).scaled(unit)

    def _likeliest(self, counts: Array, form: Shape, tied: Array | None) -> tuple[Array, Array]:
        """Where to place worlds that have lost touch."""
        rules, made = self.expected[self.heard] / self.reach, self.answers[self.heard]
        information, costs = likeliest(rules, made, counts, form.information, form.costs / self.reach, 1.0, tied)
        return information, costs * self.reach

    def _lost_touch(self, counts: Array, which: NDArray[np.bool_]) -> bool:
        r"""Whether the reports are too unlikely in these worlds: stuck in a corner, they have not moved with them.

        In the true game :math:`\sum_k n_k \, KL(\hat q_k, q_k)` is half of a chi-squared number with a degree of
        freedom for every belief seen; so it is in a draw from the posterior, about its mean.
        """
        if self.known is not None:
            return False
        seen = counts > 0
        share = (counts / np.maximum(counts.sum(axis=1, keepdims=True), 1))[seen]
        odds = np.log(share / np.maximum(self.information[which][:, seen], 1e-300))
        return bool(np.median(odds @ counts[seen]) > _OUT_OF_TOUCH * seen.sum() + 10)

    def refit_noisy(self, counts: Array, weights: Array) -> None:
        """Move the worlds on where the agent errs; `weights` (answers, K): how often each rule was answered how."""
        self._turn += 1
        order = np.lexsort((np.arange(len(weights)), weights.sum(axis=1)))
        weighed = weights.copy()
        weighed[order[:-NOISY_ANSWERS]] = 0.0
        self._asked, self.still, self.tied = {}, 0.0, np.zeros(COUNT, dtype=np.bool_)
        self.worlds.refit_noisy(counts, believed_priors(counts, self.value, COUNT), weighed, NOISY_SWEEPS)
        self._read()

    def _read(self) -> None:
        self.information, self.costs, self.noise, _ = self.worlds.read()

    def some(self, count: int) -> range:
        """A few worlds with every prior among them, others each time."""
        first = self._turn * count % COUNT
        return range(first, min(COUNT, first + count))

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
            "tied": self.tied.tolist(),
            "still": self.still,
            "foreseen": self._foreseen,
            "told": self._told,
            "sound": self._sound.tolist(),
            "reports": self._reports.tolist(),
            "asked": {str(effort): asked.to_dict() for effort, asked in self._asked.items() if self.large},
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
        self.tied, self._foreseen = np.array(saved["tied"], dtype=np.bool_), float(saved["foreseen"])
        self.still = float(saved["still"])
        self._told, self._sound = int(saved["told"]), np.array(saved["sound"], dtype=np.bool_)
        self._reports = np.array(saved["reports"], dtype=np.float64)
        self._asked = {int(effort): Asked.from_dict(one, self.beliefs.shape) for effort, one in saved["asked"].items()}
        sound = 0 <= self._told <= len(answers) and self._reports.ndim == 1 and np.isfinite(self._foreseen)
        sound = sound and self._sound.shape == self.tied.shape == (COUNT,) and 0 <= self.still <= 1
        if not sound or not (self._reports >= 0).all() or not self._asked.keys() <= set(range(count)):
            raise DocumentError(_CHANGED)
        within = tolerance.FEASIBLE * self.reach
        for asked in self._asked.values():
            payments = np.append(asked.rules, asked.payment[np.isfinite(asked.payment)])
            if not ((payments >= self.bound - self.reach - within) & (payments <= self.bound + within)).all():
                raise DocumentError(_CHANGED)
        put = self._turn == 0 and self.known is not None
        self.worlds.write(parts["information"], parts["costs"], parts["noise"], chance, placed=put)
        self._read()


def seen_efforts(counts: Array) -> NDArray[np.bool_]:
    """Which efforts have answered at all, (K,)."""
    return np.asarray(counts.sum(axis=1) > 0, dtype=np.bool_)
