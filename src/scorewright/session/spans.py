"""Spans: a set of whole numbers that mostly come in runs, small on disk and quick to read however many there are."""

from __future__ import annotations

import base64
import bisect
import zlib
from array import array
from collections.abc import Iterator

import numpy as np


class Spans:
    """The rounds that await settlement: numbers come in at the end and leave anywhere.

    Kept as the ends of its runs in order, ``first, last + 1, first, last + 1, ...``: a number is in the set if an odd
    number of ends is at most as large.

    Parameters
    ----------
    packed : str, optional
        What `pack` returned.

    Examples
    --------
    >>> spans = Spans()
    >>> for number in range(1, 8):
    ...     spans.add(number)
    >>> spans.remove(3)
    >>> list(spans), 3 in spans, spans.count
    ([1, 2, 4, 5, 6, 7], False, 6)
    >>> list(Spans(spans.pack()).after(5))
    [6, 7]
    """

    def __init__(self, packed: str | None = None) -> None:
        self._ends = array("q")
        if packed is not None:
            steps = np.frombuffer(zlib.decompress(base64.b64decode(packed)), dtype="<i8")
            self._ends.frombytes(np.cumsum(steps, dtype=np.int64).tobytes())
        ends = np.array(self._ends, dtype=np.int64)
        self.count = int((ends[1::2] - ends[::2]).sum())

    def add(self, number: int) -> None:
        """Add a number larger than all others."""
        if self._ends and self._ends[-1] == number:
            self._ends[-1] = number + 1
        else:
            self._ends.extend((number, number + 1))
        self.count += 1

    def remove(self, number: int) -> None:
        """Take a number out."""
        at = bisect.bisect_right(self._ends, number)
        if at % 2 == 0:
            raise KeyError(number)
        left = (self._ends[at - 1], number), (number + 1, self._ends[at])
        self._ends[at - 1 : at + 1] = array("q", [end for first, end in left if first < end for end in (first, end)])
        self.count -= 1

    def __contains__(self, number: int) -> bool:
        return bisect.bisect_right(self._ends, number) % 2 == 1

    def __iter__(self) -> Iterator[int]:
        return self.after(-1)

    def after(self, number: int) -> Iterator[int]:
        """Return the numbers larger than this one, in order."""
        start = bisect.bisect_right(self._ends, number + 1)
        for at in range(start - start % 2, len(self._ends), 2):
            yield from range(max(self._ends[at], number + 1), self._ends[at + 1])

    def pack(self) -> str:
        """Return the set as a text."""
        steps = np.diff(np.array(self._ends, dtype="<i8"), prepend=0).astype("<i8")
        return base64.b64encode(zlib.compress(steps.tobytes(), 1)).decode()
