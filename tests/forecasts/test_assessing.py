"""From tables to games: against truths known on paper, on real tables, and through every refusal and warning."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest

import scorewright as sw
from scorewright.errors import ForecastWarning, InvalidInputError, ScorewrightError
from scorewright.forecasts.calibration import calibrate
from tabling import distorted, frame, posteriors, shared

COSTS = [0.0, 0.02, 0.06]


def quietly(function, *args, **options):
    """Call with doubts left aside."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ForecastWarning)
        return function(*args, **options)


@pytest.mark.parametrize(("states", "power"), [(2, 1.0), (2, 2.5), (3, 0.4), (4, 2.5)])
def test_a_miscalibrated_table_gives_the_true_game(states, power):
    """However loudly or meekly the forecasts were made, worth and incentives are those of the true posteriors."""
    accuracies = (1 / states, 0.65, 0.9)
    true, truth = posteriors(accuracies, 3000, states, seed=states)
    noise = np.random.default_rng(5).dirichlet(np.ones(states), size=true.shape[:2])  # so that no tier is constant
    table = frame(0.98 * distorted(true, power) + 0.02 * noise, truth)
    beliefs = 8 if states < 4 else 16  # four states in 8 beliefs: the profit is 0.03 to 0.04 too rosy
    game = quietly(sw.forecasts.game, table, costs=COSTS, utility=np.eye(states), bound=1, beliefs=beliefs)
    assert len(game.beliefs) <= beliefs
    np.testing.assert_allclose(game.worth, accuracies, atol=0.025)
    np.testing.assert_allclose(game.prior, np.broadcast_to(game.prior[0], game.prior.shape), atol=1e-9)
    np.testing.assert_allclose(game.prior[0], np.bincount(truth) / len(truth), atol=1e-9)
    joint = [np.where(np.eye(states), a, (1 - a) / (states - 1)) / states for a in accuracies]
    exact = sw.Game.from_signals(joint, costs=COSTS, utility=np.eye(states), bound=1)
    assert sw.solve(game).profit == pytest.approx(sw.solve(exact).profit, abs=0.04)
    for k in (1, 2):
        assert sw.least_bound(game, k).value == pytest.approx(sw.least_bound(exact, k).value, rel=0.2)


def test_with_many_items_overconfidence_leaves_no_trace():
    """Recalibration leans on the forecasts' own word only while items are few: with many it says what they show."""
    true, truth = posteriors((0.7,), 20_000, seed=2)
    noise = np.random.default_rng(5).dirichlet([1, 1], size=true.shape[:2])
    table = sw.forecasts.read(frame(0.98 * distorted(true, 5) + 0.02 * noise, truth))
    after = calibrate(table, "beta", 5, np.random.default_rng(0)).forecasts[0]
    right = after.argmax(axis=1) == truth
    assert after.max(axis=1).mean() == pytest.approx(right.mean(), abs=0.005)


def test_a_decision_in_words():
    """The words of the command line are understood in Python too, and refused in the same sentence."""
    true, truth = posteriors((0.6, 0.8), 100)
    table = frame(true, truth)
    games = [
        quietly(sw.forecasts.game, table, costs=[0, 0.01], utility=utility)
        for utility in ("invest:s0=2,s1=-3", sw.forecasts.invest({"s0": 2, "s1": -3}))
    ]
    assert games[0] == games[1]
    with pytest.raises(ScorewrightError, match="unknown decision"):
        sw.forecasts.game(table, costs=[0, 0.01], utility="gamble")


