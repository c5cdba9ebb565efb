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
    again = Spans(json.loads(json.dumps(spans.pack())))
    assert again.pack() == spans.pack()
    assert list(again.after(20)) == sorted(number for number in plain if number > 20)
    assert list(again) == sorted(plain)
    assert again.count == len(plain)


def test_a_million_take_no_room():
    """A run is two numbers, however long."""
    spans = Spans()
    for number in range(1, 100_001):
        spans.add(number)
    assert len(spans.pack()) < 50
    assert spans.count == 100_000
    for number in range(2, 100_001, 2):  # as many runs as can be
        spans.remove(number)
    assert len(spans.pack()) < 10_000
    assert list(Spans(spans.pack())) == list(range(1, 100_001, 2))
    with pytest.raises(KeyError):
        spans.remove(100_001)
