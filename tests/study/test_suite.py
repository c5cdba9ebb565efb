"""The benchmark suite: what it promises to span, and that it can be played."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

import scorewright as sw
from scorewright.study import suite

SUITE = suite.load("benchmark")
GAMES = {entry.label: entry.make(None) for entry in SUITE.games}


def tagged(tag: str) -> list[sw.Game]:
    """Games with a tag."""
    return [GAMES[entry.label] for entry in SUITE.games if tag in entry.tags]


def test_it_spans_what_it_promises():
    """Sizes, every kind of difficulty, every learner, 20 seeds."""
    assert len(GAMES) >= 24
    assert {len(game.costs) for game in GAMES.values()} >= {2, 3, 4, 5, 6, 8}
    assert {game.beliefs.shape[1] for game in GAMES.values()} >= {2, 3, 4, 6}
    sizes = [len(game.beliefs) for game in GAMES.values()]
    assert (min(sizes), max(sizes)) == (4, 40)
    assert SUITE.repeats == 20
    assert {learner.name for learner in SUITE.learners} >= set(sw.learn.names()[:8])
    assert SUITE.version == "1"
    for entry in SUITE.games:
        assert entry.about


def test_each_kind_is_what_its_tag_says():
    """Measured, not just named."""
    for game in tagged("tiny regions"):
        assert min(sw.margin(game, k).value for k in range(len(game.costs))) == pytest.approx(0.005, rel=1e-3)
    for game in tagged("effort zero optimal"):
        assert sw.solve(game).effort == 0
    for game in tagged("useless efforts") + tagged("uninducible efforts"):
        assert any(found is None for found in sw.solve(game).by_effort)
    assert all(game.bound >= 10 for game in tagged("large bound"))
    for tag in ("near ties", "skewed prior", "contract", "from data", "shared beliefs"):
        assert len(tagged(tag)) >= 2
    for entry in SUITE.games:
        if "from data" in entry.tags:
            assert "CC BY 4.0" in entry.about


def test_the_version_is_what_it_was():
    """Whoever changes a game of the suite must give the suite another version."""
    content = json.dumps([entry.identity() for entry in SUITE.games], sort_keys=True)
    pinned = (Path(__file__).parent / "benchmark-1.sha256").read_text().strip()
    assert hashlib.sha256(content.encode()).hexdigest() == pinned


def test_every_learner_plays(tmp_path):
    """Fifty rounds: the fast ones on all games of up to 15 beliefs, one of them on all, Haggler on the smallest."""
    fast = [learner.label for learner in SUITE.learners if learner.name not in ("haggler", "informed")]
    slow = [learner.label for learner in SUITE.learners if learner.name in ("haggler", "informed")]
    small = [label for label, game in GAMES.items() if len(game.beliefs) <= 15]
    parts = [
        SUITE.part(games=small, learners=fast, repeats=1, rounds=[50]),
        SUITE.part(learners=["scaled-quadratic"], repeats=1, rounds=[50]),
        SUITE.part(games=["two-sources", "look-or-not"], learners=slow, repeats=1, rounds=[40]),
    ]
    for number, part in enumerate(parts):
        results = sw.study.run(part, tmp_path / str(number))
        assert list(results.failures()["error"]) == []
        assert len(results.cells()) == len(part.tasks())


def test_the_games_of_a_table(tmp_path):
    """The packaged study of real patients: games made by `forecasts`, and items replayed."""
    heart = suite.load("heart")
    assert [entry.make(None).efforts[-1] for entry in heart.games] == ["full", "full"]
    part = heart.part(learners=["oracle-bandit", "scaled-quadratic"], repeats=1, rounds=[30])
    results = sw.study.run(part, tmp_path)
    assert list(results.failures()["error"]) == []
    assert set(results.cells()["agent"]) == {"rational", "replay (table heart_tests)"}
    with pytest.raises(sw.errors.InvalidInputError, match="needs costs"):
        sw.study.Study([{"table": "heart_tests", "utility": "classify"}], ["oracle-bandit"])
    with pytest.raises(sw.errors.InvalidInputError, match="no option 'cost'"):
        sw.study.Study([{"table": "heart_tests", "cost": 1}], ["oracle-bandit"])
