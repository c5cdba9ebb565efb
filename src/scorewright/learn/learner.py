"""Learner: the protocol. Ask for an offer, tell the answer, at any pace.

A learner is a state machine that never blocks: the world may answer a second or a month later. `ask` returns the open
offer until it is told; telling the same answer again does nothing, telling another one raises; an error leaves the
learner as it was. `state` is JSON, and a restored learner goes on bit for bit as the original would have.
"""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from typing import Any, ClassVar, Self

import numpy as np

from scorewright import document
from scorewright.errors import AnswerError, DocumentError, InvalidInputError, ScorewrightError
from scorewright.game import Game, Setting
from scorewright.learn.estimates import Estimates
from scorewright.learn.offer import Offer
from scorewright.learn.recommendation import Recommendation
from scorewright.rules import Rule
from scorewright.validation import expect, index, labels, whole

RECALLED = 1024
"""A round this long ago can still be told again, to no effect."""

MOST_EFFORTS = 1000
"""An effort number beyond this is taken for a slip of the pen."""


def known(setting: Any) -> Setting:
    """Return `setting` if it is one; of a game, which a learner must not see, say what to give instead."""
    if isinstance(setting, Game):
        raise InvalidInputError("setting is a game, with costs and information: give the learner game.setting")
    return expect(setting, Setting, "setting")


