"""Random rules: inside the class, all over the class, uniformly."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ks_2samp

import scorewright as sw
from scorewright.errors import CannotInduceError
from strategies import supports


@settings(max_examples=25)
@given(beliefs=supports(), seed=st.integers(0, 999))
def test_draws_are_strongly_proper_and_within_range(beliefs, seed):
    """Every draw has the strength and the range that were asked for, coinciding beliefs or not."""
    strongest = sw.rules.quadratic(beliefs, 1).strength
    strength = 0.5 * strongest if np.isfinite(strongest) else 0.0
    rule = sw.rules.sample(beliefs, bound=3, strength=strength, rng=seed, least=1)
    assert rule.strength >= strength * (1 - 1e-9)
    assert rule.is_proper()
    assert rule.payments.min() >= 1
    assert rule.payments.max() <= 3


@pytest.mark.parametrize("strength", [0.0, 0.2])
def test_distribution_is_uniform_on_the_class(strength):
    """Against exact rejection sampling from the box: every payment, and every expected payment, has the same law."""
    beliefs = np.array([[0.5, 0.5], [0.8, 0.2], [0.1, 0.9]])
    sampler = sw.rules.Sampler(beliefs, 1.0, strength)
    ours = np.array([sampler.draw([5, i]).payments for i in range(400)])
    box = np.random.default_rng(1).random((700_000, 3, 2))
    gains = np.einsum("iw,njw->nij", beliefs, box)
    room = np.diagonal(gains, axis1=1, axis2=2)[:, :, None] - gains
    needed = strength / 2 * np.abs(beliefs[:, None] - beliefs[None]).sum(axis=2) ** 2
    exact = box[(room >= needed).all(axis=(1, 2))]
    assert len(exact) > 300
    for i in range(3):
        columns = [(ours[:, i, w], exact[:, i, w]) for w in range(2)]
        columns.append((ours[:, i] @ beliefs[i], exact[:, i] @ beliefs[i]))
        for mine, theirs in columns:
            assert ks_2samp(mine, theirs).pvalue > 1e-3


def test_the_default_walk_is_long_enough_in_higher_dimension():
    """Where rejection can't reach (30 dimensions), four times the steps give the same moments."""
    beliefs = np.random.default_rng(3).dirichlet(np.ones(3), size=10)
    short = sw.rules.Sampler(beliefs, 1.0)
    long = sw.rules.Sampler(beliefs, 1.0, steps=4 * (80 * beliefs.size + 200))
    means = [np.array([s.draw([7, i]).payments.ravel() for i in range(100)]) for s in (short, long)]
    spread = np.sqrt(means[0].var(axis=0) / 100 + means[1].var(axis=0) / 100)
    away = np.abs(means[0].mean(axis=0) - means[1].mean(axis=0)) / spread
    assert away.max() < 4.5
    assert np.sqrt(np.mean(away**2)) < 1.5


def test_same_seed_same_rule():
    """Draws depend on the seed and on nothing else."""
    beliefs = [[0.2, 0.8], [0.7, 0.3]]
    assert sw.rules.sample(beliefs, 1, rng=4) == sw.rules.sample(beliefs, 1, rng=4)
    assert sw.rules.sample(beliefs, 1, rng=4) != sw.rules.sample(beliefs, 1, rng=5)


def test_too_much_strength_says_how_much_there_is():
    """The error names the greatest strength, and just below it a draw exists."""
    beliefs = [[0.2, 0.8], [0.7, 0.3]]
    with pytest.raises(CannotInduceError, match=r"must be less than 0\.909"):
        sw.rules.sample(beliefs, 1, strength=9, rng=0)
    assert sw.rules.sample(beliefs, 1, strength=0.9, rng=0).strength >= 0.9
