"""Sums along the way: few, evenly spaced, right."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scorewright.session.history import MOST, History


@given(st.integers(0, 5000), st.integers(0, 5000))
def test_kept_points(before, after):
    """However many settlements: at most MOST points, one every stride, none made up; a copy goes on alike."""
    history = History()
    for settled in range(1, before + 1):
        history.note(settled, 3 * settled, settled / 2)
    copy = History(**history.to_dict())
    for settled in range(before + 1, before + after + 1):
        history.note(settled, 3 * settled, settled / 2)
        copy.note(settled, 3 * settled, settled / 2)
    assert copy.to_dict() == history.to_dict()
    total = before + after
    assert len(history.points) <= MOST
    assert [settled for settled, _, _ in history.points] == list(range(history.stride, total + 1, history.stride))
    assert all((paid, utility) == (3 * settled, settled / 2) for settled, paid, utility in history.points)
    assert history.stride == 1 or len(history.points) >= MOST // 2
