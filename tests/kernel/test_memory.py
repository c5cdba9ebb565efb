"""The kernel's memory: what it recalls, how it grows, what it refuses."""

from __future__ import annotations

import contextlib
import copy
import json
import pickle

import numpy as np
import pytest

import scorewright as sw
from playing import play
from scorewright.errors import AnswerError, DocumentError
from scorewright.kernel import Memory

GAME = sw.families.make("three_efforts")
ORACLE = sw.oracles.best_margin(GAME)


def learned(rounds: int = 300) -> sw.learn.OsrlUcb:
    """A learner after some rounds, with real programs behind it."""
    learner = sw.learn.OsrlUcb(GAME.setting, ORACLE, radius=sw.learn.Radius(0.01))
    sw.simulate(GAME, learner, rounds, rng=0)
    return learner


def test_the_last_thousand_answers_are_recalled():
    """Those may be told again; older ones are gone, and the learner says so."""
    learner = learned(20)
    offer = learner.ask()
    learner.tell(offer, 0, 0)
    sw.simulate(GAME, learner, 1000, rng=1)
    learner.tell(offer, 0, 0)
    with pytest.raises(AnswerError, match="answered before"):
        learner.tell(offer, 1, 1)
    sw.simulate(GAME, learner, 100, rng=1)
    with pytest.raises(AnswerError, match="too long ago"):
        learner.tell(offer, 0, 0)


def test_copies_go_on_alike():
    """By copy, by pickle, by JSON, with an offer open or not, after thousands of rounds."""
    learner = learned(5000)
    for _ in range(2):
        copies = [
            copy.deepcopy(learner),
            pickle.loads(pickle.dumps(learner)),
            sw.learn.OsrlUcb.restore(GAME.setting, json.loads(json.dumps(learner.state(), allow_nan=False))),
        ]
        runs = [sw.simulate(GAME, each, 3000, rng=2) for each in [copy.deepcopy(learner), *copies]]
        assert all(np.array_equal(runs[0].regret, run.regret) for run in runs)
        assert all(copies[0].state() == each.state() for each in copies)
        learner.ask()


def test_states_of_long_runs_are_short():
    """What is kept does not grow with time, and neither does the state."""
    assert len(json.dumps(learned(200_000).state())) < 300_000


@pytest.mark.parametrize("part", ["numbers", "integers"])
def test_damaged_states_are_refused(part):
    """Too short, too long, or with numbers out of their range: an error, never a crash."""
    state = learned().state()
    rng = np.random.default_rng(0)
    for damage in ("short", "long", *range(200)):
        broken = copy.deepcopy(state)
        values = broken["learned"]["memory"][part]
        if damage == "short":
            values.pop()
        elif damage == "long":
            values.append(0)
        else:
            place = int(rng.integers(len(values)))
            values[place] = (
                int(rng.choice([-7, 2**31 - 1, 2**40, 10**9])) if part == "integers" else float(rng.normal())
            )
        if damage in ("short", "long"):
            with pytest.raises(DocumentError, match="saved by this version"):
                sw.learn.OsrlUcb.restore(GAME.setting, broken)
            continue
        with contextlib.suppress(DocumentError):
            play(GAME, sw.learn.OsrlUcb.restore(GAME.setting, broken), 5, 0)


def test_rules_are_numbered_once():
    """The same payments have the same number; nothing is number 0."""
    memory = Memory(2, GAME.beliefs, GAME.setting.terms.lowest, 1.0, GAME.value, 1.0)
    one = memory.rule(ORACLE[1].payments)
    assert memory.rule(ORACLE[1].payments.copy()) == one
    assert memory.rule(ORACLE[2].payments) != one
    assert np.array_equal(memory.payments(one), ORACLE[1].payments)
    assert not memory.payments(0).any()
    memory.grow(5)
    assert memory.tally("efforts") == 5
    assert memory.counts.shape == (5, 5)