def test_taken_at_its_word_it_misleads_and_says_so():
    """Without recalibration overconfident forecasts claim too much, and a warning says that they are off."""
    true, truth = posteriors((0.6, 0.7), 2000)
    noise = np.random.default_rng(0).dirichlet([1, 1], size=true.shape[:2])
    table = frame(0.95 * distorted(true, 3) + 0.05 * noise, truth)
    with pytest.warns(ForecastWarning) as said:
        game = sw.forecasts.game(table, costs=[0, 0.01], utility=np.eye(2), bound=1, calibration=None)
    assert any("'t0', 't1' are miscalibrated" in str(warning.message) for warning in said)
    assert game.worth[1] > 0.8
    mended = sw.forecasts.game(table, costs=[0, 0.01], utility=np.eye(2), bound=1)
    assert mended.worth[1] == pytest.approx(0.7, abs=0.03)


def test_clusters_are_left_out_and_drawn_together():
    """Copies of the same hundred items are no new evidence: intervals stay as wide as for the hundred."""
    true, truth = posteriors((0.6, 0.8), 150, seed=3)
    widths = {}
    for name, copies, clusters in (("once", 1, None), ("copied", 8, None), ("clustered", 8, "patient")):
        many = frame(np.tile(true, (1, copies, 1)), np.tile(truth, copies), patient=np.tile(np.arange(150), copies))
        found = quietly(sw.forecasts.assess, many, costs=[0, 0.01], utility=np.eye(2), clusters=clusters, resamples=0)
        widths[name] = found.scores[1].brier_after.high - found.scores[1].brier_after.low
    assert widths["clustered"] == pytest.approx(widths["once"], rel=0.25)
    assert widths["copied"] < 0.6 * widths["once"]


def test_the_same_rng_gives_the_same_game():
    """And a game is what the assessment has."""
    options = {"costs": sw.forecasts.HEART_COSTS, "utility": sw.forecasts.classify(1e5), "bound": 5000}
    table = sw.forecasts.example()
    first = quietly(sw.forecasts.game, table, **options)
    assert first == quietly(sw.forecasts.game, table, **options)
    assert first == quietly(sw.forecasts.assess, table, **options, resamples=0).game
    assert first != quietly(sw.forecasts.game, table, **options, rng=1)


@pytest.fixture(scope="module")
def heart():
    """Return the assessment of the packaged table at its real costs."""
    utility = sw.forecasts.classify({"disease": 240_000, "healthy": 144_000})
    table = sw.forecasts.example("heart_tests")
    return quietly(
        sw.forecasts.assess, table, costs=sw.forecasts.HEART_COSTS, utility=utility, bound=8000, resamples=30
    )


def test_heart_scores(heart):
    """Brier scores as published, before and after recalibration; labs_ecg is flagged, and nothing else."""
    known = {"history": 0.162, "labs_ecg": 0.163, "stress_ecg": 0.141, "stress_thallium": 0.132, "full": 0.114}
    for score in heart.scores:
        assert score.brier.value == pytest.approx(known[score.tier], abs=0.003)
        assert score.brier_after.value == pytest.approx(known[score.tier], abs=0.003)
        assert score.brier.low < score.brier.value < score.brier.high
    flagged = [w for w in heart.warnings if "adds nothing" in w]
    assert len(flagged) == 1
    assert "'labs_ecg'" in flagged[0]


def test_heart_bounds(heart):
    """Inducing `full` takes thousands of dollars, with an interval; the cheapest tier takes nothing."""
    verdicts = {verdict.tier: verdict for verdict in heart.verdicts}
    least = verdicts["full"].least_bound
    assert 1000 < least.low < least.value < least.high
    assert 3000 < least.value < 9000
    assert verdicts["history"].least_bound.value == 0
    assert verdicts["history"].sure
    assert not verdicts["labs_ecg"].inducible
    assert heart.resamples.shape == (30, 5, len(heart.game.beliefs))
    priors = heart.resamples @ heart.game.beliefs
    np.testing.assert_allclose(priors, np.broadcast_to(priors[:, :1], priors.shape), atol=1e-9)


