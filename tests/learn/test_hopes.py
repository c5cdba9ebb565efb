"""Hopes: what an effort's best rule would earn, and how sure that is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import scorewright as sw
from playing import after
from scorewright.learn import hopes
from scorewright.learn.hopes import hope_for, wary
from scorewright.learn.prospects import Incumbent, candidates
from scorewright.learn.worlds import seen_efforts


def test_few_reports_are_not_trusted_whatever_the_worlds_say():
    """One report leaves a third of the range in doubt; many leave their standard error, or the worlds' if larger."""
    _, position = after(sw.families.random(rng=2), 60)
    position.ensemble.tied = np.zeros(len(position.ensemble.costs), dtype=bool)
    incumbent = Incumbent.of(position)
    effort = next(effort for effort in incumbent.by_effort if effort != incumbent.effort)
    stake, lead = np.ptp(position.value), position.value - position.ensemble.expected[incumbent.by_effort[effort]]
    counts = position.counts.copy()
    counts[effort] = np.eye(len(lead))[0]
    none = np.zeros(1)
    assert np.allclose(wary(replace(position, counts=counts), incumbent, effort, none), stake / np.sqrt(8))
    counts[effort] = 0
    counts[effort, :2] = 5000
    many = wary(replace(position, counts=counts), incumbent, effort, none)
    assert np.allclose(many, abs(lead[0] - lead[1]) / 2 / np.sqrt(10_000), rtol=0.01, atol=stake / 10_000)
    assert wary(replace(position, counts=counts), incumbent, effort, none + stake) == stake


def test_what_the_base_rate_tells_is_not_in_doubt():
    """Reports whose worth is linear in the belief: where effort does not move the state, only surprises are feared."""
    _, position = after(sw.families.random(rng=2), 60)
    ensemble, count = position.ensemble, len(position.ensemble.costs)
    incumbent = Incumbent.of(position)
    effort = next(effort for effort in incumbent.by_effort if effort != incumbent.effort)
    counts = position.counts.copy()
    counts[effort] = 100
    linear = ensemble.expected[incumbent.by_effort[effort]] + ensemble.beliefs @ np.array([3.0, 1.0])

    def feared(share: float) -> np.ndarray:
        ensemble.tied, ensemble.still = np.arange(count) < share * count, share
        then = replace(position, counts=counts, value=linear)
        return wary(then, incumbent, effort, np.zeros(len(then.kinds)))

    (loose,), (tied,), (half, other) = feared(0.0), feared(1.0), feared(0.5)
    assert loose > (linear - ensemble.expected[incumbent.by_effort[effort]]).std() / np.sqrt(counts[effort].sum() + 2)
    assert np.isclose(half**2, tied**2 / 2)
    assert np.isclose(other**2, loose**2 / 2)
    assert tied <= np.ptp(linear) / np.sqrt(2) / counts[effort].sum()
    assert tied < loose / 5


def test_a_line_is_not_fitted_to_the_few_reports_that_it_judges(monkeypatch):
    """With four states any four reports lie on one: that does not make what the next is worth known."""
    monkeypatch.setattr(hopes, "SURPRISES", 0.0)
    game = sw.families.random(rng=4, states=4, observations=10)
    _, position = after(game, 30)
    ensemble, incumbent = position.ensemble, Incumbent.of(position)
    ensemble.tied, ensemble.still = np.ones(len(ensemble.costs), dtype=bool), 0.98
    effort = next(effort for effort in incumbent.by_effort if effort != incumbent.effort)
    own = np.flatnonzero(game.information[effort])[:4]
    counts = position.counts.copy()
    counts[effort] = 0
    counts[effort, own] = 1
    lead = position.value - ensemble.expected[incumbent.by_effort[effort]]
    every = hopes._beyond_linear(lead, ensemble.beliefs, np.ones(len(lead)))
    (feared,) = wary(replace(position, counts=counts), incumbent, effort, np.zeros(1))
    assert feared > 0.5 * every[own].std() * np.sqrt(4) / 5  # the standard error of their mean, with one report more


