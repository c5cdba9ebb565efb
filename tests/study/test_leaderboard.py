"""The leaderboard: means, pairs, intervals, exponents."""

from __future__ import annotations

import numpy as np
import pytest

import scorewright as sw
from scorewright.errors import ScorewrightError
from scorewright.study.leaderboard import Tables, bootstrap, exponent
from tasks import Sum, Sums


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Return the results of a small study in which who is better is known."""
    study = sw.study.Study(
        ["three_efforts", "analyst"], ["oracle-bandit", "clairvoyant", "fixed-rule"], rounds=[100, 1000], repeats=4
    )
    return sw.study.run(study, tmp_path_factory.mktemp("board"))


def test_the_leaderboard_is_what_the_cells_say(results):
    """Means by hand, pairs by hand; whoever knows the game is first and wins every pair."""
    board = sw.study.leaderboard(results).set_index("learner")
    cells = results.cells().set_index(["learner", "game", "rounds", "repeat"])["regret"]
    assert board.index[0] == "clairvoyant"
    assert board.loc["fixed-rule", "regret"] == pytest.approx(cells.loc["fixed-rule"].mean())
    gap = cells.loc["clairvoyant"] - cells.loc["oracle-bandit"]
    assert board.loc["clairvoyant", "versus"] == pytest.approx(gap.mean())
    assert board.loc["clairvoyant", "won"] == 1.0
    assert board.loc["clairvoyant", "versus_high"] < 0
    assert (board["regret_low"] <= board["regret"]).all()
    assert (board["regret"] <= board["regret_high"]).all()
    assert (board["cells"] == 16).all()
    assert board.loc["fixed-rule", "exponent"] == pytest.approx(1.0)


def test_other_baselines_and_losing_cases(results):
    """Against the one who knows, every other cell is a losing case, worst first."""
    tables = Tables(results)
    losing = tables.losing(tables.cells, "clairvoyant")
    assert len(losing) == 32
    assert losing["behind"].is_monotonic_decreasing
    assert sw.study.leaderboard(results, baseline="clairvoyant").set_index("learner").loc["clairvoyant", "versus"] == 0
    with pytest.raises(ScorewrightError, match="baseline"):
        sw.study.leaderboard(results, baseline="nobody")


def test_intervals_hold_the_mean_as_often_as_they_say():
    """Of 300 samples of 40, the 95% interval holds the true mean in about 95% (bootstrap: a little less)."""
    rng = np.random.default_rng(0)
    held = [one.low <= 2.0 <= one.high for one in (bootstrap(rng.exponential(2.0, 40)) for _ in range(300))]
    assert 0.88 <= np.mean(held) <= 0.98
    assert np.isnan(bootstrap([]).mean)
    assert bootstrap([1.0, np.nan, 3.0]).mean == 2.0


def test_exponents_of_known_powers():
    """The slope over the last decade, or nothing where there is none."""
    rounds = np.unique(np.logspace(0, 5, 400).astype(int))
    assert exponent(rounds, rounds ** (2 / 3)) == pytest.approx(2 / 3)
    assert exponent(rounds, np.where(rounds < 10_000, rounds, 10_000.0)) == pytest.approx(0, abs=1e-9)
    assert np.isnan(exponent(rounds, np.zeros(len(rounds))))
    assert np.isnan(exponent(rounds[:3], rounds[:3]))


def test_what_is_no_study_has_no_leaderboard(tmp_path):
    """Results of other plans, or none at all, are refused."""
    with pytest.raises(ScorewrightError, match="does not hold the results of a study"):
        sw.study.leaderboard(sw.study.run(Sums((Sum(1),)), tmp_path / "sums"))
    with pytest.raises(ScorewrightError, match="no finished cells"):
        sw.study.leaderboard(sw.study.run(Sums((Sum(1, "raises"),)), tmp_path / "failed"))
