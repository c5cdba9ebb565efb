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
    one, none = np.ones(1), np.zeros(1)
    values = [float(option(-0.1 * one, none, 0.1 * one, one, 5, left)[0]) for left in (10, 100, 1000, 10_000)]
    assert values == sorted(values)
    value, samples = option(-0.1 * one, none, none, one, 5, 10_000)
    assert value == pytest.approx(0, abs=1e-9)
    assert samples == 0


def test_options_are_worth_what_simulation_says():
    """The value of m more reports and the better of two rules, against a plain simulation."""
    rng, one = np.random.default_rng(0), np.ones(1)
    ahead, own, seen, left = -0.05, 0.1, 10, 1000
    value, samples = option(ahead * one, 0 * one, own * one, one, seen, left)
    step = own * np.sqrt(samples / (seen + samples)) * rng.normal(size=400_000)
    simulated = (left - samples) * np.maximum(ahead + step, 0).mean() - samples * -ahead
    assert float(value) == pytest.approx(simulated, rel=0.02)
    assert expected_gain(np.array(1.0), np.array(1e-9)) == pytest.approx(1.0)
    assert float(option(-0.5 * one, 0 * one, 0.01 * one, one, 1000, 100)[0]) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(("ahead", "more"), [((-0.1, 0.06), True), ((-0.01, 0.2), False)])
def test_kinds_that_disagree_are_not_averaged(ahead, more):
    """A kind of world with a clear lead is listened to; one a little behind for certain promises nothing by itself.

    A normal lead with the mean and spread of both together would say less in the first case, and more in the second.
    """
    lead, chance, own, seen, left = np.array(ahead), np.array([0.98, 0.02]), np.array([1e-4, 0.02]), 4, 10_000
    value, samples = option(lead, np.zeros(2), own, chance, seen, left)
    mean = chance @ lead
    spread = np.sqrt(chance @ (own**2 + (lead - mean) ** 2))
    together, _ = option(mean[None], np.zeros(1), spread[None], np.ones(1), seen, left)
    assert samples > 0
    assert (value > 2 * together) if more else (together > 2 * value)
    rng, told = np.random.default_rng(0), np.sqrt(samples / (seen + samples))
    kind = (rng.random(1_000_000) < chance[1]).astype(int)
    then = mean + told * (lead[kind] - mean + own[kind] * rng.normal(size=len(kind)))
    simulated = (left - samples) * np.maximum(then, 0).mean() - samples * -mean
    assert float(value) == pytest.approx(simulated, rel=0.05)


def test_kinds_that_agree_are_one():
    """However they are divided; and without a round to come there is nothing to hope for."""
    chance = np.array([0.3, 0.7])
    alike, _ = option(np.array([-0.1, -0.1]), np.zeros(2), np.array([0.1, 0.1]), chance, 5, 1000)
    alone, _ = option(np.array([-0.1]), np.zeros(1), np.array([0.1]), np.ones(1), 5, 1000)
    assert float(alike) == pytest.approx(float(alone))
    apart, _ = option(np.array([-0.5, 0.2]), np.zeros(2), np.array([0.1, 0.1]), chance, 5, 1)
    assert float(apart) == pytest.approx(0.0, abs=1e-9)


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
