"""Game: the model, who sees what, and play."""

from __future__ import annotations

import copy
import dataclasses
import pickle

import numpy as np
import pytest
from hypothesis import given

import scorewright as sw
from scorewright.errors import ImproperRuleWarning, MismatchError, UnknownNameError
from strategies import games


def test_value_worth_and_prior_by_hand(three):
    """u(sigma) = max_a <sigma, u(a, .)>, worth = q . u, prior = q . sigma."""
    assert three.value == pytest.approx([0.5, 0.7, 0.7, 0.85, 0.85])
    assert three.worth == pytest.approx([0.5, 0.7, 0.85])
    assert three.prior == pytest.approx(np.full((3, 2), 0.5))


@given(game=games())
def test_surplus_and_profit_are_their_definitions(game):
    """The paper's g and h, written out as sums."""
    rule = sw.rules.quadratic(game.beliefs, game.bound)
    efforts, beliefs, states = len(game.costs), len(game.beliefs), game.beliefs.shape[1]
    for k in range(efforts):
        paid = sum(
            game.information[k, i] * game.beliefs[i, w] * rule.payments[i, w]
            for i in range(beliefs)
            for w in range(states)
        )
        assert game.surplus(rule)[k] == pytest.approx(paid - game.costs[k])
    best = game.respond(rule)
    assert game.surplus(rule)[best] == pytest.approx(game.surplus(rule).max())
    assert game.profit(rule) == pytest.approx(game.information[best] @ (game.value - rule.expected))


def test_ties_break_in_the_principals_favour():
    """At the very payment that makes the agent indifferent it makes the effort that she prefers."""
    game = sw.Game([[0.5, 0.5], [0.9, 0.1], [0.1, 0.9]], [[1, 0, 0], [0, 0.5, 0.5]], [0, 0.2], np.eye(2), bound=1)
    rule = sw.rules.v_shaped(game.beliefs, [0.5, 0.5], 0.5)
    assert game.surplus(rule) == pytest.approx([0.25, 0.25])
    assert game.respond(rule) == 1
    assert game.respond(rule.scaled(0.999)) == 0
    dear = dataclasses.replace(game, utility=np.zeros((1, 2)))  # now she would rather not pay for looking
    assert dear.respond(rule) == 0


def test_the_tie_tolerance_is_relative_to_the_bound():
    """A billionth of the bound, or of one where the bound is smaller."""
    for bound in (1.0, 1e6):
        game = sw.Game(
            [[0.5, 0.5], [1, 0], [0, 1]], [[1, 0, 0], [0, 0.5, 0.5]], [0, 0.5 * bound], 2 * bound * np.eye(2), bound
        )
        rule = sw.rules.v_shaped(game.beliefs, [0.5, 0.5], bound)
        assert game.respond(rule.scaled(1 - 1e-10)) == 1
        assert game.respond(rule.scaled(1 - 1e-8)) == 0


def test_who_sees_what(three):
    """Terms hold nothing of the principal's, the setting nothing of the agent's."""
    terms = three.setting.terms
    assert {field.name for field in dataclasses.fields(terms)} == {"beliefs", "bound", "penalty", "efforts", "states"}
    assert not hasattr(terms, "utility")
    assert not hasattr(terms, "decisions")
    assert not hasattr(three.setting, "costs")
    assert not hasattr(three.setting, "information")
    assert three.setting.decision.tolist() == [0, 0, 1, 0, 1]


def test_games_are_values(three):
    """Equal content is equal, hashes alike, and survives copying and pickling read-only."""
    again = sw.families.make("three_efforts")
    assert again == three
    assert hash(again) == hash(three)
    assert dataclasses.replace(three, bound=2.0) != three
    for clone in (pickle.loads(pickle.dumps(three)), copy.deepcopy(three), copy.copy(three)):
        assert clone == three
        with pytest.raises(ValueError, match="read-only"):
            clone.costs[0] = 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        three.bound = 3.0
    assert repr(three) == "Game(efforts=3, beliefs=5, states=2, decisions=2, bound=1)"


def test_labels_and_numbers_name_efforts(three):
    """An effort is its number or its label; a near miss is told what was meant."""
    assert three.effort("study") == 2
    assert three.effort(np.int64(1)) == 1
    with pytest.raises(UnknownNameError, match="did you mean 'study'"):
        three.effort("studdy")


def test_an_improper_rule_warns(three):
    """Figures for a rule under which the agent would lie come with a warning that says so."""
    rule = sw.Rule(np.eye(5)[:, :2], three.beliefs)
    with pytest.warns(ImproperRuleWarning, match="reveal"):
        three.profit(rule)


def test_a_rule_over_other_beliefs_is_refused(three):
    """Only a rule over the game's own beliefs has a meaning in it."""
    with pytest.raises(MismatchError, match="differ"):
        three.respond(sw.rules.quadratic([[0.5, 0.5], [1, 0]], 1))
