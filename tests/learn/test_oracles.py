"""Oracles: computed, sampled, searched for; and what happens when one lies."""

from __future__ import annotations

import json

import numpy as np
import pytest

import scorewright as sw
from playing import decaying, play
from scorewright.errors import CannotInduceError, InvalidInputError
from scorewright.optimum.certificate import advantage

GAME = sw.families.make("three_efforts")


def test_best_margin_rules_induce_their_efforts():
    """By the widest margin there is; None where nothing does."""
    game = sw.families.random(rng=4, efforts=3, dominated=1)
    rules = sw.oracles.best_margin(game)
    assert [game.respond(rule) for rule in rules[:3]] == [0, 1, 2]
    assert rules[3] is None


@pytest.mark.parametrize("seed", range(5))
def test_random_sampling_finds_efforts_with_their_margin(seed):
    """Every accepted rule induces its effort by at least d2 kappa (reading 6)."""
    game = sw.families.random(rng=seed, efforts=2, states=2, observations=2)
    learner = sw.learn.OsrlUcb(game.setting, sw.oracles.RandomSampling(rounds=1500), rng=seed)
    kappa = learner._acquisition.kappa
    apart = game.information[:, None] - game.information[None]
    d2 = apart.max(axis=2)[~np.eye(2, dtype=bool)].min()
    history = play(game, learner, 1501, seed)
    assert all(offer.rule.is_proper() and offer.rule.within(game.bound) for offer, _, _ in history)
    assert learner.missing == ()
    for effort, rule in enumerate(learner.oracle):
        assert advantage(game, effort, rule) >= d2 * kappa - 1e-9


@pytest.mark.parametrize("seed", range(8))
def test_linear_search_finds_every_effort_within_its_promise(seed):
    """On games whose marginal gain of information decays, with epsilon and b known: all efforts, K log rounds."""
    game, epsilon, b = decaying(seed)
    learner = sw.learn.OsrlUcb(game.setting, sw.oracles.LinearSearch(rounds=10_000, epsilon=epsilon, b=b))
    rounds = 0
    while learner._acquisition is not None:
        offer = learner.ask()
        if offer.phase != "oracle":
            break
        learner.tell(offer, game.respond(offer.rule), int(np.argmax(game.information[game.respond(offer.rule)])))
        rounds += 1
    efforts = len(game.costs)
    reach = min(2 / epsilon, game.bound / game.utility.max())
    assert learner.missing == ()
    assert [game.respond(rule) for rule in learner.oracle] == list(range(efforts))
    assert rounds <= 2 + (efforts - 1) * np.ceil(np.log2(2 * reach * b * (b - epsilon) / epsilon))


def test_efforts_that_never_show_up_are_reported():
    """The learner goes on with those that it knows; with none it says so."""
    game = sw.families.random(rng=4, efforts=3, dominated=1)
    named = sw.Game(*(getattr(game, part) for part in ("beliefs", "information", "costs", "utility", "bound")),
                    efforts=("a", "b", "c", "d"))  # fmt: skip
    learner = sw.learn.OsrlUcb(named.setting, sw.oracles.RandomSampling(rounds=150), rng=1)
    play(named, learner, 200, seed=0)
    assert 3 in learner.missing
    assert learner.ask().target not in learner.missing
    broke = sw.learn.OsrlUcb(named.setting, sw.oracles.RandomSampling(rounds=1), rng=1)
    broke.tell(broke.ask(), 0, 0)
    with pytest.raises(CannotInduceError, match="without a rule for any effort"):
        broke.ask()


def test_an_oracle_that_lies():
    """Reading 13: the answer counts, the rule goes to the effort that answered if it had none, the other is dropped."""
    rules = sw.oracles.best_margin(GAME)
    swapped = [rules[0], rules[2], None]
    learner = sw.learn.OsrlUcb(GAME.setting, swapped)
    play(GAME, learner, 20, seed=0)
    assert learner.missing == (1,)
    assert learner.oracle[2] == rules[2]
    assert learner.ask().target != 1


def test_discovered_efforts():
    """Where the setting names no efforts, a new one is a discovery; where it does, an error."""
    bare = sw.Game(GAME.beliefs, GAME.information, GAME.costs, GAME.utility, 1.0)
    rules = sw.oracles.best_margin(bare)
    learner = sw.learn.OsrlUcb(bare.setting, rules[:2])
    learner.tell(learner.ask(), 0, 0)
    learner.tell(learner.ask(), 2, 3)
    assert learner.efforts == 3
    assert learner.missing == (1,)
    assert learner.oracle[2] == rules[1]
    play(bare, learner, 100, seed=0)
    labels = sw.learn.FixedRule(bare.setting, rules[1])
    for label in ("slow", "fast", "slow"):
        labels.tell(labels.ask(), label, 0)
    assert labels.estimates().counts.tolist() == [2, 1]
    mixed = sw.learn.FixedRule(bare.setting, rules[1])
    for effort in (0, 1, "study", 0):
        mixed.tell(mixed.ask(), effort, 0)
    assert mixed.estimates().counts.tolist() == [2, 1, 1]
    assert sw.learn.FixedRule(bare.setting, rules[1]).estimates().counts.tolist() == []


def test_any_generator_can_be_saved():
    """Also those whose state holds arrays."""
    for kind in (np.random.MT19937, np.random.Philox, np.random.SFC64, np.random.PCG64):
        one, two = (
            sw.learn.OsrlUcb(GAME.setting, sw.oracles.RandomSampling(rounds=40), rng=np.random.Generator(kind(3)))
            for _ in range(2)
        )
        play(GAME, one, 20, seed=0)
        restored = sw.learn.OsrlUcb.restore(GAME.setting, json.loads(json.dumps(one.state())))
        play(GAME, two, 20, seed=0)
        assert restored.ask().rule == two.ask().rule


def test_own_strategies_play_but_are_not_saved():
    """Researchers may pass objects of their own; a state that would forget them is refused."""

    class Narrow(sw.learn.Radius):
        def __call__(self, *facts):
            return 0.03 * super().__call__(*facts)

    rules = sw.oracles.best_margin(GAME)
    learner = sw.learn.OsrlUcb(GAME.setting, rules, radius=Narrow())
    history = play(GAME, learner, 60, seed=0)
    assert sw.learn.audit(GAME.setting, rules, history, radius=Narrow()).passed
    assert not sw.learn.audit(GAME.setting, rules, history).passed
    with pytest.raises(InvalidInputError, match="can be saved"):
        learner.state()


@pytest.mark.parametrize("oracle", [[], [None, None, None], [1, 2, 3], 5, "x", {"nope": None}, {0: "x"}], ids=repr)
def test_bad_oracles(oracle):
    """Said in words."""
    with pytest.raises((InvalidInputError, LookupError)):
        sw.learn.OsrlUcb(GAME.setting, oracle)
    unpayable = sw.rules.quadratic(GAME.beliefs, 2)
    with pytest.raises(InvalidInputError, match="within the bound"):
        sw.learn.OsrlUcb(GAME.setting, [unpayable] * 3)
