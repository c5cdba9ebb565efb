"""Opt-LP in the kernel against HiGHS, deep into runs that the audit is too slow for."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import scorewright as sw
from playing import play, random_game
from scorewright.learn.opt_lp import opt_lp
from scorewright.rules import Polytope


def check(learner, game) -> int:
    """Compare every index of the next optimise round with HiGHS's; how many programs were not the zero rule's."""
    while (offer := learner.ask()).phase != "optimise":
        effort = game.respond(offer.rule)
        learner.tell(offer, effort, int(np.argmax(game.information[effort])))
    now, unit = learner.estimates(), game.bound or 1.0
    polytope = Polytope(game.beliefs, game.setting.terms.lowest / unit, game.bound / unit)
    top, hard = float(np.abs(game.utility).max()), 0
    for k, rule in enumerate(learner.oracle):
        if rule is None:
            assert offer.index[k] == -np.inf
            continue
        relaxed = now.cost_gap[k] - now.cost_radius[k] - game.bound * now.radius
        relaxed[k] = -np.inf
        room = game.bound * now.radius[k]
        hard += relaxed.max() > room
        found = opt_lp(polytope, k, room, now.information, relaxed, game.bound)
        gain = now.information[k] @ game.value
        if found is None:
            expected = gain - now.information[k] @ rule.expected + (game.bound + top) * now.radius[k]
        else:
            expected = gain + top * now.radius[k] - found[1]
        assert offer.index[k] == pytest.approx(expected, abs=1e-8 * max(1.0, game.bound, top))
    assert offer.rule.is_proper()
    assert offer.rule.within(game.bound, game.penalty)
    return hard


@pytest.mark.parametrize("number", range(24))
def test_indices_are_those_of_highs(number):
    """At several times of one run, warm starts, forgotten rules and all."""
    game = random_game(number, most=16)
    scale = (0.1, 0.03, 0.005, 0.001)[number % 4]
    learner = sw.learn.OsrlUcb(game.setting, sw.oracles.best_margin(game), radius=sw.learn.Radius(scale))
    for part, rounds in enumerate((30, 300, 3000, 30_000)):
        check(learner, game)
        learner.tell(learner.ask(), 0, int(np.argmax(game.information[0])))
        sw.simulate(game, learner, rounds, rng=part, record="thin")
    check(learner, game)
    assert learner.programs["handed"] == 0


def test_programs_that_are_not_trivial_are_among_them():
    """The test above would be empty without them."""
    hard = 0
    for number in range(8):
        game = random_game(number, most=16)
        learner = sw.learn.OsrlUcb(game.setting, sw.oracles.best_margin(game), radius=sw.learn.Radius(0.0005))
        sw.simulate(game, learner, 3000, rng=0)
        hard += check(learner, game)
    assert hard > 8


@pytest.mark.parametrize("bound", [1e-3, 40.0, 1e6])
def test_at_any_bound(bound):
    """Costs, bound and utility in another currency: the same run."""
    game = sw.families.make("three_efforts")
    other = dataclasses.replace(game, bound=bound, costs=game.costs * bound, utility=game.utility * bound)
    rules = sw.oracles.best_margin(game)
    run = sw.simulate(game, sw.learn.OsrlUcb(game.setting, rules, radius=sw.learn.Radius(0.01)), 2000, rng=0)
    dear = [rule.scaled(bound) for rule in rules]
    again = sw.simulate(other, sw.learn.OsrlUcb(other.setting, dear, radius=sw.learn.Radius(0.01)), 2000, rng=0)
    assert np.mean(run.effort == again.effort) > 0.95  # ties within rounding may fall elsewhere
    assert again.regret[-1] == pytest.approx(bound * run.regret[-1], rel=0.1)


def test_penalties_and_shared_supports():
    """The hard instance, whose rules may fine, and a game of forty shared beliefs over five states."""
    hard = sw.families.make("hard_instance", width=0.5)
    learner = sw.learn.OsrlUcb(hard.setting, sw.oracles.best_margin(hard), radius=sw.learn.Radius(0.001))
    for part in range(5):
        sw.simulate(hard, learner, 300, rng=part)
        check(learner, hard)
    large = sw.families.random(rng=5, efforts=8, states=5, observations=40, support="shared")
    learner = sw.learn.OsrlUcb(large.setting, sw.oracles.best_margin(large), radius=sw.learn.Radius(0.005))
    sw.simulate(large, learner, 20, rng=0)
    assert check(learner, large) > 0


def test_a_feasible_program_at_a_very_high_price_is_not_decided_here():
    """Two beliefs 1e-8 apart: to make up for a gap of 6e-12 takes a payment of 3e-4; not safe, so it is handed."""
    apart = 1e-8
    beliefs = np.array([[0.5, 0.5], [0.5 + apart, 0.5 - apart]])
    setting = sw.Setting(sw.Terms(beliefs, 1.0), np.eye(2))
    small = 6e-12 / apart
    rules = [sw.Rule([[0, small], [small, 0]], beliefs), sw.Rule([[0, 1.0], [1.0, 0]], beliefs)]
    learner = sw.learn.OsrlUcb(setting, rules, radius=sw.learn.Radius(0.0))
    learner.tell(learner.ask(), 0, 0)
    learner.tell(learner.ask(), 1, 1)
    offer = learner.ask()
    now = learner.estimates()
    assert now.information[1] @ setting.value - offer.index[1] == pytest.approx(3e-4, rel=0.01)
    assert learner.programs["handed"] == 1


def test_where_the_kernel_gives_up_highs_goes_on():
    """A kernel that never decides hands every program over, counts it, and the run stays OSRL-UCB."""
    game = sw.families.make("three_efforts")
    rules, radius = sw.oracles.best_margin(game), sw.learn.Radius(0.01)
    learner = sw.learn.OsrlUcb(game.setting, rules, radius=radius)
    learner.memory.leave_to_highs()
    history = play(game, learner, 150, 0)
    assert learner.programs["handed"] == learner.programs["nonzero"] + learner.programs["infeasible"] > 30
    assert sw.learn.audit(game.setting, rules, history, radius=radius).passed
    sw.simulate(game, learner, 50, rng=0)
    check(learner, game)


def test_a_solver_that_raises_stops_the_run_in_words(monkeypatch):
    """What HiGHS's side raises comes out of the compiled loop, and the learner can go on afterwards."""
    game = sw.families.make("three_efforts")
    learner = sw.learn.OsrlUcb(game.setting, sw.oracles.best_margin(game), radius=sw.learn.Radius(0.01))
    learner.memory.leave_to_highs()
    with monkeypatch.context() as patch:
        patch.setattr("scorewright.learn.osrl_ucb.opt_lp", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            sw.simulate(game, learner, 300, rng=0)
    run = sw.simulate(game, learner, 20, rng=1)
    assert len(run.effort) == 20
