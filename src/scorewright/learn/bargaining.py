r"""Bargaining: which rule to offer next, by what the worlds expect of it.

The *incumbent* is the most profitable rule that was seen to work. Against it stand candidates for every effort k: the
cheapest rules for k in some of the worlds, and mixtures of each with the best rule for k that was seen to work. The
share of worlds that would answer otherwise is a candidate's chance of failure; there is a loss if it fails, and a gain
per round, for the rounds to come, if it does not. In this order:

1. **Trim.** Of the candidates for the incumbent's own effort, take the one that gains most among those whose chance of
   failure is at most :math:`0.42 \sqrt{d / F}`, where d is what perfect knowledge would gain per round, and F is the
   loss when it fails: the best step for a threshold somewhere in an interval.
2. **Switch.** A rule for another effort is an option: after m more reports its profit is known better, and the better
   of the two rules is kept. It is taken up if the option is worth more than it costs to open.
3. **Campaign.** An effort whose best rule, once found, would pay for the search is worked towards, even if no single
   step pays for itself: by the step that decides most per price, which may be a report more from a rival whose
   information is in doubt. Here an effort seen n times is given no less than the standard error of n reports, whatever
   the worlds say: so no effort is written off on too few. What each effort's campaigns may cost in all is
   :math:`\tfrac12 F \log_2(1 + t)`: whoever was written off wrongly is tried again, at a price logarithmic in time.
4. **Exploit** otherwise.

Without a horizon the rounds to come are taken to be as many as there have been, and a thousand at least.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scorewright.kernel import Phase
from scorewright.learn.worlds import Ensemble, seen_efforts
from scorewright.validation import Array

RISK = 0.42
"""Of the best step for one unknown threshold, by dynamic programming."""

SEARCH = 4.15
"""What finding such a threshold costs in all, in units of F (d / F)^0.2, by the same."""

TITHE = 0.5
"""Campaigns for one effort cost at most this times F log2(1 + t)."""

WORTHWHILE = 0.002
"""A move that promises less in all, as a share of the largest loss, is not worth the trouble."""

TROUBLE = 0.02
"""What any step of a campaign costs at least, likewise."""

ROUNDS_TO_COME = 1000
"""Without a horizon: a rule is worth learning as if it were used this often, at least."""

ASKED = 16
"""Worlds asked for their cheapest rules."""

_MIXED = (0.0, 0.03, 0.1, 0.2, 0.35, 0.5, 0.7, 0.85, 0.95, 0.98, 0.993)
"""Weights of the rule that works in the candidates."""

_SAMPLES = (0, 1 / 16, 1 / 4, 1, 4, 16)
"""Reports considered for an option, as multiples of those that there are."""

_NEAR = 1e-7
"""A candidate this close to a rule that failed, relative to the bound, is that rule."""

_FISHER = 0.36
"""A report's share of what is left to know, in units in which an even chance decides 1/4: 1/4 over log 2."""


@dataclass(frozen=True, eq=False)
class Move:
    """What to offer next, and why.

    Attributes
    ----------
    phase : str
    target : int
        The effort that it should buy.
    payments : (M, W) array
    repeats : int
        For how many rounds, unless it is answered otherwise.
    why : str
    chance : float
        Of failure, as the worlds have it; 0 for a rule that was answered before.
    campaign : int or None
        The effort whose budget pays for it.
    price, loss : float
        What it costs against the incumbent if it works, and if it fails.
    """

    phase: Phase
    target: int
    payments: Array
    repeats: int
    why: str
    chance: float = 0.0
    campaign: int | None = None
    price: float = 0.0
    loss: float = 0.0


