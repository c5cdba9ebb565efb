"""Worlds: a sample that agrees with every answer, and has the right distribution where that can be computed."""

from __future__ import annotations

import math

import numpy as np
import pytest

import scorewright as sw
from playing import random_game
from scorewright.kernel import Worlds

COUNT = 96


def made(game: sw.Game, seed: int = 1, priors=(1.0,)) -> Worlds:
    """Worlds for a game, all efforts known."""
    terms = game.setting.terms
    worlds = Worlds(terms.beliefs, terms.lowest, terms.bound, COUNT, np.array(priors), seed)
    worlds.grow(len(game.costs))
    return worlds


def refit(worlds: Worlds, counts: np.ndarray, sweeps: int, strides: int) -> int:
    """Move the worlds on, all with the prior 1, towards every belief and cost in turn."""
    efforts, beliefs = counts.shape
    ways = np.zeros((efforts * beliefs, efforts * beliefs + efforts))
    ways[:, : efforts * beliefs] = np.kron(np.eye(efforts), np.eye(beliefs) - 1 / beliefs)
    return worlds.refit(counts, np.ones((COUNT, *counts.shape)), ways[:0], ways, sweeps, strides)


def answered(game: sw.Game, worlds: Worlds, rules: int, seed: int) -> list[tuple[np.ndarray, int]]:
    """Answers of the rational agent to random rules, told to the worlds."""
    found = []
    for number in range(rules):
        rule = sw.rules.sample(game.beliefs, game.bound, rng=[seed, number])
        found.append((rule.expected, game.respond(rule)))
        worlds.answer(*found[-1])
    return found


@pytest.mark.parametrize("seed", range(12))
def test_worlds_agree_with_every_answer(seed):
    """In each world the effort that answered is a best response; rows are distributions."""
    game = random_game(seed, most=12)
    worlds = made(game, seed)
    answers = answered(game, worlds, 8, seed)
    counts = np.random.default_rng(seed).multinomial(20, game.information / game.information.sum(axis=1)[:, None])
    worlds.place(game.information + 1e-9, game.costs - game.costs[0])
    assert refit(worlds, counts.astype(float), 10, 5) == COUNT
    information, costs, _, _ = worlds.read()
    assert np.allclose(information.sum(axis=2), 1, atol=1e-6)
    assert (information >= 0).all()
    assert np.ptp(information, axis=0).max() > 1e-3
    for expected, effort in answers:
        gains = information @ expected - costs
        assert (gains[:, effort] >= gains.max(axis=1) - 1e-6).all()


def test_a_worlds_answer_that_none_agrees_with_is_said():
    """No world agrees: nothing moves, and the count is zero."""
    game = sw.families.make("three_efforts")
    worlds = made(game)
    worlds.place(game.information + 1e-9, game.costs)
    worlds.answer(np.zeros(5), 2)
    before = worlds.read()[0]
    assert refit(worlds, np.zeros((3, 5)), 10, 5) == 0
    assert np.array_equal(worlds.read()[0], before)


def test_without_answers_information_is_dirichlet():
    """Mean and variance of each belief's probability, over many refits, are those of the Dirichlet distribution."""
    game = sw.families.make("three_efforts")
    worlds = made(game, 3)
    counts = np.array([[9.0, 0, 0, 0, 0], [0, 5, 4, 0, 0], [0, 0, 0, 2, 1]])
    seen = []
    for _ in range(60):
        refit(worlds, counts, 3, 3)
        seen.append(worlds.read()[0])
    drawn, shape = np.concatenate(seen), counts + 1.0
    total = shape.sum(axis=1, keepdims=True)
    mean = shape / total
    assert np.abs(drawn.mean(axis=0) - mean).max() < 0.01
    assert np.abs(drawn.var(axis=0) - mean * (1 - mean) / (total + 1)).max() < 0.003


def test_two_answers_cut_the_cost_gap():
    """With the information given: it is uniform in every other world, and its logarithm is in the rest."""
    game = sw.families.make("three_efforts")
    worlds = made(game, 4)
    worlds.place(game.information, np.zeros(3), given=True)
    low, high = (scale * sw.rules.quadratic(game.beliefs, 1.0).expected for scale in (0.2, 0.9))
    for expected in (low, high):
        worlds.answer(expected, 0 if expected is low else 1)
    worlds.place(
        game.information, np.array([0.0, (game.information[1] - game.information[0]) @ high - 1e-3, 0.9]), given=True
    )
    gaps = []
    for _ in range(60):
        assert refit(worlds, np.zeros((3, 5)), 4, 0) > 0
        gaps.append(worlds.read()[1][:, 1])
    least, most = ((game.information[1] - game.information[0]) @ expected for expected in (low, high))
    drawn = np.array(gaps)
    assert drawn.min() >= least - 1e-9
    assert drawn.max() <= most + 1e-9
    for gap, low, high in (
        (drawn[:, ::2], least, most),
        (np.log(drawn[:, 1::2] + 1e-4), math.log(least + 1e-4), math.log(most + 1e-4)),
    ):
        assert np.quantile((gap - low) / (high - low), [0.25, 0.5, 0.75]) == pytest.approx([0.25, 0.5, 0.75], abs=0.05)


