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


def test_efforts_are_expected_to_be_of_a_kind():
    """Four equal reports, beside efforts known to spread theirs over the same beliefs: this one should as well."""
    value = np.ones(4)
    few = np.array([[4.0, 0, 0, 0]])
    spread = np.array([[60.0, 70, 110, 160], [300, 150, 200, 100]])
    narrow = np.array([[400.0, 0, 0, 0], [0, 0, 0, 750]])

    def first_belief(counts: np.ndarray) -> float:
        after = counts[0] + believed_priors(counts, value, WORLDS)[:, 0]
        return float((after[:, 0] / after.sum(axis=1)).mean())

    alone, beside, unlike = (first_belief(np.vstack([few, *others])) for others in ([], [spread], [narrow]))
    assert beside < alone - 0.05
    assert unlike > beside + 0.1


def test_beliefs_that_nobody_reported_say_nothing_of_a_kind():
    """Efforts with three beliefs each of their own: one seen twice may well report the three that nobody has yet."""
    counts = np.zeros((3, 9))
    counts[0, :3], counts[1, 3:6], counts[2, 7] = (80, 300, 130), (780, 680, 350), 2
    after = counts[2] + believed_priors(counts, np.ones(9), WORLDS)[:, 2]
    share = (after / after.sum(axis=1, keepdims=True)).mean(axis=0)
    assert share[[6, 8]].min() > 0.08
    assert share[:6].max() < 0.02
    lone = counts[2:] + believed_priors(counts[2:], np.ones(9), WORLDS)[:, 0]
    assert share[6] > 1.2 * (lone / lone.sum(axis=1, keepdims=True)).mean(axis=0)[6]


def test_before_any_report_all_priors_are_as_likely():
    """Nothing seen, nothing expected: every prior is dealt."""
    found = believed_priors(np.zeros((2, 3)), np.arange(3.0), WORLDS)
    assert len(np.unique(found[:, 0], axis=0)) == len(PRIORS) * 3
