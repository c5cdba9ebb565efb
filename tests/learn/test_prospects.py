"""Prospects: rules worth offering are told from those offered before."""

from __future__ import annotations

import numpy as np
import pytest

from scorewright.learn.prospects import _apart


@pytest.mark.parametrize("by", [0.0, 0.01, 0.1, 0.5])
@pytest.mark.parametrize("counts", [(40, 30), (0, 3), (3, 0)])
def test_rows_apart(by, counts):
    """As row by row."""
    rng = np.random.default_rng(1)
    some, others = (np.round(rng.random((count, 3)), 2) for count in counts)
    others[: len(some) // 2] = some[: min(len(others), len(some) // 2)] if len(some) else others[:0]
    plain = [all(np.abs(row - other).max() > by for other in others) for row in some]
    assert _apart(some, others, by).tolist() == plain