@dataclass(frozen=True, eq=False)
class Position:
    """All that a decision rests on.

    Attributes
    ----------
    ensemble : Ensemble
    value : (M,) array
        The value of each belief to the principal.
    payments : sequence of (M, W) arrays
        The rules answered so far, in the order of the ensemble's answers.
    counts : (K, M) array
        Reports by effort.
    round, horizon : int
        The round to decide for; the last one, if known.
    spent : (K,) array
        What each effort's campaigns have cost.
    doubt : float
        How many times as often as foreseen probes have failed of late; 1 or more.
    names : sequence of str
        What to call the efforts.
    """

    ensemble: Ensemble
    value: Array
    payments: Sequence[Array]
    counts: Array
    round: int
    horizon: int | None
    spent: Array
    doubt: float
    names: Sequence[str]

    @property
    def left(self) -> int:
        """Rounds to come, the present one included."""
        if self.horizon is not None and self.round <= self.horizon:
            return self.horizon - self.round + 1
        return max(self.round, ROUNDS_TO_COME)

    @property
    def size(self) -> float:
        """A limit on the loss in one round."""
        return float(np.ptp(self.value)) + self.ensemble.reach


@dataclass(frozen=True, eq=False)
class Incumbent:
    """The best rule seen to work, and the best for each effort."""

    effort: int
    rule: int
    profit: float
    mean: Array
    by_effort: dict[int, int]
    profits: Array

    @staticmethod
    def of(position: Position) -> Incumbent:
        """The incumbent by the mean information."""
        ensemble = position.ensemble
        mean = ensemble.mean(position.counts)
        profits = np.einsum("rm,rm->r", mean[ensemble.answers], position.value - ensemble.expected)
        best = {
            int(effort): int(max(np.flatnonzero(ensemble.answers == effort), key=lambda rule: profits[rule]))
            for effort in np.unique(ensemble.answers)
        }
        effort = max(best, key=lambda k: profits[best[k]])
        return Incumbent(effort, best[effort], float(profits[best[effort]]), mean, best, profits)


@dataclass(frozen=True, eq=False)
class Candidates:
    """Rules that might buy one effort, as the worlds see them.

    Attributes
    ----------
    effort : int
    payments, expected : (n, M, W) and (n, M) arrays
    new : (n,) array
        Whether a rule was not offered before.
    fails : (n,) array
        Share of worlds in which another effort answers.
    chance : (n,) array
        The same with due doubt: never quite 0 for a new rule, and larger if probes have failed too often.
    ahead, spread : (n,) arrays
        Profit beyond the incumbent's if it works: the mean, and its standard deviation over the worlds.
    loss : (n,) array
        Mean loss against the incumbent where it fails.
    best : (worlds asked,) array
        The most that the effort could earn in each; minus infinity where it can't be induced.
    """

    effort: int
    payments: Array
    expected: Array
    new: NDArray[np.bool_]
    fails: Array
    chance: Array
    ahead: Array
    spread: Array
    loss: Array
    best: Array

    @property
    def cost(self) -> Array:
        """Expected cost of one round with each, against the incumbent."""
        result: Array = (1 - self.chance) * np.maximum(-self.ahead, 0) + self.chance * self.loss
        return result

    @property
    def failure(self) -> float:
        """F: the loss of a typical failure."""
        return max(float(np.median(self.loss)), 1e-9)


def decide(position: Position) -> Move:
    """Return the next move."""
    incumbent = Incumbent.of(position)
    if position.ensemble.bound == 0:
        return _exploit(position, incumbent)
    seen = seen_efforts(position.counts)
    own = _candidates(position, incumbent, incumbent.effort, seen)
    move = None if own is None else _trim(position, incumbent, own)
    if move is not None:
        return move
    options: list[tuple[float, Move]] = []
    campaigns = [] if own is None else [_campaign(position, incumbent, own)]
    for effort in range(len(position.counts)):
        others = None if effort == incumbent.effort else _candidates(position, incumbent, effort, seen)
        if others is not None:
            options.append(_switch(position, incumbent, others))
            campaigns.append(_campaign(position, incumbent, others))
    for moves in (options, campaigns):
        promise, best = max(moves, key=lambda found: found[0], default=(0.0, None))
        if best is not None and promise > WORTHWHILE * position.size:
            return best
    return _exploit(position, incumbent)


