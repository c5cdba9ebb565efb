"""Learners from JSON."""

from __future__ import annotations

import pytest

import scorewright as sw
from scorewright.errors import ScorewrightError
from scorewright.session import make_learner

GAME = sw.families.make("three_efforts")
ORACLE = sw.oracles.best_margin(GAME)
TABLES = [rule.payments.tolist() for rule in ORACLE]


@pytest.mark.parametrize(
    ("name", "options", "same"),
    [
        ("haggler", {"horizon": 50}, lambda s: sw.learn.Haggler(s, horizon=50, rng=4)),
        ("haggler", {"oracle": TABLES}, lambda s: sw.learn.Haggler(s, ORACLE, rng=4)),
        (
            "osrl-ucb",
            {"oracle": TABLES, "radius": 0.1},
            lambda s: sw.learn.OsrlUcb(s, ORACLE, radius=sw.learn.Radius(0.1)),
        ),
        ("osrl-ucb", {"oracle": {"skim": TABLES[1]}}, lambda s: sw.learn.OsrlUcb(s, {"skim": ORACLE[1]})),
        ("osrl-ucb", {"oracle": {"1": TABLES[1]}}, lambda s: sw.learn.OsrlUcb(s, {1: ORACLE[1]})),
        (
            "osrl-ucb",
            {"oracle": {"procedure": "random-sampling", "rounds": 30}},
            lambda s: sw.learn.OsrlUcb(s, sw.oracles.RandomSampling(rounds=30), rng=4),
        ),
        ("fixed-rule", {"rule": TABLES[1], "target": 1}, lambda s: sw.learn.FixedRule(s, ORACLE[1], target=1)),
        ("clairvoyant", {"game": GAME.to_dict()}, lambda s: sw.learn.Clairvoyant(s, GAME)),
        ("scaled-quadratic", {"scales": 4}, lambda s: sw.learn.ScaledQuadratic(s, scales=4)),
    ],
)  # fmt: skip
def test_recipes(name, options, same):
    """The same learner as the library makes."""
    assert make_learner(name, GAME.setting, options, seed=4).state() == same(GAME.setting).state()


@pytest.mark.parametrize(
    ("name", "options", "word"),
    [
        ("hagler", {}, "did you mean 'haggler'"),
        ("haggler", {"colour": 1}, "it takes horizon, oracle"),
        ("haggler", {"rng": 1}, "no option 'rng'"),
        ("osrl-ucb", {}, "must be told its oracle"),
        ("fixed-rule", {}, "must be told its rule"),
        ("osrl-ucb", {"oracle": "best"}, "list of payment tables"),
        ("osrl-ucb", {"oracle": TABLES[:2]}, "2 rules for 3 efforts"),
        ("osrl-ucb", {"oracle": {"²": TABLES[1]}}, "²"),
        ("osrl-ucb", {"oracle": {"procedure": "random-sampling", "colour": 1}}, "does not take"),
        ("osrl-ucb", {"oracle": {"procedure": "magic"}}, "unknown procedure"),
        ("fixed-rule", {"rule": [[1, 2]]}, "payments"),
        ("clairvoyant", {"game": {}}, "document"),
        ("haggler", {"horizon": "long"}, "horizon"),
        ("scaled-quadratic", {"scales": 10**30}, "scales"),
    ],
)
def test_bad_recipes(name, options, word):
    """One clear sentence."""
    with pytest.raises(ScorewrightError, match=word):
        make_learner(name, GAME.setting, options)