def test_worlds_go_on_from_where_they_were():
    """Read, written into new ones, they move on to the same digits."""
    game = sw.families.make("three_efforts")
    one, two = made(game, 5), made(game, 6)
    for worlds in (one, two):
        answered(game, worlds, 3, 1)
    one.place(game.information + 1e-9, game.costs)
    counts = np.ones((3, 5))
    refit(one, counts, 5, 5)
    two.write(*one.read())
    for worlds in (one, two):
        refit(worlds, counts, 5, 5)
    assert all(np.array_equal(a, b) for a, b in zip(one.read(), two.read(), strict=True))


@pytest.mark.parametrize("count", [0, 1, 7])
def test_what_rules_pay_is_their_mean_over_reports(count):
    """By effort, world and rule."""
    game = random_game(3, most=12)
    worlds = made(game, 3)
    refit(worlds, np.round(10 * game.information), 5, 5)
    expected = np.random.default_rng(0).random((count, len(game.beliefs)))
    information = worlds.read()[0]
    assert np.allclose(worlds.paid(expected), np.einsum("pkm,nm->kpn", information, expected), rtol=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_sifted_worlds_agree_with_the_new_answers(seed):
    """Those that break one give way to copies of others of their kind; if all of a kind do, none of it moves."""
    game = random_game(seed, most=12)
    worlds = made(game, seed)
    counts = np.round(10 * game.information)
    refit(worlds, counts, 10, 5)
    before, costs, _, _ = worlds.read()
    (expected, effort), *_ = answered(game, worlds, 1, seed)
    gains = before @ expected - costs
    sound = gains[:, effort] >= gains.max(axis=1) - 1e-7 * game.bound
    kinds = np.arange(len(sound)) % 3 == 0
    assert (worlds.sift(0, kinds) == sound).all()
    after, costs, _, _ = worlds.read()
    assert (after[sound] == before[sound]).all()
    gains = after @ expected - costs
    agrees = gains[:, effort] >= gains.max(axis=1) - 1e-6 * game.bound
    for mine in (kinds, ~kinds):
        if not (sound & mine).any():
            assert (after[mine] == before[mine]).all()
            continue
        assert agrees[mine].all()
        origins = before[sound & mine]
        assert all((world == origins).all(axis=(1, 2)).any() for world in after[mine])
    assert worlds.sift(1, kinds).all()


def test_cheapest_rules_are_those_of_the_known_game():
    """In the true world the cheapest rule for each effort costs what `solve` says, at a margin too."""
    for seed in range(6):
        game = random_game(seed, most=12)
        worlds = made(game)
        worlds.place(game.information, game.costs - game.costs[0])
        refit(worlds, np.zeros_like(game.information), 0, 0)
        worlds.place(game.information, game.costs - game.costs[0])
        everyone = np.ones(len(game.costs), dtype=bool)
        for margin in (0.0, 0.003):
            solution = sw.solve(game, margin=margin)
            for effort, best in enumerate(solution.by_effort):
                found = worlds.cheapest(0, effort, everyone, margin)
                assert (found is None) == (best is None)
                if found is not None and best is not None:
                    assert found[1] == pytest.approx(best.payment, abs=1e-7)
                    assert sw.Rule(found[0], game.beliefs).is_proper()


def test_an_erring_agents_noise_is_found():
    """From many answers to rules around the threshold, the temperature comes out near the true one."""
    game = sw.families.make("three_efforts")
    worlds = made(game, 7)
    rng = np.random.default_rng(0)
    weights = []
    for scale in np.linspace(0.1, 0.9, 25):
        expected = scale * sw.rules.quadratic(game.beliefs, 1.0).expected
        gains = (game.information @ expected - game.costs) / 0.02
        chances = np.exp(gains - gains.max())
        worlds.answer(expected, int(np.argmax(gains)))
        weights.append(rng.multinomial(200, chances / chances.sum()).astype(float))
    worlds.place(game.information + 1e-9, game.costs)
    counts = 1000 * game.information
    for _ in range(8):
        worlds.refit_noisy(counts, np.ones((COUNT, 3, 5)), np.array(weights), 5)
    error, temperature = np.median(worlds.read()[2], axis=1)
    assert 0.014 < temperature < 0.028
    assert error < 0.02


@pytest.mark.parametrize("states", [2, 3])
@pytest.mark.parametrize("steps", [True, False])
def test_where_effort_does_not_move_the_state_mean_beliefs_are_together(states, steps):
    """The Dirichlet posterior times a normal density of how far mean beliefs are apart, by importance sampling.

    Whether worlds are given steps to take or have only their own.
    """
    game, rng = sw.families.random(rng=5, efforts=2, states=states, observations=3), np.random.default_rng(0)
    counts, each = np.array([[30.0, 5, 2, 1, 1, 0], [0, 1, 1, 2, 9, 20]]), np.array([0.08, 0.03])
    draws = np.array([rng.dirichlet(row + 1, size=400_000) for row in counts]).transpose(1, 0, 2)
    means = draws @ game.beliefs
    apart = (means - np.einsum("k,nkw->nw", each**-2 / (each**-2).sum(), means)[:, None, :]) / each[:, None]
    weights = np.exp(-(apart**2).sum(axis=(1, 2)) / 2)
    assert weights.sum() ** 2 / (weights**2).sum() > 10_000
    expected = np.einsum("n,nkm->km", weights / weights.sum(), draws)
    assert np.abs(expected - (counts + 1) / (counts + 1).sum(axis=1, keepdims=True)).max() > 0.04
    worlds, half = made(game), np.arange(COUNT) < COUNT // 2
    ways = np.zeros((12 if steps else 0, 14))
    ways[:, :12] = np.kron(np.eye(2), np.eye(6) - 1 / 6)[: len(ways)]
    worlds.place(np.full((2, 6), 1 / 6), np.zeros(2), which=half)
    before = worlds.read()[0][~half]
    kept = []
    for _ in range(150):
        worlds.refit(counts, np.ones((COUNT, 2, 6)), ways[:0], ways, 4, len(ways), which=half, within=each)
        kept.append(worlds.read()[0][half])
    assert (worlds.read()[0][~half] == before).all()
    assert np.abs(np.concatenate(kept[30:]).mean(axis=0) - expected).max() < 0.01


def test_mean_beliefs_stay_together_where_there_are_fewer_beliefs_than_states():
    """Beliefs on a line: what leaves the mean as it is moves, also for an effort that was never seen."""
    beliefs = np.array([[0.1, 0.1, 0.8], [0.2, 0.2, 0.6], [0.4, 0.4, 0.2]])
    worlds = Worlds(beliefs, np.zeros((3, 3)), 1.0, COUNT, np.ones(1), 1)
    worlds.grow(2)
    worlds.place(np.array([[0.3, 0.4, 0.3], [0.3, 0.4, 0.3]]), np.zeros(2))
    counts, ways = np.array([[0, 300.0, 0], [0, 0, 0]]), np.zeros((0, 8))
    for _ in range(20):
        worlds.refit(counts, np.ones((COUNT, 2, 3)), ways, ways, 2, 0, within=np.array([0.002, 0.03]))
    information = worlds.read()[0]
    assert information[:, 1].std(axis=0).min() > 0.05
    assert np.ptp(information @ beliefs, axis=1).max() < 0.2


def test_arrays_of_other_sizes_are_refused():
    """The kernel would read beyond them."""
    worlds, ways = made(sw.families.make("three_efforts")), np.zeros((0, 18))
    with pytest.raises(ValueError, match="priors"):
        worlds.refit(np.ones((3, 5)), np.ones((COUNT, 3)), ways, ways, 1, 1)
    with pytest.raises(ValueError, match="reports"):
        worlds.refit_noisy(np.ones((2, 5)), np.ones((COUNT, 3, 5)), np.zeros((0, 3)), 1)


def test_worlds_with_mean_beliefs_apart_are_not_sound_where_they_must_be_together():
    """They give way to copies; if none is together, nothing moves."""
    game = sw.families.make("three_efforts")
    worlds, counts = made(game), np.ones((3, 5))
    ways = np.zeros((0, 18))
    worlds.place(np.eye(3, 5) * 0.96 + 0.01 - 0.01 * np.eye(3, 5), np.zeros(3))
    together = {"within": np.full(3, 1e-3)}
    assert worlds.refit(counts, np.ones((COUNT, 3, 5)), ways, ways, 1, 1, **together) == 0
    one = np.arange(COUNT) == 5
    worlds.place(np.full((3, 5), 0.2), np.zeros(3), which=one)
    assert worlds.refit(counts, np.ones((COUNT, 3, 5)), ways, ways, 1, 1, **together) == 1
    means = worlds.read()[0] @ game.beliefs
    assert np.ptp(means, axis=1).max() < 0.02
