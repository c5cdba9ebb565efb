"""Worlds: a sample of what information and costs may be, in the kernel (worlds.c)."""

from __future__ import annotations

import weakref
from ctypes import create_string_buffer

import numpy as np
from numpy.typing import NDArray

from scorewright.kernel.library import doubles, library, longs
from scorewright.validation import Array

_SOLVED = 1


class Worlds:
    """Worlds (q, c) that agree with every answer so far.

    Parameters
    ----------
    beliefs, lowest : (M, W) arrays
    bound : float
    count : int
        How many worlds.
    priors : (n,) array
        Dirichlet parameters for efforts not yet seen; the worlds take them in turn until the first refit.
    seed : int
    """

    def __init__(self, beliefs: Array, lowest: Array, bound: float, count: int, priors: Array, seed: int) -> None:
        self.shape, self.count, self.efforts, self.answers = beliefs.shape, count, 0, 0
        reach = bound - float(lowest.min())
        self._handle = library().sw_worlds_new(
            *beliefs.shape, count, bound, reach, doubles(beliefs), doubles(lowest), doubles(priors), len(priors), seed
        )
        weakref.finalize(self, library().sw_worlds_free, self._handle)

    def grow(self, efforts: int) -> None:
        """Make room for newly discovered efforts."""
        library().sw_worlds_grow(self._handle, efforts)
        self.efforts = max(efforts, self.efforts)

    def answer(self, expected: Array, effort: int) -> None:
        """Take in that a rule was answered with an effort."""
        library().sw_worlds_answer(self._handle, doubles(expected), effort)
        self.answers += 1

    def unanswer(self) -> None:
        """Forget all answers."""
        library().sw_worlds_unanswer(self._handle)
        self.answers = 0

    def refit(
        self,
        counts: Array,
        priors: Array,
        steps: Array,
        unseen: Array,
        sweeps: int,
        strides: int,
        *,
        which: NDArray[np.bool_] | None = None,
        within: Array | None = None,
    ) -> int:
        """Move all worlds, or some; return how many agreed with the answers before (if none did, nothing moves).

        `counts` (K, M) are the reports, `priors` (P, K, M) each world's Dirichlet parameters, `steps` and `unseen`
        (D and U, K M + K) the directions that there is room in, to be combined and to be taken singly, `which` (P,) the
        worlds to move, and `within` (K,) how far the efforts' mean beliefs may be apart in them, if that matters.
        """
        self._fit(counts, priors)
        ways, apart = np.vstack([steps, unseen]), None if within is None else doubles(within)
        moved = library().sw_worlds_refit(
            self._handle, self._marks(which), apart, doubles(counts), doubles(priors), doubles(ways), len(steps),
            len(unseen), sweeps, strides,
        )  # fmt: skip
        return int(moved)

    def _fit(self, counts: Array, priors: Array) -> None:
        """Refuse arrays that the kernel would read beyond."""
        wanted = self.efforts, self.shape[0]
        if counts.shape != wanted or priors.shape != (self.count, *wanted):
            raise ValueError(f"reports {counts.shape} and priors {priors.shape} are not those of {wanted}")

    def _marks(self, which: NDArray[np.bool_] | None) -> bytes:
        return bytes([1] * self.count) if which is None else which.astype(np.int8).tobytes()

    def sift(self, first: int, kinds: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Put a copy of another of its kind in the place of every world that breaks an answer from number `first` on.

        Returns which break none; if there are none of a kind, nothing changes there.
        """
        fits = create_string_buffer(self.count)
        library().sw_worlds_sift(self._handle, first, self._marks(kinds), fits)
        return np.frombuffer(fits.raw, dtype=np.bool_)

    def forget(self) -> None:
        """Forget the vertices met so far, so that the programs to come depend on nothing but the worlds."""
        library().sw_worlds_forget(self._handle)

    def paid(self, expected: Array) -> Array:
        """Return what each effort is paid under rules with these expected payments (n, M), in each world: (K, P, n)."""
        result = np.empty((self.efforts, self.count, len(expected)))
        library().sw_worlds_paid(self._handle, doubles(expected), len(expected), doubles(result))
        return result

    def refit_noisy(self, counts: Array, priors: Array, weights: Array, sweeps: int) -> None:
        """Move all worlds of an agent that errs; `weights` (answers, K) says how often each rule was answered how."""
        self._fit(counts, priors)
        library().sw_worlds_refit_noisy(self._handle, doubles(counts), doubles(priors), doubles(weights), sweeps)

    def cheapest(
        self, world: int, effort: int, rivals: NDArray[np.bool_], margin: float = 0.0
    ) -> tuple[Array, float] | None:
        """Return the cheapest rule for an effort against some rivals in one world, and its payment, or None."""
        payments, payment, marks = np.empty(self.shape), np.empty(1), rivals.astype(np.int8).tobytes()
        found = library().sw_worlds_cheapest(
            self._handle, world, effort, marks, margin, doubles(payments), doubles(payment)
        )
        return (payments, float(payment[0])) if found == _SOLVED else None

    def place(
        self, information: Array, costs: Array, *, which: NDArray[np.bool_] | None = None, given: bool = False
    ) -> None:
        """Put all worlds, or some, in one place, (K, M) and (K,); `given`: it is the true one, and only costs move."""
        library().sw_worlds_place(self._handle, self._marks(which), doubles(information), doubles(costs), given)

    def read(self) -> tuple[Array, Array, Array, NDArray[np.int64]]:
        """Return information (P, K, M), costs (P, K), errors and temperatures (2, P), the state of chance (4,)."""
        information = np.empty((self.count, self.efforts, self.shape[0]))
        costs, noise = np.empty((self.count, self.efforts)), np.empty((2, self.count))
        chance = np.empty(4, dtype=np.int64)
        library().sw_worlds_read(self._handle, doubles(information), doubles(costs), doubles(noise), longs(chance))
        return information, costs, noise, chance

    def write(
        self, information: Array, costs: Array, noise: Array, chance: NDArray[np.int64], *, placed: bool = False
    ) -> None:
        """Take back what `read` returned; `placed`: all worlds are still in the one place where they were put."""
        library().sw_worlds_write(
            self._handle, doubles(information), doubles(costs), doubles(noise), longs(chance), placed
        )
