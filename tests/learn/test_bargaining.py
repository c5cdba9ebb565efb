"""Bargaining: what is looked for, and what is left alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import scorewright as sw
from playing import after
from scorewright.learn import bargaining
from scorewright.learn.bargaining import decide
from scorewright.learn.hopes import hope_for
from scorewright.learn.options import boundary
from scorewright.learn.prospects import Incumbent, candidates
from scorewright.learn.worlds import seen_efforts


def test_an_effort_seen_too_little_is_asked_again():
    """Few unlucky reports of what was the best effort do not end it: with time to come its reports are bought."""
    _, position = after(sw.families.random(rng=2), 300)
    incumbent = Incumbent.of(position)
    seen = seen_efforts(position.counts)
    rivals = [effort for effort in incumbent.by_effort if effort != incumbent.effort]
    for effort in rivals:
        others = candidates(position, incumbent, effort, seen)
        assert others is not None
        hope = hope_for(position, incumbent, others)
        assert (hope.lead < 0.1).all()
        assert (hope.worth > 0).all()
        soon, late = (
            bargaining._insure(replace(position, horizon=end), incumbent, others, hope)
            for end in (position.round, 10**30)
        )
        assert not soon
        assert late
        assert late[0][1].target == effort
        assert late[0][0] > 0


def test_insurance_ends_where_the_boundary_does():
    """A lead as many standard errors below zero as Lai's boundary allows is insured, by a tenth of the reports."""
    _, position = after(sw.families.random(rng=2), 300)
    incumbent = Incumbent.of(position)
    effort = next(effort for effort in incumbent.by_effort if effort != incumbent.effort)
    others = candidates(position, incumbent, effort, seen_efforts(position.counts))
    assert others is not None
    hope = hope_for(position, incumbent, others)
    counts = position.counts.copy()
    for seen in (4, 57):
        counts[effort] = np.eye(counts.shape[1])[0] * seen
        then = replace(position, counts=counts, horizon=position.round + 9_999)
        for chance in (1.0, 0.3):  # of the kind of world that is in doubt; the other is sure
            limit = boundary(chance * 10_000 / seen)
            within, beyond = (
                replace(
                    hope,
                    chance=np.array([1 - chance, chance]),
                    lead=np.array([-1.0, -0.1 * limit * times]),
                    worth=np.array([0.0, 0.1]),
                )
                for times in (0.999, 1.001)
            )
            ((promise, move),) = bargaining._insure(then, incumbent, others, within)
            assert promise == pytest.approx(0.1 * limit * 0.001 * 10_000)
            assert (move.phase, move.target, move.repeats) == ("explore", effort, max(1, seen // 10))
            assert (move.payments == position.payments[incumbent.by_effort[effort]]).all()
            assert not bargaining._insure(then, incumbent, others, beyond)


def test_an_effort_that_looks_poor_and_dear_at_first_is_taken_up():
    """Its first reports hide a belief that makes it both worth more and easy to pay for; another effort loses 0.29."""
    number, seed = list(sw.families.CHALLENGES).index("tied"), 54
    game = sw.families.CHALLENGES["tied"](np.random.default_rng([2026, number, seed]))
    learner = sw.learn.Haggler(game.setting, sw.oracles.best_margin(game), rng=seed)
    regret = sw.simulate(game, learner, 400, rng=[2027, number, seed]).regret
    assert regret[-1] - regret[199] < 5
    assert learner.recommend().effort == sw.solve(game).effort


def test_moves_pay_for_themselves():
    """A probe's words say what it may gain; none is made in the last round of a known horizon."""
    game = sw.families.make("three_efforts")
    _, position = after(game, 50)
    last = replace(position, horizon=position.round)
    assert decide(last).phase == "exploit"