def _exploit(position: Position, incumbent: Incumbent) -> Move:
    why = (
        f"exploit: {position.names[incumbent.effort]} was seen to answer this rule, which should earn "
        f"{incumbent.profit:.4g} a round; nothing else promises more than it costs to try"
    )
    until = math.ceil(position.round * 1.1) + 2
    return Move("exploit", incumbent.effort, position.payments[incumbent.rule], max(1, until - position.round), why)


# -- candidates ------------------------------------------------------------------------------------------------------


def _candidates(position: Position, incumbent: Incumbent, effort: int, seen: NDArray[np.bool_]) -> Candidates | None:
    ensemble, value = position.ensemble, position.value
    asked = ensemble.some(ASKED)
    worth = ensemble.information @ value
    found = [ensemble.worlds.cheapest(world, effort, seen) for world in asked]
    cheapest = [rule for rule, _ in filter(None, found)]
    best = np.array(
        [-np.inf if one is None else worth[world, effort] - one[1] for world, one in zip(asked, found, strict=True)]
    )
    if not cheapest:
        return None
    base = incumbent.by_effort.get(effort)
    if base is None:
        payments = np.array(cheapest)
    else:
        works = position.payments[base]
        payments = np.array([(1 - x) * rule + x * works for rule in cheapest for x in _MIXED] + [works])
    expected = np.einsum("mw,nmw->nm", ensemble.beliefs, payments)
    paid = ensemble.worlds.paid(expected)
    gains = np.where(seen | (np.arange(len(seen)) == effort), paid - ensemble.costs[:, None, :], -np.inf)
    obeyed = gains[:, :, effort] >= gains.max(axis=2) - 1e-12 * ensemble.reach
    new = np.ones(len(payments), dtype=bool)
    if base is not None:
        new[-1], obeyed[:, -1] = False, True
    failed = ensemble.expected[ensemble.answers != effort]
    if len(failed):
        apart = np.abs(expected[:, None, :] - failed[None]).max(axis=2).min(axis=1)
        obeyed[:, apart < _NEAR * ensemble.reach] = False
    fails = 1 - obeyed.mean(axis=0)
    count = len(obeyed)
    chance = np.where(new, np.minimum(1, position.doubt * (fails * count + 0.5) / (count + 1)), fails)
    profit = worth[:, None, :] - paid
    against = (ensemble.information[:, incumbent.effort] @ (value - ensemble.expected[incumbent.rule]))[:, None]
    answered = np.take_along_axis(profit, gains.argmax(axis=2)[:, :, None], axis=2)[:, :, 0] - against
    broken = (~obeyed).sum(axis=0)
    loss = np.maximum(-(answered * ~obeyed).sum(axis=0) / np.maximum(broken, 1), 0.02 * position.size)
    return Candidates(
        effort,
        payments,
        expected,
        new,
        fails,
        chance,
        ahead=(value - expected) @ incumbent.mean[effort] - incumbent.profit,
        spread=profit[:, :, effort].std(axis=0),
        loss=np.where(broken > 0, loss, 0.3 * position.size),
        best=best,
    )


# -- moves -----------------------------------------------------------------------------------------------------------


def _trim(position: Position, incumbent: Incumbent, own: Candidates) -> Move | None:
    missed = _missed(position, incumbent, own)
    allowed = max(RISK * math.sqrt(min(1.0, missed / own.failure)), 0.6 / (len(position.ensemble.costs) + 1))
    gain = (1 - own.chance) * np.maximum(own.ahead, 0)
    net = np.where((own.chance <= allowed) & own.new, gain * position.left - own.cost, -1.0)
    pick = int(np.argmax(np.where(net > 0, gain * (1 - own.chance), -1.0)))
    if net[pick] <= WORTHWHILE * position.size:
        return None
    why = (
        f"probe: {position.names[own.effort]} for {own.ahead[pick]:.3g} less a round; "
        f"a chance of {own.chance[pick]:.1%} to fail, which would cost {own.loss[pick]:.3g} once"
    )
    return Move("probe", own.effort, own.payments[pick], 1, why, float(own.fails[pick]), loss=float(own.loss[pick]))


