"""Foresight: doubt grows with failures that were not foreseen, and fades."""

from __future__ import annotations

import pytest

from scorewright.learn.foresight import Foresight


def test_doubt_is_failures_seen_over_failures_foreseen():
    """Of late: a hundred probes that work forget what was before."""
    record = Foresight()
    assert record.doubt == 1
    record = record.after(0.25, failed=True)
    assert record.doubt == pytest.approx(2 / 1.25)
    assert record.after(0.25, failed=False).doubt == pytest.approx((1 + 0.95) / (1 + 0.95 * 0.25 + 0.25))
    for _ in range(200):
        record = record.after(0.0, failed=False)
    assert record.doubt == pytest.approx(1, abs=1e-4)
    assert (record.probes, record.failures) == (201, 1)


def test_failing_less_than_foreseen_is_no_credit():
    """Doubt is 1 at least."""
    record = Foresight()
    for _ in range(10):
        record = record.after(0.5, failed=False)
    assert record.doubt == 1
