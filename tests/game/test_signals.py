"""From signals and contracts to games."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import scorewright as sw


@given(seed=st.integers(0, 2000), efforts=st.integers(1, 4), observations=st.integers(1, 5), states=st.integers(2, 4))
def test_bayes_gives_back_the_joint(seed, efforts, observations, states):
    """Beliefs times information is the distribution of the state, and M <= K C_O."""
    rng = np.random.default_rng(seed)
    joint = rng.dirichlet(np.ones(observations * states), size=efforts).reshape(efforts, observations, states)
    joint[rng.random(joint.shape) < 0.2] = 0
    joint += 1e-3 * (joint.sum(axis=(1, 2), keepdims=True) == 0)
    joint /= joint.sum(axis=(1, 2), keepdims=True)
    game = sw.Game.from_signals(joint, costs=np.zeros(efforts), utility=np.eye(states), bound=1)
    assert len(game.beliefs) <= efforts * observations
    assert game.prior == pytest.approx(joint.sum(axis=1))
    worth = [sum(joint[k, o].max() for o in range(observations)) for k in range(efforts)]
    assert game.worth == pytest.approx(worth)


def test_equal_posteriors_merge_across_efforts():
    """Two observations, or two efforts, that leave the same belief are one belief."""
    useless = [[0.1, 0.1], [0.2, 0.2], [0.2, 0.2]]
    sharp = [[0.3, 0.1], [0.1, 0.3], [0.1, 0.1]]
    game = sw.Game.from_signals([useless, sharp], costs=[0, 1], utility=np.eye(2), bound=1)
    assert game.beliefs == pytest.approx(np.array([[0.5, 0.5], [0.75, 0.25], [0.25, 0.75]]))
    assert game.information == pytest.approx(np.array([[1, 0, 0], [0.2, 0.4, 0.4]]))


def test_merging_follows_the_named_tolerance():
    """Posteriors 1e-10 apart are one; 1e-8 apart are two."""
    for apart, count in ((1e-10, 1), (1e-8, 2)):
        joint = [[[0.25, 0.25], [0.25 + apart / 2, 0.25 - apart / 2]]]
        assert len(sw.Game.from_signals(joint, costs=[0], utility=[[0, 0]], bound=1).beliefs) == count


def test_observations_that_never_happen_leave_no_belief():
    """A zero row of the joint is not a belief."""
    joint = [[[0.5, 0.5], [0, 0]], [[0.4, 0.1], [0.1, 0.4]]]
    assert len(sw.Game.from_signals(joint, costs=[0, 1], utility=np.eye(2), bound=1).beliefs) == 3


def test_contracts_have_point_beliefs():
    """The agent sees the outcome; rewards may be a list, or a table when she also decides."""
    game = sw.Game.from_contract([[0.5, 0.5], [0.2, 0.8]], rewards=[0, 10], costs=[0, 1], bound=5, efforts=("a", "b"))
    assert game.beliefs.tolist() == [[1, 0], [0, 1]]
    assert game.worth == pytest.approx([5, 8])
    assert game.efforts == ("a", "b")
    both = sw.Game.from_contract([[0.5, 0.5]], rewards=[[0, 10], [7, 0]], costs=[0], bound=5)
    assert both.worth == pytest.approx([8.5])