def test_the_report_in_words_and_as_json(heart):
    """Everything is in it, and JSON takes it."""
    text = str(heart)
    for word in ("labs_ecg adds nothing", "least bound", "Best:", "Warning:", "after (95% interval)"):
        assert word in text
    content = json.loads(json.dumps(heart.to_dict(), allow_nan=False))
    assert sw.Game.from_dict(content["game"]) == heart.game
    assert [v["tier"] for v in content["verdicts"]] == list(heart.table.tiers)
    assert sum(content["efforts"].values()) == pytest.approx(1)


def test_basketball():
    """At a quadratic cost all tiers can be induced; at a linear one the middle ones are never a bare yes or no."""
    table = shared("ncaa_inplay")
    options = {"utility": sw.forecasts.classify(3), "bound": 1}
    game = sw.forecasts.game(table, costs=lambda tier: 0.06 * (float(tier[3:]) / 38) ** 2, **options)
    assert all(found is not None for found in sw.solve(game).by_effort)
    linear = sw.forecasts.assess(table, costs=lambda tier: 0.06 * float(tier[3:]) / 38, **options, resamples=20)
    for verdict in linear.verdicts[2:4]:
        assert "of resamples and" in verdict.words
        assert len({np.isfinite(least) for least in verdict.by_way}) == 2  # some ways say that a bound would do
    known = (0.166, 0.148, 0.124, 0.088, 0.057)
    for score, brier in zip(linear.scores, known, strict=True):
        assert score.brier.value == pytest.approx(brier, abs=0.003)


def test_world_cup():
    """Three states, end to end."""
    costs = {"min0": 0, "min50": 0.02, "min70": 0.04, "min85": 0.06}
    table = shared("worldcup_inplay")
    game = sw.forecasts.game(table, costs=costs, utility=sw.forecasts.classify(3), bound=1)
    assert game.states == ("team1", "draw", "team2")
    np.testing.assert_allclose(game.prior, np.broadcast_to(game.prior[0], game.prior.shape), atol=1e-9)
    assert sw.solve(game).certificate.gap < 1e-6


def test_tolerance_instead_of_a_count():
    """Fewer beliefs for a looser one."""
    table, options = sw.forecasts.example(), {"costs": [0, 1, 2, 3, 4], "utility": np.eye(2), "bound": 10}
    sizes = [len(quietly(sw.forecasts.game, table, **options, tolerance=t).beliefs) for t in (0.02, 0.002, 0.0005)]
    assert 1 < sizes[0] < sizes[1] < sizes[2] <= 64


def test_tiers_that_judge_other_items():
    """Each with its own items and base rate; forced to one if asked."""
    true, truth = posteriors((0.7, 0.9), 400)
    table = frame(true, truth)
    odd = table["item_id"].str[1:].astype(int) % 2 == 1
    split = table[(table["tier"] == "t0") == odd]
    options = {"costs": [0, 0.01], "utility": np.eye(2), "bound": 1}
    free = quietly(sw.forecasts.game, split, **options)
    assert abs(free.prior[0, 0] - free.prior[1, 0]) > 1e-3
    forced = quietly(sw.forecasts.game, split, **options, exogenous=True)
    np.testing.assert_allclose(forced.prior[0], forced.prior[1], atol=1e-9)
    with pytest.raises(InvalidInputError, match="no forecast in tier 't1'"):
        sw.forecasts.game(table.iloc[:-1], **options)
    assert quietly(sw.forecasts.game, table.iloc[:-1], **options, exogenous=False).information.shape[0] == 2


