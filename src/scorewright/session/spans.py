"""Spans: a set of whole numbers that mostly come in runs, small on disk however many there are."""

from __future__ import annotations

import bisect
from collections.abc import Iterator


class Spans:
    """The rounds that await settlement: numbers come in at the end and leave anywhere."""

    def __init__(self, spans: list[list[int]] | None = None) -> None:
        self._spans = [list(span) for span in spans or []]
        self.count = sum(last - first + 1 for first, last in self._spans)

    def add(self, number: int) -> None:
        """Add a number larger than all others."""
        if self._spans and self._spans[-1][1] == number - 1:
            self._spans[-1][1] = number
        else:
            self._spans.append([number, number])
        self.count += 1

    def remove(self, number: int) -> None:
        """Take a number out."""
        at = self._find(number)
        if at is None:
            raise KeyError(number)
        first, last = self._spans[at]
        self._spans[at : at + 1] = [span for span in ([first, number - 1], [number + 1, last]) if span[0] <= span[1]]
        self.count -= 1

    def __contains__(self, number: int) -> bool:
        return self._find(number) is not None

    def __iter__(self) -> Iterator[int]:
        return (number for first, last in self._spans for number in range(first, last + 1))

    def after(self, number: int) -> Iterator[int]:
        """Return the numbers larger than this one, in order."""
        first = bisect.bisect_right(self._spans, number, key=lambda span: span[1])
        for at in range(first, len(self._spans)):
            start, last = self._spans[at]
            yield from range(max(start, number + 1), last + 1)

    def to_list(self) -> list[list[int]]:
        """Return the runs as pairs of first and last."""
        return [list(span) for span in self._spans]

    def _find(self, number: int) -> int | None:
        at = bisect.bisect_right(self._spans, number, key=lambda span: span[0]) - 1
        return at if at >= 0 and self._spans[at][1] >= number else None