def _missed(position: Position, incumbent: Incumbent, own: Candidates) -> float:
    """What perfect knowledge of the incumbent's effort would gain per round, on average over the worlds asked."""
    ensemble = position.ensemble
    asked = list(ensemble.some(ASKED))
    now = ensemble.information[asked, incumbent.effort] @ (position.value - ensemble.expected[incumbent.rule])
    return float(np.maximum(own.best - now, 0).mean())


def _switch(position: Position, incumbent: Incumbent, others: Candidates) -> tuple[float, Move]:
    effort, seen = others.effort, position.counts[others.effort].sum()
    promise, samples = option(others.ahead, 0.0, others.spread, seen, position.left)
    net = (1 - others.chance) * promise - np.where(others.new, others.cost, 0.0)
    net = np.where(others.new | (samples > 0), net, -np.inf)
    pick = int(np.argmax(net))
    name = position.names[effort]
    if not others.new[pick]:
        repeats = max(1, int(min(seen / 10, samples[pick])))
        why = (
            f"explore: {name} looks {-others.ahead[pick]:.3g} a round worse than the best rule, give or take "
            f"{others.spread[pick]:.2g}; {repeats} more of its reports may tell"
        )
        return float(net[pick]), Move("explore", effort, others.payments[pick], repeats, why)
    why = (
        f"probe: {name} may earn {others.ahead[pick]:+.3g} a round, give or take {others.spread[pick]:.2g}, against the "
        f"best rule so far; a chance of {others.chance[pick]:.1%} to fail, which would cost {others.loss[pick]:.3g} once"
    )
    if seen > 0:
        return float(net[pick]), _step(position, others, pick, None, why)
    spare = _budget(position, others) > position.spent[effort]
    return float(net[pick]) if spare else -math.inf, _step(position, others, pick, effort, why)


def _campaign(position: Position, incumbent: Incumbent, others: Candidates) -> tuple[float, Move | None]:
    """The next step towards an effort's best rule, and what the campaign promises in all."""
    effort, left = others.effort, position.left
    base, failure = incumbent.by_effort.get(effort), others.failure
    if effort == incumbent.effort:
        missed = _missed(position, incumbent, others)
        promise = missed * left
    else:
        best = np.maximum(others.best, incumbent.profit - 2 * position.size) - incumbent.profit
        start = -position.size / 2 if base is None else incumbent.profits[base] - incumbent.profit
        missed = float(np.maximum(best - start, 0).mean())
        promise = _hope_for(position, incumbent, effort, best)
    promise -= SEARCH * failure * min(1.0, missed / failure) ** 0.2
    if promise <= 0 or position.spent[effort] > _budget(position, others):
        return -math.inf, None
    telling = np.where(others.new, others.fails * (1 - others.fails), 0.0) / (others.cost + TROUBLE * position.size)
    pick = int(np.argmax(telling))
    sampled = _most_telling_report(position, incumbent)
    name = position.names[effort]
    if sampled is not None and sampled[0] > telling[pick]:
        rival, price = sampled[1], sampled[2]
        repeats = max(1, int(position.counts[rival].sum() / 10))
        why = (
            f"explore: the best rule for {name} may be worth {promise:.3g} more in all; what it can be depends on how "
            f"{position.names[rival]} reports, seen {position.counts[rival].sum():.0f} times"
        )
        payments = position.payments[incumbent.by_effort[rival]]
        return promise, Move("explore", rival, payments, repeats, why, campaign=effort, price=price)
    if telling[pick] <= 0:
        return -math.inf, None
    why = (
        f"probe: the best rule for {name} may be worth {promise:.3g} more in all; this step has a chance of "
        f"{others.chance[pick]:.0%} to fail, which would cost {others.loss[pick]:.3g} once, and tells most for its price"
    )
    return promise, _step(position, others, pick, effort, why)


