"""The kernel's memory: what it recalls, how it grows, what it refuses."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import gc
import json
import pickle
import signal
import weakref

import numpy as np
import pytest

import scorewright as sw
from playing import play
from scorewright.errors import AnswerError, DocumentError, InvalidInputError
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
                int(rng.choice([-7, -1, 0, 1, 2, 2**31 - 1, 2**40, 10**9]))
                if part == "integers"
                else float(rng.normal())
            )
        if damage in ("short", "long"):
            with pytest.raises(DocumentError, match="saved by this version"):
                sw.learn.OsrlUcb.restore(GAME.setting, broken)
            continue
        with contextlib.suppress(DocumentError):  # or numbers that are wrong but possible
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


def test_efforts_are_discovered_after_many_rules():
    """Growing keeps what is known of every rule, however many there are."""
    bare = dataclasses.replace(GAME.setting, terms=dataclasses.replace(GAME.setting.terms, efforts=None))
    for before in (0, 5, 15, 16, 17, 40, 100):
        learner = sw.learn.OsrlUcb(bare, sw.oracles.RandomSampling(rounds=5000), rng=0)
        for _ in range(before):
            learner.tell(learner.ask(), 0, 0)
        for effort in (1, 2, 3, 4, 5, 0, 1):
            learner.tell(learner.ask(), effort, 0)
        assert learner.estimates().counts.tolist() == [before + 1, 2, 1, 1, 1, 1]
        again = sw.learn.OsrlUcb.restore(bare, learner.state())
        assert again.state() == learner.state()


def test_a_rule_that_pays_nothing_is_number_zero_after_a_restore_too():
    """So that states stay equal."""
    one = sw.learn.FixedRule(GAME.setting, ORACLE[1].scaled(0.0))
    two = sw.learn.FixedRule.restore(GAME.setting, one.state())
    play(GAME, one, 5, 0)
    play(GAME, two, 5, 0)
    assert one.state() == two.state()


@pytest.mark.parametrize(
    ("kind", "value", "said"),
    [
        ("radius", np.nan, "0 or more each"),
        ("radius", -0.5, "0 or more each"),
        ("mixing", 2.0, "between 0 and 1"),
        ("mixing", np.nan, "between 0 and 1"),
        ("stop", -1.0, "0 or more"),
    ],
)
def test_strategies_of_ones_own_are_checked(kind, value, said):
    """What they return is said, and the learner stays as it was."""
    base = {"radius": sw.learn.Radius, "mixing": sw.learn.Mixing, "stop": sw.learn.Stop}[kind]

    class Wrong(base):
        def __call__(self, *facts):
            return np.full(facts[1], value) if kind == "radius" else value

    options = {"radius": sw.learn.Radius(0.03)} | {kind: Wrong()}
    learner = sw.learn.OsrlUcb(GAME.setting, ORACLE, **options)
    with pytest.raises(InvalidInputError, match=f"Wrong returned.*{said}"):
        sw.simulate(GAME, learner, 300, rng=0)


def test_a_stop_that_raises_changes_nothing():
    """The answer is not taken, and can be told again."""

    class Fussy(sw.learn.Stop):
        calls = 0

        def __call__(self, rival, target):
            type(self).calls += 1
            if type(self).calls == 5:
                raise ZeroDivisionError
            return super().__call__(rival, target)

    learner = sw.learn.OsrlUcb(GAME.setting, ORACLE, radius=sw.learn.Radius(0.03), stop=Fussy())
    rng = np.random.default_rng(0)
    for _ in range(400):
        offer = learner.ask()
        effort = GAME.respond(offer.rule)
        report = int(rng.choice(5, p=GAME.information[effort]))
        counts = learner.estimates().counts
        try:
            learner.tell(offer, effort, report)
        except ZeroDivisionError:
            break
    assert np.array_equal(learner.estimates().counts, counts)
    assert learner.ask() is offer
    learner.tell(offer, effort, report)
    assert learner.ask().number == offer.number + 1


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # ctypes says that it kept one to itself
def test_ctrl_c_is_not_lost():
    """However it falls between C and Python, it comes out; and the learner counts its rounds right."""
    pressed = 0

    def press(*of):
        nonlocal pressed
        pressed += 1
        signal.default_int_handler(*of)

    class Own(sw.learn.Radius):
        def __call__(self, *facts):
            return super().__call__(*facts)

    gc.disable()  # other people's hooks on the collector (hypothesis has one) would swallow an interrupt within them
    before = signal.signal(signal.SIGALRM, press)
    try:
        for radius in (sw.learn.Radius(), Own()):
            for delay in (0.05, 0.11, 0.2):
                learner, pressed = sw.learn.OsrlUcb(GAME.setting, ORACLE, radius=radius), 0
                signal.setitimer(signal.ITIMER_REAL, delay, 30)  # again after 30 s, so that a loss is no hang
                with pytest.raises(KeyboardInterrupt):
                    sw.simulate(GAME, learner, 10**9, rng=0, record="thin")
                signal.setitimer(signal.ITIMER_REAL, 0)
                assert pressed == 1
                assert learner.estimates().counts.sum() == learner.ask().number - 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        gc.enable()


def test_learners_go_when_they_are_no_longer_needed():
    """No cycle keeps the kernel's memory alive."""
    learner = learned(50)
    memory = weakref.ref(learner.memory)
    gc.disable()
    try:
        del learner
        assert memory() is None
    finally:
        gc.enable()
