"""One suite for every learner: the protocol, as the base class states it."""

from __future__ import annotations

import copy
import dataclasses
import json

import numpy as np
import pytest

import scorewright as sw
from playing import play
from scorewright.errors import AnswerError, InvalidInputError, NothingLearnedError, ScorewrightError

GAME = sw.families.make("three_efforts")
ORACLE = sw.oracles.best_margin(GAME)

LEARNERS = {
    "haggler": lambda setting: sw.learn.Haggler(setting, rng=1),
    "haggler, oracle": lambda setting: sw.learn.Haggler(setting, ORACLE, horizon=500, rng=2),
    "informed": lambda setting: sw.learn.Informed(setting, GAME, ORACLE, rng=3),
    "osrl-ucb": lambda setting: sw.learn.OsrlUcb(setting, ORACLE, radius=sw.learn.Radius(0.03)),
    "osrl-ucb, random sampling": lambda setting: sw.learn.OsrlUcb(
        setting, sw.oracles.RandomSampling(rounds=60), radius=sw.learn.Radius(0.005), rng=3
    ),
    "osrl-ucb, linear search": lambda setting: sw.learn.OsrlUcb(setting, sw.oracles.LinearSearch(rounds=20)),
    "fixed-rule": lambda setting: sw.learn.FixedRule(setting, ORACLE[1], target=1),
    "clairvoyant": lambda setting: sw.learn.Clairvoyant(setting, GAME),
    "oracle-bandit": lambda setting: sw.learn.OracleBandit(setting, ORACLE),
    "scaled-quadratic": lambda setting: sw.learn.ScaledQuadratic(setting, scales=5),
    "explore-then-commit": lambda setting: sw.learn.ExploreThenCommit(setting, ORACLE, rounds=10),
}


@pytest.fixture(params=LEARNERS, ids=str)
def make(request):
    """Return a maker of fresh learners."""
    return LEARNERS[request.param]


def same_offer(one, two) -> bool:
    """Whether two offers are the same to the last bit."""
    index = (one.index is None) == (two.index is None) and (one.index is None or np.array_equal(one.index, two.index))
    parts = ("number", "rule", "target", "phase", "why")
    return index and all(getattr(one, part) == getattr(two, part) for part in parts)


def test_it_refuses_to_see_the_game(make):
    """Costs and information are the agent's; the error says what to give instead."""
    with pytest.raises(InvalidInputError, match=r"game\.setting"):
        make(GAME)


def test_ask_is_idempotent(make):
    """The open offer stays open, and the same, until it is told."""
    learner = make(GAME.setting)
    offer = learner.ask()
    assert learner.ask() is offer
    assert offer.number == 1
    learner.tell(offer, 0, 0)
    assert learner.ask().number == 2


def test_offers_are_proper_and_payable(make):
    """Whatever it offers can be paid, and the truth pays best."""
    for offer, _, _ in play(GAME, make(GAME.setting), 200, seed=0):
        assert offer.rule.is_proper()
        assert offer.rule.within(GAME.bound)
        assert offer.why
        assert offer.target is None or offer.target >= 0


def test_telling_again(make):
    """The same answer again does nothing; another one raises; both leave the learner as it was."""
    learner = make(GAME.setting)
    offer = learner.ask()
    learner.tell(offer, 1, 2)
    before = learner.state()
    learner.tell(offer, 1, 2)
    learner.tell(offer, "skim", [0.3, 0.7])
    assert learner.state() == before
    for effort, report in ((0, 2), (1, 3)):
        with pytest.raises(AnswerError, match="answered before"):
            learner.tell(offer, effort, report)
    assert learner.state() == before


@pytest.mark.parametrize(
    ("effort", "report"),
    [(3, 0), (-1, 0), ("stdy", 0), (None, 0), (1.5, 0), (True, 0), (0, 5), (0, -1), (0, [0.5, 0.6]), (0, "x"),
     (0, None), (0, [np.nan, 1]), (0, [1, 0, 0])],
)  # fmt: skip
def test_impossible_answers_change_nothing(make, effort, report):
    """An error, in words, and the learner as it was."""
    learner = make(GAME.setting)
    offer = learner.ask()
    before = copy.deepcopy(learner.state())
    with pytest.raises(ScorewrightError):
        learner.tell(offer, effort, report)
    assert learner.state() == before
    assert learner.ask() is offer


