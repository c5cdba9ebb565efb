"""Worlds: a sample of what the game may be that keeps up with the reports."""

from __future__ import annotations

import json

import numpy as np
import pytest

import scorewright as sw
from corner import pinned, unlikely
from scorewright.learn.worlds import Ensemble


@pytest.mark.parametrize("seed", range(3))
def test_worlds_are_where_a_long_walk_would_take_them(seed):
    """After hundreds of rounds, information shared by all efforts: within a standard error of their long-run mean."""
    game = sw.families.random(rng=[3, seed], efforts=4, observations=8, support="shared")
    learner = sw.learn.Haggler(game.setting, sw.oracles.best_margin(game), rng=seed)
    sw.simulate(game, learner, 800, rng=seed)
    ensemble, counts = learner._ensemble, learner._grown()
    ensemble.refit(counts)
    first = (ensemble.information @ game.setting.value).mean(axis=0)
    later = []
    for _ in range(60):
        ensemble.refit(counts)
        later.append(ensemble.information @ game.setting.value)
    walked = np.concatenate(later[20:])
    assert (np.abs(first - walked.mean(axis=0)) < walked.std(axis=0)).all()


def test_worlds_agree_with_every_answer():
    """And with nothing but reports they are the Dirichlet posterior."""
    game = sw.families.make("three_efforts")
    ensemble = Ensemble(game.setting, 0)
    ensemble.grow(3)
    for number in range(6):
        rule = sw.rules.sample(game.beliefs, game.bound, rng=number)
        ensemble.answer(rule.expected, game.respond(rule))
    counts = np.round(60 * game.information)
    for _ in range(10):
        ensemble.refit(counts)
    gains = np.einsum("pkm,rm->prk", ensemble.information, ensemble.expected) - ensemble.costs[:, None, :]
    assert (gains.argmax(axis=2) == ensemble.answers).mean() > 0.999
    assert np.abs(ensemble.information.mean(axis=0) - game.information)[counts.sum(axis=1) > 0].max() < 0.1


def test_worlds_that_lost_touch_are_placed_anew():
    """In a corner where thousands of reports are all but impossible, and no room to leave it."""
    expected, answers, counts, _, far = pinned()
    game = sw.families.random(rng=1, states=2, efforts=2, observations=4)
    assert len(game.beliefs) == 8
    ensemble = Ensemble(game.setting, 0)
    ensemble.grow(2)
    for rule, answer in zip(expected, answers, strict=True):
        ensemble.answer(rule, int(answer))
    ensemble.worlds.place(far, np.array([0.0, 0.1]))
    ensemble._foreseen = -50.0  # here effort moves the state
    ensemble._read()
    assert unlikely(counts, ensemble.information.mean(axis=0)) > 100
    for _ in range(3):
        ensemble.refit(counts)
    assert np.median([unlikely(counts, np.maximum(world, 1e-300)) for world in ensemble.information]) < 20


def test_reports_of_one_effort_tell_of_another_where_effort_does_not_move_the_state():
    """Two states, two beliefs: the mean belief is all there is to know, and thousands of reports tell it."""
    game = sw.Game(
        [[0.5, 0.5], [0.8, 0.2], [0.3, 0.7], [0.9, 0.1], [0.25, 0.75]],
        [[1, 0, 0, 0, 0], [0, 0.4, 0.6, 0, 0], [0, 0, 0, 5 / 13, 8 / 13]], [0, 0.02, 0.06], [[1, 0], [0, 1]], 1.0,
    )  # fmt: skip
    ensemble = Ensemble(game.setting, 0)
    ensemble.grow(3)
    for rule in sw.oracles.best_margin(game):
        assert rule is not None
        ensemble.answer(rule.expected, game.respond(rule))
    counts = np.array([[50.0, 0, 0, 0, 0], [0, 4000, 6000, 0, 0], [0, 0, 0, 8, 4]])
    for _ in range(20):
        ensemble.refit(counts)
    assert ensemble.tied.mean() > 0.5
    share = ensemble.information[ensemble.tied, 2, 3]
    assert abs(np.median(share) - 5 / 13) < 0.05  # the reports say 8 / 12
    assert np.median(np.abs(share - np.median(share))) < 0.03
    assert np.median(ensemble.information[~ensemble.tied, 2, 3]) > 0.5


def test_answers_tell_whether_effort_moves_the_state_before_reports_do():
    """Where it does, tied worlds fail to foresee what is chosen; where it does not, they hardly ever do."""
    told = {}
    for support in ("shared", "disjoint"):
        found = []
        for seed in range(8):
            game = sw.families.random(rng=[3, seed], efforts=4, observations=8, support=support)
            learner = sw.learn.Haggler(game.setting, sw.oracles.best_margin(game), rng=seed)
            sw.simulate(game, learner, 60, rng=seed)
            found.append(learner._ensemble._foreseen)
        told[support] = np.array(found)
    assert np.minimum(told["shared"], 0).mean() < -0.5
    assert (told["disjoint"] > -0.5).all()


