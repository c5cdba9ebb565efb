"""Leads: kinds of worlds that disagree, and what goes along with the incumbent."""

from __future__ import annotations

import numpy as np

from scorewright.learn.leads import FEW, Kind, Leads, kinds_of


def test_a_few_worlds_are_no_kind():
    """Then all are one; otherwise each kind has its chance, however many worlds stand for it."""
    count = 96
    for many, still in ((0, False), (FEW - 1, False), (count - FEW + 1, True), (count, True)):
        (kind,) = kinds_of(np.arange(count) < many, 0.3)
        assert kind.which.all()
        assert (kind.chance, kind.still) == (1.0, still)
    tied = np.arange(count) < 80
    first, second = kinds_of(tied, 0.97)
    assert (first.which == tied).all()
    assert (second.which == ~tied).all()
    assert np.isclose(first.chance, 0.97)
    assert np.isclose(second.chance, 0.03)
    assert first.still
    assert not second.still


def test_each_kind_speaks_for_itself():
    """Mean leads by kind, and the spread over all that their mixture has."""
    rng = np.random.default_rng(0)
    which = np.arange(4000) % 2 == 0
    earned = np.where(which, rng.normal(-1, 0.1, 4000), rng.normal(2, 0.3, 4000))[:, None]
    leads = Leads.of(earned, np.full(4000, 0.5), [Kind(which, 0.9, still=True), Kind(~which, 0.1, still=False)])
    assert np.allclose(leads.ahead[:, 0], [-1.5, 1.5], atol=0.03)
    assert np.allclose(leads.own[:, 0], [0.1, 0.3], atol=0.02)
    assert np.allclose(leads.free, 0)
    drawn = np.append(rng.normal(-1.5, 0.1, 90_000), rng.normal(1.5, 0.3, 10_000))
    assert np.isclose(leads.spread[0], drawn.std(), rtol=0.02)


def test_what_goes_along_with_the_incumbent_its_own_reports_tell():
    """With y = b x + rest nothing of the lead is in doubt for b = 1 but the rest; all of x for b = 0."""
    rng = np.random.default_rng(1)
    beside, rest = rng.normal(3, 0.5, 5000), rng.normal(0, 0.2, 5000)
    slopes = np.array([1.0, 0.0, 2.5])
    every = [Kind(np.ones(5000, dtype=bool), 1.0, still=True)]
    leads = Leads.of(beside[:, None] * slopes + rest[:, None], beside, every)
    assert np.allclose(leads.own, 0.2, atol=0.01)
    assert np.allclose(leads.free[0], 0.5 * np.abs(slopes - 1), atol=0.02)
    assert np.allclose(leads.ahead[0], 3 * (slopes - 1), atol=0.05)
    told = Leads.of(np.full((5000, 1), 2.0), np.full(5000, 3.0), every)
    assert told.own == told.free == 0
    assert told.ahead == -1


def test_which_kind_it_is_the_incumbents_reports_do_not_tell():
    """Only what goes along with its profit comes for nothing, on average over kinds."""
    chance, ahead = np.array([0.9, 0.1]), np.array([[-0.1], [0.3]])
    sure = Leads(chance, ahead, np.full((2, 1), 0.2), np.zeros((2, 1)))
    assert np.isclose(sure.told_for_nothing(1000, 10_000), 0.0, atol=1e-9)
    doubtful = Leads(chance, ahead, np.zeros((2, 1)), np.full((2, 1), 0.05))
    draws = -0.06 + 0.05 * np.sqrt(16 / 17) * np.random.default_rng(0).normal(size=1_000_000)
    assert np.isclose(doubtful.told_for_nothing(100, 10_000), 8400 * np.maximum(draws, 0).mean(), rtol=0.05)


def test_few_worlds_do_not_understate_what_is_in_doubt():
    """Two degrees of freedom go to the line."""
    rng = np.random.default_rng(2)
    ten = [Kind(np.ones(10, dtype=bool), 1.0, still=False)]
    squares = [Leads.of(rng.normal(size=(10, 50)), rng.normal(size=10), ten).own ** 2 for _ in range(100)]
    assert np.isclose(np.mean(squares), 1.0, atol=0.05)