def test_warnings_about_what_misleads():
    """A tier that adds nothing, bins made in-sample, bins of next to no items."""
    table = sw.forecasts.example()
    options = {"costs": sw.forecasts.HEART_COSTS, "utility": np.eye(2), "bound": 5000}
    with pytest.warns(ForecastWarning) as said:
        sw.forecasts.game(table, **options, folds=1, beliefs=200)
    words = " ".join(str(warning.message) for warning in said)
    assert "'labs_ecg' adds nothing" in words
    assert "in-sample" in words
    assert "small bins" in words
    assert {warning.filename for warning in said} == {__file__}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"costs": {"t0": 0, "tx": 1}}, "tier in costs 'tx'"),
        ({"costs": {"t0": 0}}, "no entry for tier 't1'"),
        ({"costs": [0, 1, 2]}, "3 entries for 2 tiers"),
        ({"costs": [0, -1]}, "can't be negative"),
        ({"costs": str.upper}, "costs"),
        ({"utility": np.eye(3)}, "3 columns but the table has 2 states"),
        ({"utility": sw.forecasts.classify({"s0": 1, "sx": 2})}, "'sx'"),
        ({"utility": sw.forecasts.newsvendor(5, 3)}, "no quantities"),
        ({"calibration": "multinormal"}, "multinomial"),
        ({"folds": 1000}, "1000 folds need"),
        ({"beliefs": 1}, "beliefs is 1"),
        ({"tolerance": 0}, "tolerance"),
        ({"bound": -1}, "bound"),
    ],
)
def test_refusals(options, words):
    """One sentence each."""
    true, truth = posteriors((0.6, 0.8), 100)
    with pytest.raises(ScorewrightError, match=words):
        sw.forecasts.game(frame(true, truth), **{"costs": [0, 0.01], "utility": np.eye(2)} | options)


def test_costs_from_a_file_and_a_function(tmp_path):
    """Lines of the right table, in any order; a function of the tier, as a number where it is one."""
    true, truth = posteriors((0.6, 0.8), 100)
    table = frame(true, truth).replace({"t0": "10", "t1": "20"})
    table.to_csv(tmp_path / "mine.csv", index=False)
    (tmp_path / "costs.csv").write_text("table,tier,cost\nmine,20,.02\nother,10,7\nmine,10,.01\n")
    options = {"utility": np.eye(2), "bound": 1}
    game = sw.forecasts.game(tmp_path / "mine.csv", costs=tmp_path / "costs.csv", **options)
    assert game.costs.tolist() == [0.01, 0.02]
    assert sw.forecasts.game(table, costs=lambda minutes: minutes / 1000, **options).costs.tolist() == [0.01, 0.02]
    assert sw.forecasts.game(table, costs={10: 0.01, 20: 0.02}, **options).costs.tolist() == [0.01, 0.02]
    (tmp_path / "costs.csv").write_text("tier,cost\n10,cheap\n20,1\n")
    with pytest.raises(InvalidInputError, match="'cheap', not a number"):
        sw.forecasts.game(table, costs=tmp_path / "costs.csv", **options)


def test_the_usual_decisions():
    """Utilities by state, whatever their order in the table."""
    assert sw.forecasts.classify(2)(("a", "b", "c"))[0].tolist() == [[0, -2, -2], [-2, 0, -2], [-2, -2, 0]]
    assert sw.forecasts.classify([[0, 5], [1, 0]])(("a", "b"))[0].tolist() == [[0, -5], [-1, 0]]
    utility, orders = sw.forecasts.newsvendor(5, 3, 1, {"low": 10, "high": 20})(("high", "low"))
    assert orders == ("order 10", "order 20")
    assert utility.tolist() == [[20, 20], [40, 0]]
    with pytest.raises(InvalidInputError, match="ascend"):
        sw.forecasts.newsvendor(3, 5)


def test_an_isotonic_map_and_a_default_bound():
    """Isotonic recalibration works for two states only; without a bound, the largest stake."""
    true, truth = posteriors((0.6, 0.8), 300)
    game = sw.forecasts.game(frame(true, truth), costs=[0, 0.01], utility=7 * np.eye(2), calibration="isotonic")
    assert game.bound == 7
    three, outcome = posteriors((0.6, 0.8), 300, 3)
    with pytest.raises(InvalidInputError, match="two states"):
        sw.forecasts.game(frame(three, outcome), costs=[0, 0.01], utility=np.eye(3), calibration="isotonic")
