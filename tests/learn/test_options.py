"""Options: what may be gained by knowing more."""

from __future__ import annotations

import math

import numpy as np
import pytest

from scorewright.learn.options import expected_gain, option


@pytest.mark.parametrize(("mean", "spread"), [(0.0, 1.0), (-2.0, 1.0), (0.3, 0.1), (-0.5, 0.4)])
def test_the_expected_gain_is_that_of_a_normal_number(mean, spread):
    """Against the integral on a fine grid."""
    at = np.linspace(mean - 12 * spread, mean + 12 * spread, 400_001)
    density = np.exp(-(((at - mean) / spread) ** 2) / 2) / (spread * math.sqrt(2 * math.pi))
    integral = float((np.maximum(at, 0) * density).sum() * (at[1] - at[0]))
    assert float(expected_gain(np.array(mean), np.array(spread))) == pytest.approx(integral, rel=1e-5)


def test_an_option_is_worth_no_less_with_more_rounds_to_come():
    """And nothing is bought if nothing is in doubt."""
    values = [float(option(np.array(-0.1), 0.0, 0.1, 5, left)[0]) for left in (10, 100, 1000, 10_000)]
    assert values == sorted(values)
    value, samples = option(np.array(-0.1), 0.0, 0.0, 5, 10_000)
    assert value == pytest.approx(0, abs=1e-9)
    assert samples == 0