def test_answers_to_other_rounds(make):
    """Rounds are answered in order, and only with the offer that was made."""
    learner = make(GAME.setting)
    first = learner.ask()
    learner.tell(first, 0, 0)
    second = learner.ask()
    with pytest.raises(AnswerError, match="its rule is another one"):
        learner.tell(dataclasses.replace(second, rule=sw.Rule(np.full((5, 2), 0.123), GAME.beliefs)), 0, 0)
    learner.tell(second, 0, 0)
    before = learner.state()
    learner.tell(first, 0, 0)
    assert learner.state() == before
    with pytest.raises(AnswerError, match="answered before"):
        learner.tell(first, 1, 0)
    with pytest.raises(AnswerError, match="ask first"):
        learner.tell(dataclasses.replace(second, number=9), 0, 0)
    learner.ask()
    with pytest.raises(AnswerError, match="is open"):
        learner.tell(dataclasses.replace(second, number=9), 0, 0)
    with pytest.raises(ScorewrightError):
        learner.tell("offer", 0, 0)


def test_labels_and_distributions_count_as_numbers(make):
    """An effort by its label, a report as a distribution, on the support or off it."""
    one, two = make(GAME.setting), make(GAME.setting)
    for effort, report in ((0, 0), (1, 2), (2, 3)):
        one.tell(one.ask(), effort, report)
        two.tell(two.ask(), GAME.efforts[effort], GAME.beliefs[report])
    assert one.state() == two.state()


def test_restored_learners_go_on_bit_for_bit(make):
    """Restored at every one of 200 consecutive rounds, with the offer open or not, it repeats the uninterrupted run."""
    learner = make(GAME.setting)
    for offer, effort, report in play(GAME, make(GAME.setting), 200, seed=1):
        if offer.number % 2:
            learner.ask()
        learner = type(learner).restore(GAME.setting, json.loads(json.dumps(learner.state())))
        again = learner.ask()
        assert same_offer(again, offer)
        learner.tell(again, effort, report)


def test_osrl_ucb_is_restored_in_mid_search_too():
    """The 200 rounds of the test above have searches among them, and its targets are always numbers."""
    history = play(GAME, LEARNERS["osrl-ucb"](GAME.setting), 200, seed=1)
    assert {"oracle", "optimise", "search"} == {offer.phase for offer, _, _ in history}
    for name in LEARNERS:
        if name.startswith("osrl"):
            offers = [offer for offer, _, _ in play(GAME, LEARNERS[name](GAME.setting), 80, seed=2)]
            assert all(isinstance(offer.target, int) for offer in offers)


def test_states_are_snapshots_of_one_setting(make):
    """What was saved does not change with the learner, and does not fit another setting."""
    learner = make(GAME.setting)
    saved = learner.state()
    before = json.dumps(saved)
    play(GAME, learner, 30, seed=3)
    assert json.dumps(saved, allow_nan=False) == before
    other = dataclasses.replace(GAME, bound=2.0)
    with pytest.raises(ScorewrightError, match="another setting"):
        type(learner).restore(other.setting, saved)


def test_estimates_have_their_shapes(make):
    """At any time, before the first round too."""
    learner = make(GAME.setting)
    for _ in range(2):
        now = learner.estimates()
        assert now.information.shape == (3, 5)
        assert now.radius.shape == now.counts.shape == (3,)
        assert now.cost_gap.shape == now.cost_radius.shape == (3, 3)
        assert np.allclose(now.cost_gap, -now.cost_gap.T)
        assert np.array_equal(now.cost_radius, now.cost_radius.T)
        play(GAME, learner, 100, seed=2)


def test_recommendation(make):
    """None before the first round; later a rule that induces what it says, with an interval that holds."""
    learner = make(GAME.setting)
    with pytest.raises(NothingLearnedError, match="nothing has been learned"):
        learner.recommend()
    play(GAME, learner, 400, seed=4)
    found = learner.recommend(probability=0.9)
    assert GAME.respond(found.rule) == found.effort
    assert found.low <= GAME.profit(found.rule) <= found.high
    assert found.low <= found.profit <= found.high
    assert found.probability == 0.9
    assert found.rounds > 0
    with pytest.raises(ScorewrightError, match="probability"):
        learner.recommend(probability=1.2)


def test_the_same_seed_gives_the_same_run(make):
    """No hidden state."""
    runs = [sw.simulate(GAME, make(GAME.setting), 150, rng=5) for _ in range(2)]
    assert np.array_equal(runs[0].regret, runs[1].regret)
    assert np.array_equal(runs[0].payment, runs[1].payment)