def large() -> tuple[sw.Game, Ensemble, np.ndarray]:
    """A game of five efforts and thirty beliefs with worlds that have seen some answers, and the reports."""
    game = sw.families.random(rng=[1, 1], states=3, efforts=5, observations=6)
    ensemble = Ensemble(game.setting, 0)
    ensemble.grow(5)
    for number in range(5):
        rule = sw.rules.sample(game.beliefs, game.bound, rng=number)
        ensemble.answer(rule.expected, game.respond(rule))
    counts = np.round(100 * game.information)
    for _ in range(3):
        ensemble.refit(counts)
    return game, ensemble, counts


def test_large_worlds_stay_until_there_is_news():
    """What they foresaw is none; what most of them did not foresee, and a fifth more reports of an effort, are."""
    game, ensemble, counts = large()
    everyone = np.ones(5, dtype=bool)
    assert ensemble.large
    asked = ensemble.ask(2, everyone, 0.0, 16)
    before = ensemble.information
    assert ensemble.current(counts)
    assert (ensemble.information == before).all()
    assert (ensemble.ask(2, everyone, 0.0, 16).rules == asked.rules).all()
    more = counts.copy()
    more[0, np.argmax(more[0])] += 0.25 * counts[0].sum()
    assert not ensemble.current(more)
    zero = np.zeros(len(game.beliefs))
    cheapest = ensemble.costs.argmin(axis=1)
    rare = int(np.argmin(np.bincount(cheapest, minlength=5)))
    ensemble.answer(zero, rare)
    assert not ensemble.current(counts)


def test_worlds_that_break_an_answer_are_not_asked_again():
    """Their cheapest rules are dropped; the worlds left all agree with it."""
    game, ensemble, counts = large()
    asked = ensemble.ask(1, np.ones(5, dtype=bool), 0.0, 16)
    full = sw.rules.sample(game.beliefs, game.bound, rng=7).expected
    for expected in np.linspace(0, 1, 2001)[:, None] * full:
        answer = int((game.information @ expected - game.costs).argmax())
        sound = (ensemble.information @ expected - ensemble.costs).argmax(axis=1) == answer
        if 0.75 < sound.mean() < 1 and not sound[asked.worlds].all():
            break
    ensemble.answer(expected, answer)
    assert ensemble.current(counts)
    left = ensemble.ask(1, np.ones(5, dtype=bool), 0.0, 16)
    assert left.worlds.tolist() == asked.worlds[sound[asked.worlds]].tolist()
    assert ((ensemble.information @ expected - ensemble.costs).argmax(axis=1) == answer).all()


def test_a_few_worlds_wrong_each_time_add_up_to_news(monkeypatch):
    """A fifth of them broke the first answer, another fifth the second: three fifths have foreseen both."""
    _, ensemble, counts = large()
    places = np.arange(96)
    broke = iter([places < 20, (places >= 20) & (places < 40)])
    monkeypatch.setattr(ensemble.worlds, "sift", lambda *_: ~next(broke))
    assert ensemble.current(counts)
    assert not ensemble.current(counts)


def test_a_kind_of_world_that_foresaw_nothing_is_news(monkeypatch):
    """Copies are of one's own kind; where there is none to copy the worlds are moved. A handful are no kind."""
    _, ensemble, counts = large()
    heard = []

    def sift(_: int, kinds: np.ndarray) -> np.ndarray:
        heard.append(kinds)
        return ~kinds

    monkeypatch.setattr(ensemble.worlds, "sift", sift)
    for tied, current in ((20, False), (5, True)):
        ensemble.tied, ensemble.still = np.arange(96) < tied, 0.2
        ensemble._sound[:] = True
        assert ensemble.current(counts) == current
        assert (heard[-1] == ensemble.tied).all()


def test_what_is_asked_later_does_not_depend_on_what_was_asked_before():
    """A restored ensemble has met other vertices."""
    game, ensemble, counts = large()
    everyone = np.ones(5, dtype=bool)
    ensemble.ask(0, everyone, 0.0, 16)
    again = Ensemble(game.setting, 0)
    again.load(json.loads(json.dumps(ensemble.save())), 5)
    for one in (ensemble, again):
        assert one.current(counts)
    for effort in range(5):
        first, second = (one.ask(effort, everyone, 0.0, 16) for one in (ensemble, again))
        assert (first.rules == second.rules).all()
        assert (first.payment == second.payment).all()


def test_an_effort_discovered_is_news_and_too_few_worlds_left_are_asked_anew():
    """The worlds have not been moved with it yet."""
    _, ensemble, counts = large()
    asked = ensemble.ask(1, np.ones(5, dtype=bool), 0.0, 16)
    ensemble._asked[1] = asked.of(np.arange(16) < 7)
    assert len(ensemble.ask(1, np.ones(5, dtype=bool), 0.0, 16).worlds) == 16
    ensemble.grow(6)
    assert not ensemble.current(np.vstack([counts, np.zeros(30)]))


def test_small_worlds_are_always_moved():
    """Where that is quick."""
    game = sw.families.make("three_efforts")
    ensemble = Ensemble(game.setting, 0)
    ensemble.grow(3)
    counts = np.round(60 * game.information)
    ensemble.refit(counts)
    assert not ensemble.large
    assert not ensemble.current(counts)
