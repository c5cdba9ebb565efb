"""The audit: an OSRL-UCB run computed once more, slowly, from its history alone.

It stops at the first round on which the run and the independent witness (`witness`) disagree, and says how.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scorewright.game import Setting
from scorewright.learn.offer import Offer
from scorewright.learn.strategies import Mixing, Radius, Stop
from scorewright.learn.witness import DisagreementError, Witness
from scorewright.rules import Rule
from scorewright.validation import whole


@dataclass(frozen=True)
class Audit:
    """What the audit found.

    Attributes
    ----------
    passed : bool
    rounds : int
        Rounds that agree (with `every`, those believed among them).
    disagreement : str or None
        The first disagreement, in words.
    optimised, searched : int
        Optimise and search rounds among them.
    nontrivial : int
        Optimise rounds in which the zero rule was not the optimum of every Opt-LP.
    programs, nonzero, infeasible : int
        Opt-LPs checked, those whose optimum is not the zero rule, those without a solution.
    """

    passed: bool
    rounds: int
    disagreement: str | None
    optimised: int
    searched: int
    nontrivial: int
    programs: int
    nonzero: int
    infeasible: int


def audit(
    setting: Setting,
    oracle: Sequence[Rule | None] | Mapping[Any, Rule],
    history: Iterable[tuple[Offer, Any, Any]],
    *,
    radius: Radius | None = None,
    mixing: Mixing | None = None,
    stop: Stop | None = None,
    every: int = 1,
) -> Audit:
    """Re-compute every round of an OSRL-UCB run, or a sample of them.

    Parameters
    ----------
    setting : Setting
    oracle : sequence of Rule or None, or {effort: Rule}
        As it was given to the learner. (Runs that acquired their oracle can't be audited.)
    history : iterable of (Offer, effort, report)
        The run, from its first round.
    radius, mixing, stop : strategies
        As they were given to the learner.
    every : int
        Check every so many rounds only, and believe the offers of the others: long runs take as long as the square of
        their length.
    """
    witness = Witness(setting, _listed(setting, oracle), radius or Radius(), mixing or Mixing(), stop or Stop())
    whole(every, "every", least=1)
    said = None
    try:
        for number, (offer, effort, report) in enumerate(history):
            if number % every == 0:
                witness.check(offer)
            elif offer.phase == "optimise":
                witness.freeze()
            witness.answer(offer, _number(setting, effort), offer.rule.row(report))
    except DisagreementError as problem:
        said = f"round {len(witness.past) + 1}: {problem}"
    return Audit(said is None, len(witness.past), said, **witness.tally)


def _number(setting: Setting, effort: Any) -> int:
    return setting.terms.efforts.index(effort) if isinstance(effort, str) and setting.terms.efforts else int(effort)


def _listed(setting: Setting, oracle: Any) -> list[Rule | None]:
    if not isinstance(oracle, Mapping):
        return list(oracle)
    by_number = {_number(setting, effort): rule for effort, rule in oracle.items()}
    count = len(setting.terms.efforts) if setting.terms.efforts else 1 + max(by_number)
    return [by_number.get(effort) for effort in range(count)]
