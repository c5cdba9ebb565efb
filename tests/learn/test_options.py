"""Options: what may be gained by knowing more, and how long to go on asking."""

from __future__ import annotations

import math

import numpy as np
import pytest

from scorewright.learn.options import boundary, expected_gain, option


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


def test_the_boundary_grows_with_the_rounds_to_come():
    """Never asked with none to come; three standard errors for ten reports and twenty thousand rounds; slowly on."""
    assert boundary(1.0) == 0
    assert boundary(2000.0) == pytest.approx(3.04, abs=0.02)
    limits = [boundary(10.0**power) for power in range(2, 30)]
    assert limits == sorted(limits)
    assert boundary(1e12) < 8


def test_whoever_stops_at_the_boundary_loses_less_than_one_who_stops_sooner():
    """On average over leads that are as likely one way as the other, with a thousand rounds to come."""
    rng, rounds, runs = np.random.default_rng(1), 1000, 400
    lost = {0.0: 0.0, 1.0: 0.0}
    leads = rng.normal(0, 0.3, runs)
    for lead in leads:
        draws = np.cumsum(lead + rng.normal(0, 1, rounds))
        for share in lost:
            stop = next(
                (n for n in range(1, rounds) if draws[n - 1] / n < -share * boundary((rounds - n) / n) / math.sqrt(n)),
                rounds,
            )
            earned = lead * stop
            lost[share] += rounds * max(lead, 0.0) - earned
    assert lost[1.0] < 0.7 * lost[0.0]
