"""Spans: a set of numbers, small on disk."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scorewright.session.spans import Spans


@settings(deadline=None)
@given(steps=st.lists(st.tuples(st.integers(1, 3), st.integers(0, 40)), max_size=80))
def test_spans_are_a_set(steps):
    """Numbers added at the end and taken anywhere: as a set does it, and kept through JSON."""
    spans, plain, last = Spans(), set(), 0
    for step, gone in steps:
        last += step
        spans.add(last)
        plain.add(last)
        if gone in plain:
            spans.remove(gone)
            plain.remove(gone)
        assert (gone in spans) == (gone in plain)
    assert list(spans) == sorted(plain)
    assert spans.count == len(plain)
    again = Spans(json.loads(json.dumps(spans.to_list())))
    assert list(again) == sorted(plain)
    assert again.count == len(plain)


def test_a_million_take_no_room():
    """A run is two numbers, however long."""
    spans = Spans()
    for number in range(1, 100_001):
        spans.add(number)
    assert spans.to_list() == [[1, 100_000]]
    with pytest.raises(KeyError):
        spans.remove(100_001)


def test_what_follows():
    """Numbers after a given one, wherever it lies."""
    spans = Spans([[2, 4], [7, 7], [9, 11]])
    for number in range(13):
        assert list(spans.after(number)) == [one for one in spans if one > number]
