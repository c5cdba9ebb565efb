r"""The revelation principle (the paper's first lemma), as a function.

If an agent who faces :math:`S` reports :math:`\nu^*(\sigma)` when it believes :math:`\sigma`, and does best by it, then
paying the row :math:`\nu^*(\sigma)` to the report :math:`\sigma` gives a proper rule with the same payments; the
principal, who now hears :math:`\sigma` itself, is no worse off.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from scorewright import tolerance
from scorewright.errors import InvalidInputError, NotBestResponseError
from scorewright.rules.properness import best_rows
from scorewright.rules.rule import Rule
from scorewright.validation import expect, probabilities


def reveal(rule: Rule, policy: Any = None, *, beliefs: Any = None) -> Rule:
    """Return the proper rule that pays each belief what it earns under `rule` by reporting as it likes best.

    Parameters
    ----------
    rule : Rule
        Any payment table, proper or not.
    policy : sequence of M reports, optional
        What each belief reports: a belief index of `rule`, or a distribution (which counts as `Rule.row` says).
        By default each belief's best row.
    beliefs : (M, W) array, optional
        The beliefs that the agent can hold; by default those of `rule`.

    Raises
    ------
    NotBestResponseError
        Some belief would earn more by another report, so that the new rule would not be proper.

    Examples
    --------
    >>> improper = Rule([[0, 1], [1, 0]], beliefs=[[0.9, 0.1], [0.1, 0.9]])
    >>> improper.is_proper(), reveal(improper).is_proper()
    (False, True)
    >>> reveal(improper, policy=[1, 0]).payments.tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    rule = expect(rule, Rule, "rule")
    support = rule.beliefs if beliefs is None else probabilities(beliefs, "beliefs", ("beliefs", "states"))
    if support.shape[1] != rule.beliefs.shape[1]:
        raise InvalidInputError(
            f"beliefs are over {support.shape[1]} states but the rule pays in {rule.beliefs.shape[1]}"
        )
    gains = support @ rule.payments.T
    if policy is None:
        chosen = best_rows(rule.payments, support)
    else:
        if not isinstance(policy, Sequence | np.ndarray) or isinstance(policy, str):
            raise InvalidInputError(f"policy must be a list of reports, one per belief, not {type(policy).__name__}")
        if len(policy) != len(support):
            raise InvalidInputError(f"policy has {len(policy)} reports for {len(support)} beliefs: give one each")
        chosen = np.array([rule.row(report) for report in policy], dtype=np.intp)
        earned = gains[np.arange(len(support)), chosen]
        regret = gains.max(axis=1) - earned
        worst = int(regret.argmax())
        if regret[worst] > tolerance.PROPER * tolerance.scale(float(np.abs(rule.payments).max())):
            raise NotBestResponseError(
                f"this policy is not a best response: belief {worst} reports {int(chosen[worst])} and would earn "
                f"{regret[worst]:.6g} more by reporting {int(gains[worst].argmax())}; "
                f"leave policy out to use each belief's best report"
            )
    return Rule(rule.payments[chosen], support)
