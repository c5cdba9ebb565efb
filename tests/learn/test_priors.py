"""Priors: dealt by what the reports speak for."""

from __future__ import annotations

import numpy as np

from scorewright.learn.priors import PRIORS, STRANGE, believed_priors, evidence

WORLDS = 96


def test_the_chances_of_all_reports_sum_to_one():
    """Under every prior, for one report and for two."""
    one = np.eye(4)
    assert np.allclose(np.exp([evidence(reports) for reports in one]).sum(axis=0), 1)
    two = [first + second for first in one for second in one]
    assert np.allclose(np.exp([evidence(reports) for reports in two]).sum(axis=0), 1)


def test_beliefs_of_other_efforts_are_strange_until_they_are_shared():
    """Ten reports each and none in common speak for different supports; four in common speak against them."""
    apart = np.zeros((2, 12))
    apart[0, :6], apart[1, 6:] = 2, 2
    found = believed_priors(apart, np.ones(12), WORLDS)
    assert found.shape == (WORLDS, 2, 12)
    strange = found[:, 0, 8] < 0.5 * found[:, 0, 2]
    assert strange.mean() > 0.7
    assert np.allclose(found[strange, 0, 8], STRANGE[0] * found[strange, 0, 2])
    shared = apart.copy()
    shared[0, 6:10] = 1
    found = believed_priors(shared, np.ones(12), WORLDS)
    assert (found[:, 0, 8] < 0.5 * found[:, 0, 2]).mean() < 0.3


def test_few_reports_leave_it_open_what_an_effort_is_worth():
    """Worth more reports speak for beliefs worth more; a prior that knew better would not be moved."""
    value = np.linspace(0, 1, 30)
    none = believed_priors(np.zeros((1, 30)), value, WORLDS)[:, 0]
    worth = (none @ value) / none.sum(axis=1)
    assert worth.std() > 0.1
    assert abs(worth.mean() - 0.5) < 0.05
    high = np.zeros((1, 30))
    high[0, 22:28] = 1
    found = believed_priors(high, value, WORLDS)[:, 0]
    assert ((found @ value) / found.sum(axis=1)).mean() > 0.6


def test_no_prior_is_ruled_out():
    """A fifth of the worlds keep priors dealt evenly, whatever was reported; the same reports are dealt the same."""
    counts = np.zeros((1, 10))
    counts[0, 3] = 1000
    found = believed_priors(counts, np.ones(10), WORLDS)[:, 0, 3]
    assert (found > 0.5 * PRIORS[-1]).mean() > 0.02
    assert np.array_equal(found, believed_priors(counts, np.ones(10), WORLDS)[:, 0, 3])