def _step(position: Position, others: Candidates, pick: int, campaign: int | None, why: str) -> Move:
    return Move(
        "probe",
        others.effort,
        others.payments[pick],
        1,
        why,
        float(others.fails[pick]),
        campaign,
        max(0.0, -float(others.ahead[pick])),
        float(others.loss[pick]),
    )


def _budget(position: Position, others: Candidates) -> float:
    return TITHE * others.failure * math.log2(1 + position.round)


def _hope_for(position: Position, incumbent: Incumbent, effort: int, best: Array) -> float:
    """What an effort promises in all, if nobody trusts few reports: `best` is its lead over the incumbent by world."""
    ensemble, base, seen = position.ensemble, incumbent.by_effort.get(effort), position.counts[effort].sum()
    expected = np.zeros(len(position.value)) if base is None else ensemble.expected[base]
    own = float((ensemble.information[:, effort] @ (position.value - expected)).std())
    spread = float(best.std())
    if base is not None and ensemble.known is None:
        own = max(own, np.ptp(position.value - expected) / 2 / math.sqrt(seen + 1))
        spread = max(spread, own)
    rest = math.sqrt(max(spread**2 - own**2, 0.0))
    return float(option(np.array(best.mean()), rest, min(own, spread), seen, position.left)[0])


def _most_telling_report(position: Position, incumbent: Incumbent) -> tuple[float, int, float] | None:
    """Of the efforts other than the incumbent's, whose next report tells most per price: that, the effort, the price."""
    if position.ensemble.known is not None:
        return None
    found = []
    for effort, rule in incumbent.by_effort.items():
        if effort != incumbent.effort:
            price = max(incumbent.profit - float(incumbent.profits[rule]), 1e-3 * position.size)
            support = max(np.count_nonzero(position.counts[effort]), 0.5)
            found.append((_FISHER * support / (2 * position.counts[effort].sum()) / price, effort, price))
    return max(found, default=None)


# -- options ---------------------------------------------------------------------------------------------------------


def option(ahead: Array, rest: float, own: Array | float, seen: float, left: int) -> tuple[Array, NDArray[np.int64]]:
    r"""Value of being able to use a rule whose lead over the incumbent is uncertain, and the reports to buy first.

    With m more reports, the lead's estimate moves by a normal step of variance
    :math:`\rho^2 + \sigma^2 m / (n + m)`, where sigma (`own`) comes from the n reports so far and rho (`rest`) is
    resolved at once; then the better rule is kept:

    .. math:: \max_m \; (N - m) \, E[(\mu + \text{step})_+] - m \, (-\mu)_+ .
    """
    value, best = np.full(np.shape(ahead), -np.inf), np.zeros(np.shape(ahead), dtype=np.int64)
    for multiple in _SAMPLES:
        samples = math.ceil(multiple * max(seen, 1))
        if samples >= left:
            break
        share = samples / (seen + samples) if samples else 0.0
        hope = expected_gain(ahead, np.sqrt(rest**2 + np.square(own) * share))
        then = (left - samples) * hope - samples * np.maximum(-ahead, 0)
        best = np.where(then > value, samples, best)
        value = np.maximum(then, value)
    return value, best


def expected_gain(mean: Array, spread: Array) -> Array:
    """E[max(X, 0)] for a normal X."""
    spread = np.maximum(spread, 1e-15)
    z = mean / spread
    below = np.array([math.erfc(-one / math.sqrt(2)) / 2 for one in np.ravel(z)]).reshape(np.shape(z))
    result: Array = spread * np.exp(-0.5 * z * z) / math.sqrt(2 * math.pi) + mean * below
    return result