def test_kinds_have_the_chance_of_the_game_not_their_number():
    """Nine worlds in ten are tied at most, however likely that is; an effort's campaign hears of both."""
    _, position = after(sw.families.random(rng=2), 60)
    ensemble = position.ensemble
    ensemble.tied, ensemble.still = np.arange(len(ensemble.costs)) % 10 > 0, 0.97
    position = replace(position)
    assert [kind.chance for kind in position.kinds] == [0.97, 1 - 0.97]
    incumbent = Incumbent.of(position)
    effort = next(effort for effort in incumbent.by_effort if effort != incumbent.effort)
    others = candidates(position, incumbent, effort, seen_efforts(position.counts))
    assert others is not None
    hope = hope_for(position, incumbent, others)
    assert np.allclose(hope.chance, [0.97, 0.03])
    expected = ensemble.expected[incumbent.by_effort[effort]]
    now = ensemble.information[:, effort] @ (position.value - expected) - incumbent.earned
    assert np.isclose(hope.lead[0] - hope.lead[1], now[ensemble.tied].mean() - now[~ensemble.tied].mean())


def test_hopes_know_that_what_is_worth_more_may_be_cheaper_too():
    """What reports tell of the best rule's profit: b standard deviations of what it is now, b by regression."""
    _, position = after(sw.families.make("three_efforts"), 60)
    position.ensemble.tied = np.zeros(len(position.ensemble.costs), dtype=bool)
    incumbent = Incumbent.of(position)
    incumbent = replace(incumbent, earned=np.full_like(incumbent.earned, incumbent.profit))  # it is known
    effort = next(effort for effort in incumbent.by_effort if effort != incumbent.effort)
    others = candidates(position, incumbent, effort, seen_efforts(position.counts))
    assert others is not None
    expected = position.ensemble.expected[incumbent.by_effort[effort]]
    now = position.ensemble.information[:, effort] @ (position.value - expected)
    others = replace(others, asked=np.argsort(np.abs(now - now.mean()))[-16:])  # they vary more than all do
    noise = np.where(np.arange(len(others.asked)) % 2, 0.01, -0.01)
    for slope in (1.0, 1.5, 2.0, 3.0):
        hope = hope_for(position, incumbent, replace(others, best=slope * now[others.asked] + 0.3))
        assert np.isclose(hope.worth, slope * now.std(ddof=2))
        assert np.isclose(hope.wage, 0, atol=1e-9)
        hope = hope_for(position, incumbent, replace(others, best=slope * now[others.asked] + noise))
        assert 0 < hope.wage <= 0.01
    hope = hope_for(position, incumbent, replace(others, best=0.5 * now[others.asked]))
    assert hope.worth >= now.std()
    two = replace(others, asked=others.asked[:2], best=now[others.asked[:2]] + np.array([0.0, 0.4]))
    steepest = 1 + 0.2 / now.std()  # however close they are
    assert hope_for(position, incumbent, two).worth <= steepest * now.std(ddof=2) + 1e-12
    told = np.broadcast_to(position.ensemble.information[:1], position.ensemble.information.shape)
    position.ensemble.information = told.copy()
    hope = hope_for(position, incumbent, others)
    assert np.isclose(hope.worth, 0, atol=1e-9)
    assert np.isfinite(hope.wage)


def test_the_chance_to_be_better_is_that_of_the_kinds():
    """Each kind of world by its own mean and spread, with its chance; only worlds that can induce the effort count."""
    two = np.array([0.8, 0.2])
    hope = hopes.Hope(two, np.array([0.0, 0.3]), np.array([0.1, 0.3]), 0.0, 1.0)
    assert hope.better == pytest.approx(0.8 * 0.5 + 0.2 * 0.8413447460685429)
    assert replace(hope, inducible=0.5).better == pytest.approx(hope.better / 2)
    sure = replace(hope, lead=np.array([-0.1, 0.1]), worth=np.zeros(2))
    assert sure.better == pytest.approx(0.2)
    assert replace(sure, wage=1e9).better == pytest.approx(0.5)
