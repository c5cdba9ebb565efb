"""Game: what is played, with everything known."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from scorewright import document, kernel
from scorewright.errors import ImproperRuleWarning, InvalidInputError
from scorewright.game.response import best_response
from scorewright.game.setting import Setting
from scorewright.game.signals import posteriors
from scorewright.game.terms import Terms
from scorewright.rules import Rule
from scorewright.validation import Array, Numbers, expect, index, labels, nonnegative, probabilities, read_only, table
from scorewright.values import Value


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Game(Value):
    """A principal who needs to know a state, and an agent who can find out at a cost.

    Parameters
    ----------
    beliefs : (M, W) array
        The posteriors that the agent can hold.
    information : (K, M) array
        Distribution of the belief under each effort.
    costs : (K,) array
        What each effort costs the agent, at least 0.
    utility : (A, W) array
        The principal's utility by decision and state.
    bound : float
        Payments lie in [0, bound].
    penalty : float
        Largest fine in a state that the report ruled out.
    efforts, states, decisions : sequences of labels, optional

    Examples
    --------
    >>> game = Game(
    ...     beliefs=[[0.5, 0.5], [0.8, 0.2], [0.2, 0.8]],
    ...     information=[[1, 0, 0], [0, 0.5, 0.5]],
    ...     costs=[0, 0.1],
    ...     utility=[[1, 0], [0, 1]],
    ...     bound=1,
    ... )
    >>> game.value
    array([0.5, 0.8, 0.8])
    """

    beliefs: Array
    information: Array
    costs: Array
    utility: Array
    bound: float
    penalty: float
    efforts: tuple[str, ...] | None
    states: tuple[str, ...] | None
    decisions: tuple[str, ...] | None
    _setting: Setting = field(init=False, repr=False)

    def __init__(
        self,
        beliefs: Numbers,
        information: Numbers,
        costs: Numbers,
        utility: Numbers,
        bound: float,
        penalty: float = 0.0,
        efforts: Sequence[str] | None = None,
        states: Sequence[str] | None = None,
        decisions: Sequence[str] | None = None,
    ) -> None:
        chances = probabilities(information, "information", ("efforts", "beliefs"))
        prices = nonnegative(costs, "costs", ("effort",))
        if len(prices) != len(chances):
            raise InvalidInputError(
                f"costs has {len(prices)} entries but information has {len(chances)} rows: one cost per effort"
            )
        labels(efforts, "efforts", len(prices), "efforts")
        terms = Terms(beliefs, bound, penalty, efforts, states)
        if chances.shape[1] != len(terms.beliefs):
            raise InvalidInputError(
                f"information has {chances.shape[1]} columns but there are {len(terms.beliefs)} beliefs: "
                f"one column per belief"
            )
        setting = Setting(terms, utility, decisions)
        self._set(
            beliefs=terms.beliefs,
            information=chances,
            costs=prices,
            utility=setting.utility,
            bound=terms.bound,
            penalty=terms.penalty,
            efforts=terms.efforts,
            states=terms.states,
            decisions=setting.decisions,
            _setting=setting,
        )

    # -- other ways to say it ----------------------------------------------------------------------------------------

    @classmethod
    def from_signals(
        cls, joint: Numbers, *, costs: Numbers, utility: Numbers, bound: float, penalty: float = 0.0, **named: Any
    ) -> Game:
        """Return the game in which effort k shows the agent a signal about the state.

        Parameters
        ----------
        joint : (K, O, W) array
            p(state, observation | effort): each effort's entries sum to one. Equal posteriors become one belief.
        costs, utility, bound, penalty, efforts, states, decisions
            As for `Game`.

        Examples
        --------
        >>> blind, seeing = [[0.25, 0.25], [0.25, 0.25]], [[0.4, 0.1], [0.1, 0.4]]
        >>> game = Game.from_signals([blind, seeing], costs=[0, 0.1], utility=[[1, 0], [0, 1]], bound=1)
        >>> game.beliefs.tolist(), game.information.tolist()
        ([[0.5, 0.5], [0.8, 0.2], [0.2, 0.8]], [[1.0, 0.0, 0.0], [0.0, 0.5, 0.5]])
        """
        checked = probabilities(joint, "joint", ("efforts", "observations", "states"), over=2)
        beliefs, information = posteriors(checked)
        return cls(beliefs, information, costs, utility, bound, penalty, **named)

    @classmethod
    def from_contract(
        cls,
        outcomes: Numbers,
        *,
        rewards: Numbers,
        costs: Numbers,
        bound: float,
        penalty: float = 0.0,
        **named: Any,
    ) -> Game:
        """Return contract design as a game: the agent sees the outcome itself, so beliefs are the point masses.

        Parameters
        ----------
        outcomes : (K, W) array
            Distribution of the outcome under each effort.
        rewards : (W,) or (A, W) array
            What each outcome is worth to the principal (by decision, if she has one to make).
        costs, bound, penalty, efforts, states, decisions
            As for `Game`.

        Examples
        --------
        >>> game = Game.from_contract([[0.5, 0.5], [0.2, 0.8]], rewards=[0, 10], costs=[0, 1], bound=20)
        >>> game.beliefs.tolist()
        [[1.0, 0.0], [0.0, 1.0]]
        """
        checked = probabilities(outcomes, "outcomes", ("efforts", "outcomes"))
        try:
            axes = ("outcome",) if np.ndim(rewards) < 2 else ("decisions", "outcomes")
        except ValueError:  # ragged: `table` says so
            axes = ("decisions", "outcomes")
        utility = np.atleast_2d(table(rewards, "rewards", axes))
        if utility.shape[1] != checked.shape[1]:
            raise InvalidInputError(
                f"rewards has {utility.shape[1]} entries but there are {checked.shape[1]} outcomes: one per outcome"
            )
        return cls(np.eye(checked.shape[1]), checked, costs, utility, bound, penalty, **named)

    # -- who sees what -----------------------------------------------------------------------------------------------

    @property
    def setting(self) -> Setting:
        """What the principal knows: the terms and her utility."""
        return self._setting

    @property
    def value(self) -> Array:
        """What each belief is worth to the principal before paying, (M,)."""
        return self._setting.value

    @cached_property
    def prior(self) -> Array:
        """Distribution of the state under each effort, (K, W); equal rows mean that effort does not move the state."""
        return read_only(self.information @ self.beliefs)

    @cached_property
    def worth(self) -> Array:
        """What each effort's information is worth to the principal before paying: ``q_k . value``, (K,)."""
        return read_only(self.information @ self.value)

    def effort(self, effort: Any) -> int:
        """Position of an effort given by number or label."""
        return index(effort, "effort", self.efforts, len(self.costs))

    def name(self, effort: Any) -> str:
        """What to call an effort when talking to people."""
        number = self.effort(effort)
        return f"effort {number}" if self.efforts is None else self.efforts[number]

    # -- play --------------------------------------------------------------------------------------------------------

    def surplus(self, rule: Rule) -> Array:
        """The agent's expected payment less cost under each effort: ``q_k . s - c_k``, (K,)."""
        self._check(rule)
        return read_only(self.paid(rule.expected) - self.costs)

    def respond(self, rule: Rule) -> int:
        """Effort that the agent chooses; ties within the named tolerance break in the principal's favour."""
        self._check(rule)
        return best_response(self.paid(rule.expected), self.costs, self.worth, self.bound)

    def paid(self, expected: Array) -> Array:
        """Expected payment under each effort of a rule with these expected payments (M,): ``q_k . s``, (K,)."""
        return kernel.paid(self.information, expected)

    def profit(self, rule: Rule) -> float:
        """The principal's expected utility less payment, at the agent's response."""
        effort = self.respond(rule)
        return float(self.worth[effort] - self.paid(rule.expected)[effort])

    def _check(self, rule: Rule) -> None:
        expect(rule, Rule, "rule").same_beliefs(self.beliefs)
        if not rule.is_proper():
            warnings.warn(
                f"this rule is not proper (slack {rule.slack:.3g}): the agent would misreport, and figures that assume "
                f"the truth mislead; use rules.reveal(rule)",
                ImproperRuleWarning,
                stacklevel=3,
            )

    # -- documents ---------------------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Return the game as a JSON-able document; `from_dict` gives back an equal game."""
        own = {"information": self.information.tolist(), "costs": self.costs.tolist()}
        return document.stamp("game", self._setting.entries() | own)

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Game:
        """Return the game of a document that `to_dict` made."""
        return cls(**document.check(content, "game")[1])

    def save(self, path: document.Path_) -> None:
        """Write the game to a JSON file; `scorewright.load` reads it."""
        document.write(path, self.to_dict())

    def __repr__(self) -> str:
        (efforts, beliefs), (decisions, states) = self.information.shape, self.utility.shape
        return (
            f"Game(efforts={efforts}, beliefs={beliefs}, states={states}, decisions={decisions}, bound={self.bound:g})"
        )
