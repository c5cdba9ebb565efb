"""Insurance: how long to go on asking, and how likely it is that what looks worse is not."""

from __future__ import annotations

import math

import numpy as np
import pytest

from scorewright.learn.insurance import boundary, log_chance, log_tail


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


@pytest.mark.parametrize("parameters", [[0.3, 8.0, 0.0, 1.0], [30.0, 50.0, 3.0, 0.1], [1.0, 1.0, 1.0, 1.0]])
def test_the_tail_is_no_smaller_than_the_truth(parameters):
    """And of the right order: as loose as such a bound is for a normal number, or less than a hundred times."""
    lead = np.array([0.7, -0.4, -0.1, 0.2]) - 0.2
    gammas = np.random.default_rng(3).gamma(parameters, size=(400_000, 4))
    truth = float((gammas @ lead > 0).mean())
    assert 0 < truth < 0.9
    limit = math.exp(float(log_tail(np.array([parameters]), lead)[0]))
    assert truth <= limit <= min(1.0, 100 * truth)


def test_the_tail_is_the_divergence_of_lai_and_robbins():
    """Times the reports, the least divergence from what was seen of distributions that are no worse: on a fine grid."""
    reports, lead = np.array([6.0, 3.0, 1.0]), np.array([-0.3, 0.1, 0.5])
    first, second = np.meshgrid(np.linspace(1e-6, 1, 1500), np.linspace(1e-6, 1, 1500))
    other = np.stack([first, second, 1 - first - second], axis=-1)
    better = (other[..., 2] > 0) & (other @ lead >= 0)
    seen = reports / reports.sum()
    divergence = (seen * np.log(seen / other[better])).sum(axis=-1).min()
    assert float(log_tail(reports[None, :], lead)[0]) == pytest.approx(-reports.sum() * divergence, rel=1e-2)


def test_many_reports_leave_a_normal_doubt():
    """A lead z standard errors below zero has the chance of a normal number, as the bound has it."""
    parameters, earned = np.array([[30_000.0, 50_000.0, 20_000.0]]), np.array([0.2, 0.5, 0.9])
    for z in (0.5, 2.0, 4.0):
        assert log_chance(parameters, earned, -0.1 * z, 0.1) == pytest.approx(-(z**2) / 2, rel=0.05)


def test_few_reports_leave_more_doubt_than_a_normal_one():
    """If what was never seen would be worth more; less, if it would be worth less: by the same standard error."""
    parameters = np.array([[4.0 + 0.1, 0.1]])
    more, less = (log_chance(parameters, np.array([0.0, worth]), -0.4, 0.1) for worth in (1.0, -1.0))
    assert more > -2.5 > -8 > less


def test_there_is_no_doubt_where_there_can_be_none():
    """What leads need not be asked about; what can't change won't; what no belief could mend will not be mended."""
    parameters, earned = np.array([[4.0, 1.0], [2.0, 3.0]]), np.array([0.0, 1.0])
    assert log_chance(parameters, earned, 0.1, 0.2) == 0
    assert log_chance(parameters, np.ones(2), -0.1, 0.2) == -math.inf
    assert log_chance(parameters, earned, -0.1, 0.0) == -math.inf
    chances = [log_chance(parameters, earned, -lead, 0.2) for lead in (0.01, 0.1, 0.2, 0.3, 0.5)]
    assert chances == sorted(chances, reverse=True)
    assert chances[0] <= 0