class Learner(ABC):
    """What every learner does; a subclass says what to propose and what to make of an answer.

    Parameters
    ----------
    setting : Setting
        What the principal knows. Where it names the efforts, an unknown one is an error; where it does not, it is a
        discovery, and gets the next number.
    """

    name: ClassVar[str]

    def __init__(self, setting: Setting) -> None:
        self.setting = known(setting)
        self._discovered: dict[str, int] = {}
        self._open: Offer | None = None
        self._number = 1

    @property
    def discovered(self) -> dict[int, str]:
        """The labels that efforts were told by, where the setting does not name them, by number."""
        return {number: label for label, number in self._discovered.items()}

    # -- the protocol ------------------------------------------------------------------------------------------------

    def ask(self) -> Offer:
        """Return the open offer, or propose the next one."""
        if self._open is None:
            self._open = self._propose(self._number)
        return self._open

    def tell(self, offer: Offer, effort: Any, report: Any) -> None:
        """Say how the agent answered an offer.

        Parameters
        ----------
        offer : Offer
            The offer that was answered: the open one (or the last one, again).
        effort : int or str
            The effort made, by number or label.
        report : int or sequence of float
            The belief reported, by number, or as a distribution, which counts as `Rule.row` says.
        """
        expect(offer, Offer, "offer")
        made = self.effort_number(effort)
        if self._open is None or offer.number != self._open.number:
            before = self._recall(offer.number)
            if before == (made, offer.rule.row(report)):
                return
            if before is not None:
                raise AnswerError(
                    f"round {offer.number} was answered before, with effort {before[0]} and report {before[1]}; "
                    f"an answer can't be changed"
                )
            if offer.number < self._number:
                raise AnswerError(
                    f"round {offer.number} was answered too long ago to tell whether this is the same answer: "
                    f"only the last {RECALLED:,} rounds are remembered one by one"
                )
            waiting = "no offer is open: ask first" if self._open is None else f"round {self._open.number} is open"
            raise AnswerError(f"round {offer.number} can't be answered now: {waiting}")
        if offer.rule != self._open.rule:
            raise AnswerError(f"this is not the offer of round {offer.number}: its rule is another one")
        heard = self._open.rule.row(report)
        self._absorb(self._open, made, heard)
        if isinstance(effort, str) and self.setting.terms.efforts is None:
            self._discovered[effort] = made
        self._open = None
        self._number += 1

    @abstractmethod
    def estimates(self) -> Estimates:
        """Return what is known so far."""

    @abstractmethod
    def recommend(self, probability: float = 0.95) -> Recommendation:
        """Return the rule to settle on, and an interval for its profit that holds with the stated probability."""

    # -- for subclasses ----------------------------------------------------------------------------------------------

    @abstractmethod
    def _propose(self, number: int) -> Offer:
        """Make the offer of round `number`."""

    @abstractmethod
    def _absorb(self, offer: Offer, effort: int, report: int) -> None:
        """Take in the answer to `offer`; raise before changing anything, or not at all."""

    @property
    @abstractmethod
    def efforts(self) -> int:
        """K: how many efforts are known."""

    @abstractmethod
    def _recall(self, number: int) -> tuple[int, int] | None:
        """Return the effort and report of a round told before, or None."""

    @abstractmethod
    def _options(self) -> dict[str, Any]:
        """Return the constructor's arguments, JSON-able, from which `_rebuild` makes a fresh learner."""

    @classmethod
    @abstractmethod
    def _rebuild(cls, setting: Setting, options: dict[str, Any]) -> Self:
        """Make a fresh learner from `_options`."""

    @abstractmethod
    def _save(self) -> dict[str, Any]:
        """Return what has been learned, JSON-able."""

    @abstractmethod
    def _load(self, saved: dict[str, Any]) -> None:
        """Take back what `_save` returned."""

    # -- keeping -----------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Return everything that the learner has become, as a JSON-able document."""
        return document.stamp(
            "learner",
            {
                "learner": self.name,
                "options": self._options(),
                "number": self._number,
                "setting": _fingerprint(self.setting),
                "discovered": dict(self._discovered),
                "open": None if self._open is None else _offer_state(self._open),
                "learned": self._save(),
            },
        )

    @classmethod
    def restore(cls, setting: Setting, state: dict[str, Any]) -> Self:
        """Return the learner that `state` was taken from, for the same setting."""
        entries = document.check(state, "learner")[1]
        if entries["learner"] != cls.name:
            raise InvalidInputError(f"this is the state of a {entries['learner']!r} learner, not of {cls.name!r}")
        if entries["setting"] != _fingerprint(expect(setting, Setting, "setting")):
            raise InvalidInputError("this state belongs to another setting: restore it with the one it was taken in")
        try:
            learner = cls._rebuild(expect(setting, Setting, "setting"), entries["options"])
            learner._load(entries["learned"])
        except ScorewrightError:
            raise
        except (LookupError, TypeError, ValueError, ArithmeticError, AttributeError) as problem:
            raise DocumentError(f"this state has been changed since it was saved: {problem!r:.100}") from None
        learner._number = entries["number"]
        if learner._number != entries["number"]:
            raise DocumentError(f"this state says round {entries['number']} but remembers {learner._number - 1}")
        learner._discovered = dict(entries["discovered"])
        if entries.get("open") is not None:
            learner._open = _offer_restored(entries["open"], learner.setting)
        return learner

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by state: the copy goes on exactly as this one would."""
        return type(self).restore, (self.setting, self.state())

    def effort_number(self, effort: Any) -> int:
        """Return the number of an effort; the label of a new one is remembered only once its answer has been taken."""
        known = self.setting.terms.efforts
        if known is not None:
            return index(effort, "effort", known, len(known))
        if not isinstance(effort, str):
            return whole(effort, "effort", least=0, most=MOST_EFFORTS - 1)
        labels([effort], "effort", 1, "effort")
        return self._discovered.get(effort, max(self.efforts, 1 + max(self._discovered.values(), default=-1)))


def _fingerprint(setting: Setting) -> str:
    """What tells a setting from any other."""
    return hashlib.sha256(json.dumps(setting.to_dict(), sort_keys=True).encode()).hexdigest()


def _offer_state(offer: Offer) -> dict[str, Any]:
    index = None if offer.index is None else [None if np.isinf(value) else float(value) for value in offer.index]
    return {
        "number": offer.number,
        "payments": offer.rule.payments.tolist(),
        "target": offer.target,
        "phase": offer.phase,
        "index": index,
        "why": offer.why,
    }


def _offer_restored(state: dict[str, Any], setting: Setting) -> Offer:
    index = state["index"]
    return Offer(
        number=state["number"],
        rule=Rule(state["payments"], setting.terms.beliefs),
        target=state["target"],
        phase=state["phase"],
        index=None if index is None else np.array([-np.inf if value is None else value for value in index]),
        why=state["why"],
    )
