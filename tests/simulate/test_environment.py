"""The Gymnasium environment."""

from __future__ import annotations

import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import scorewright as sw
from scorewright.errors import ScorewrightError
from scorewright.simulate.environment import ID, Acquire


@pytest.mark.parametrize(
    "options",
    [{}, {"game": "analyst", "agent": sw.agents.Noisy(0.1)}, {"game": sw.families.random(rng=1, efforts=4, states=3)}],
    ids=["three efforts", "analyst", "random"],
)
def test_it_passes_gymnasiums_own_checks(options):
    """As made by name."""
    check_env(gymnasium.make(ID, **options).unwrapped)


def test_the_best_rule_has_no_regret_and_rewards_are_its_profit():
    """On average, over 4,000 rounds, within four standard errors."""
    env = Acquire(rounds=4000)
    solution = sw.solve(env.game)
    env.reset(seed=3)
    action = (solution.rule.payments / env.game.bound).ravel().astype(np.float32)
    rewards, regrets = [], []
    for number in range(4000):
        seen, reward, terminated, truncated, facts = env.step(action)
        assert seen.sum() == 3
        assert not terminated
        assert truncated == (number == 3999)
        rewards.append(reward)
        regrets.append(facts["regret"])
    assert np.abs(regrets).max() < 1e-6
    assert abs(np.mean(rewards) - solution.profit) < 4 * np.std(rewards) / np.sqrt(4000)


def test_improper_tables_are_answered_as_an_agent_would():
    """Paying one report whatever happens makes it the only report's pay: effort zero, by the revelation principle."""
    env = Acquire()
    env.reset(seed=0)
    table = np.zeros((5, 2), np.float32)
    table[3] = 1.0
    *_, facts = env.step(table.ravel())
    assert facts["payment"] == pytest.approx(1.0)
    assert facts["effort"] == 0


def test_seeds_repeat_and_bad_games_are_refused():
    """The same seed gives the same episode."""
    runs = []
    for _ in range(2):
        env = Acquire("analyst", rounds=5, agent=sw.agents.Quantal(1.0))
        env.reset(seed=7)
        env.action_space.seed(7)
        runs.append([env.step(env.action_space.sample())[1] for _ in range(5)])
    assert runs[0] == runs[1]
    for bad in ({"game": "chess"}, {"game": 3}, {"rounds": 0}):
        with pytest.raises(ScorewrightError):
            Acquire(**bad)


@pytest.mark.parametrize(
    "code",
    [
        f"import gymnasium, scorewright; gymnasium.make({ID!r})",
        f"import scorewright, gymnasium; gymnasium.make('scorewright.simulate.environment:{ID}')",
    ],
)
def test_it_is_found_by_name(code):
    """In a fresh interpreter, in either order."""
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)
