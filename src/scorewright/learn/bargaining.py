r"""Bargaining: which rule to offer next, by what the worlds expect of it.

The *incumbent* is the most profitable rule that was seen to work. Against it stand candidates for every effort k: the
cheapest rules for k in some of the worlds, and mixtures of each with the best rule for k that was seen to work. The
share of worlds that would answer otherwise is a candidate's chance of failure; there is a loss if it fails, and a gain
per round, for the rounds to come, if it does not. In this order:

1. **Trim.** Of the candidates for the incumbent's own effort, take the one that gains most among those whose chance of
   failure is at most :math:`0.42 \sqrt{d / F}`, where d is what perfect knowledge would gain per round, and F is the
   loss when it fails: the best step for a threshold somewhere in an interval.
2. **Switch.** A rule for another effort is an option: after m more reports its profit is known better, and the better
   of the two rules is kept. It is taken up if the option is worth more than it costs to open. Worlds of two kinds may
   disagree about it, here and below: each kind is heard, with its chance (leads.py).
3. **Campaign.** An effort whose best rule, once found, would pay for the search is worked towards, even if no single
   step pays for itself: by the step that decides most, and brings most of the way, per price. If it is in doubt what
   the effort is worth, that is a report more; if it is in doubt what it must be paid, a probe. The campaign must
   promise what its next step may lose, on top of all costs. Here an effort seen n times is given no less than the
   standard error of its n reports and of surprising ones, whatever the worlds say (but for what they say of the base
   rate; for each kind of world as much of it, in variance, as the kind is likely): so no effort is written off on too
   few. What each effort's campaigns may cost in all is limited to
   :math:`0.07 F \log_2(1 + t) + \sqrt{F \cdot \text{promise}}`, F being a limit on the loss in one round: whoever was
   written off wrongly is tried again, at a price logarithmic in time.
4. **Insure.** An effort that was seen n times is asked again if its lead, negative as it is, is within
   :math:`z(p N / n)` standard errors of zero (options.py), in a kind of world of chance p: the stopping boundary for a
   choice between what is known and what is not, with N rounds to come. It rises with time, so an effort that was
   written off by bad luck is taken up again, the sooner the fewer its reports.
5. **Exploit** otherwise.

Where an oracle gave rules, steps 2 to 4 for other efforts than the incumbent's are taken only if the account affords
them (account.py): until a better rule repays what was spent on finding it, finding out about an effort that is not
likely to win is limited to a play of its rule or so, more as time goes by. And before all that, the best given rule is
played while it is less known than an incumbent that may owe its lead to chance.

Without a horizon the rounds to come are taken to be as many as there have been, and a thousand at least.
"""

from __future__ import annotations

import math

import numpy as np

from scorewright.learn.account import Account
from scorewright.learn.hopes import Hope, hope_for, wary
from scorewright.learn.leads import Leads
from scorewright.learn.move import Move
from scorewright.learn.options import boundary, option
from scorewright.learn.prospects import WORTHWHILE, Candidates, Incumbent, Position, candidates
from scorewright.learn.worlds import seen_efforts

RISK = 0.42
"""Of the best step for one unknown threshold, by dynamic programming."""

SEARCH = 4.15
"""What finding such a threshold costs in all, in units of F (d / F)^0.2, by the same."""

TITHE = 0.07
"""Of F log2(1 + t), F being a limit on the loss in one round: campaigns that promise nothing may cost so much."""

TROUBLE = 0.02
"""What any step of a campaign costs at least, likewise."""

LEAST = 1e-3
"""Prices are compared as if they were no less than this share of the largest loss."""

EVEN = 0.5
"""What is limited is not spent on what is likelier to fail."""

PATIENCE = 0.25
"""An incumbent is exploited for this share of its reports before it thinks again: few may flatter it."""

IN_TURNS = 10
"""Reports are bought in turns: at once, one for every so many that there are."""

_FISHER = 0.36
"""A report's share of what is left to know, in units in which an even chance decides 1/4: 1/4 over log 2."""


def decide(position: Position) -> Move:
    """Return the next move."""
    incumbent = Incumbent.of(position)
    if position.ensemble.bound == 0:
        return _exploit(position, incumbent)
    account = Account.of(position, incumbent)
    move = _level(position, incumbent, account)
    if move is not None:
        return move
    seen = seen_efforts(position.counts)
    own = candidates(position, incumbent, incumbent.effort, seen)
    move = None if own is None else _trim(position, incumbent, own)
    if move is not None:
        return move
    options: list[tuple[float, Move]] = []
    insurance: list[tuple[float, Move]] = []
    campaigns = [] if own is None else _campaign(position, incumbent, own, None)
    for effort in range(len(position.counts)):
        others = None if effort == incumbent.effort else candidates(position, incumbent, effort, seen)
        if others is not None:
            hope = hope_for(position, incumbent, others)
            limited = account.limits(effort, hope.better)
            for found, moves in (
                (options, [_switch(position, incumbent, others, limited=limited)]),
                (campaigns, _campaign(position, incumbent, others, hope, limited=limited)),
                (insurance, _insure(position, incumbent, others, hope)),
            ):
                paid = ((promise, account.paid(move, effort, hope.better)) for promise, move in moves)
                found += [(promise, move) for promise, move in paid if move is not None]
    for moves in (options, campaigns):
        worthwhile = [(promise, move) for promise, move in moves if promise > WORTHWHILE * position.size]
        if worthwhile:
            return max(worthwhile, key=lambda found: found[0])[1]
    return insurance[0][1] if insurance else _exploit(position, incumbent)


def _exploit(position: Position, incumbent: Incumbent) -> Move:
    why = (
        f"exploit: {position.names[incumbent.effort]} was seen to answer this rule, which should earn "
        f"{incumbent.profit:.4g} a round; nothing else promises more than it costs to try"
    )
    repeats = math.ceil(PATIENCE * float(position.counts[incumbent.effort].sum()) + 1)
    return Move("exploit", incumbent.effort, position.payments[incumbent.rule], repeats, why)


def _insure(position: Position, incumbent: Incumbent, others: Candidates, hope: Hope) -> list[tuple[float, Move]]:
    """More reports of an effort whose lead is within as many standard errors of zero as `boundary` has it."""
    effort, base = others.effort, incumbent.by_effort.get(others.effort)
    if base is None or position.ensemble.known is not None:
        return []
    seen, found = float(position.counts[effort].sum()), []
    for chance, lead, worth in zip(hope.chance, hope.lead, hope.worth, strict=True):
        limit = boundary(chance * position.left / seen)
        if limit > 0 and lead + limit * worth > 0:
            why = (
                f"explore: by {seen:.0f} reports the best rule for {position.names[effort]} earns {lead:+.3g} a "
                f"round against the best rule so far, give or take {worth:.2g} ({chance:.0%} sure that this is how "
                "to see it); in the rounds to come that may prove wrong"
            )
            price = incumbent.profit - float(incumbent.profits[base])
            move = Move("explore", effort, position.payments[base], max(1, int(seen / IN_TURNS)), why, price=price)
            found.append(((lead + limit * worth) * position.left, move))
    return found


def _level(position: Position, incumbent: Incumbent, account: Account) -> Move | None:
    """The best given rule, while it is less known than the incumbent and may yet be as good as that.

    Its reports cost next to nothing then, and what an effort earns is only known beside another. (The best of those
    that were offered whole and seen to work; until a better rule has repaid what was spent.)
    """
    ensemble = position.ensemble
    if not np.isfinite(account.allowed).any() or account.debt <= 0:
        return None
    whole = {
        effort: rule
        for effort, expected in position.given.items()
        for rule in np.flatnonzero(ensemble.heard & (ensemble.answers == effort)).tolist()
        if np.array_equal(ensemble.expected[rule], expected)
    }
    if not whole:
        return None
    effort = max(whole, key=lambda k: incumbent.profits[whole[k]])
    rule, seen = whole[effort], position.counts.sum(axis=1)
    if seen[effort] >= min(seen[incumbent.effort], position.left):
        return None
    earned = ensemble.information[:, effort] @ (position.value - ensemble.expected[rule])
    leads = Leads.of(incumbent.earned[:, None], earned, position.kinds)
    lead, spread = float(leads.chance @ leads.ahead[:, 0]), float(leads.spread[0])
    if lead > spread:
        return None
    why = (
        f"explore: {position.names[effort]} was seen {seen[effort]:.0f} times only, and its rule may earn as much as "
        f"the best rule, which looks {lead:.2g} a round better, give or take {spread:.2g}"
    )
    repeats = max(1, int(seen[effort] / IN_TURNS))
    return Move("explore", effort, position.payments[rule], repeats, why, price=max(0.0, lead))


# -- moves -----------------------------------------------------------------------------------------------------------


def _trim(position: Position, incumbent: Incumbent, own: Candidates) -> Move | None:
    missed = _missed(position, incumbent.rule, own)
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


def _missed(position: Position, rule: int, own: Candidates) -> float:
    """What perfect knowledge of an effort would gain per round over a rule that works, on average over worlds asked."""
    ensemble = position.ensemble
    now = ensemble.information[own.asked, own.effort] @ (position.value - ensemble.expected[rule])
    return float(np.maximum(own.best - now, 0).mean())


def _switch(position: Position, incumbent: Incumbent, others: Candidates, *, limited: bool) -> tuple[float, Move]:
    effort, seen = others.effort, position.counts[others.effort].sum()
    leads, made = others.leads, float(position.counts[incumbent.effort].sum())
    nothing, spread = np.zeros_like(leads.own), leads.spread
    promise, samples = option(leads.ahead, nothing, leads.own, leads.chance, seen, position.left)
    anyway = leads.told_for_nothing(made, position.left)
    net = (1 - others.chance) * promise - np.where(others.new, others.cost, 0.0)
    net = np.where(others.new | ((samples > 0) & (net > anyway)), net, -np.inf)
    aim = net
    if limited:
        net = np.where(others.new & (others.chance > EVEN) & (seen > 0), -np.inf, net)
        prices = np.where(others.new, others.cost, 0.0) + (1 - others.chance) * samples * np.maximum(-others.ahead, 0)
        aim = np.where(net > 0, net / (prices + LEAST * position.size), -np.inf)
    pick = int(np.argmax(aim))
    name = position.names[effort]
    if not others.new[pick]:
        repeats = max(1, int(min(seen / IN_TURNS, samples[pick])))
        why = (
            f"explore: {name} looks {-others.ahead[pick]:.3g} a round worse than the best rule, give or take "
            f"{spread[pick]:.2g}; {repeats} more of its reports may tell"
        )
        price = max(0.0, -float(others.ahead[pick]))
        return float(net[pick]), Move("explore", effort, others.payments[pick], repeats, why, price=price)
    why = (
        f"probe: {name} may earn {others.ahead[pick]:+.3g} a round, give or take {spread[pick]:.2g}, against "
        f"the best rule so far; a chance of {others.chance[pick]:.1%} to fail, which would cost "
        f"{others.loss[pick]:.3g} once"
    )
    if seen > 0:
        return float(net[pick]), _step(others, pick, None, why)
    spare = _budget(position, float(net[pick])) > position.spent[effort]
    return float(net[pick]) if spare else -math.inf, _step(others, pick, effort, why)


def _campaign(
    position: Position, incumbent: Incumbent, others: Candidates, hope: Hope | None, *, limited: bool = False
) -> list[tuple[float, Move]]:
    """The next step towards an effort's best rule, with what it all promises; none if not worth it.

    Of the incumbent's own effort there is nothing to hope for but its trimming.
    """
    effort, base = others.effort, incumbent.by_effort.get(others.effort)
    start, missed = -position.size / 2, position.size
    if base is not None:
        start, missed = float(incumbent.profits[base]) - incumbent.profit, _missed(position, base, others)
    promise, by_probes, by_reports = missed * position.left, 1.0, 1.0
    if hope is not None:
        seen = position.counts[effort].sum()
        worth, wage = wary(position, incumbent, effort, hope.worth), np.full_like(hope.worth, hope.wage)
        promise = hope.inducible * float(option(hope.lead, wage, worth, hope.chance, seen, position.left)[0])
        told = float(hope.chance @ (worth**2 + (hope.lead - hope.chance @ hope.lead) ** 2))
        doubt = max(hope.wage**2 + missed**2 + told, 1e-300)
        by_probes, by_reports = (hope.wage**2 + missed**2) / doubt, told / doubt
    promise -= SEARCH * others.failure * min(1.0, missed / others.failure) ** 0.2
    if promise <= 0 or position.spent[effort] > _budget(position, promise):
        return []
    nearer = np.clip((others.ahead - start) / max(missed, 1e-12), 0, 1)
    telling = np.where(others.new, (others.fails + nearer) * (1 - others.fails), 0.0)
    telling = np.where(others.fails * (1 - others.fails) > 0, telling, 0.0) / (others.cost + TROUBLE * position.size)
    if limited and position.counts[effort].any():
        telling = np.where(others.chance > EVEN, 0.0, telling)
    pick = int(np.argmax(telling))
    sampled = _most_telling_report(position, incumbent, effort)
    name = position.names[effort]
    if sampled is not None and by_reports * sampled[0] > by_probes * telling[pick]:
        rival, price = sampled[1], sampled[2]
        repeats = max(1, int(position.counts[rival].sum() / IN_TURNS))
        why = (
            f"explore: the best rule for {name} may be worth {promise:.3g} more in all; that depends on how "
            f"{position.names[rival]} reports, which was seen only {position.counts[rival].sum():.0f} times"
        )
        payments = position.payments[incumbent.by_effort[rival]]
        move = Move("explore", rival, payments, repeats, why, campaign=effort, price=price)
        return [(promise, move)] if promise > repeats * price else []
    if telling[pick] <= 0 or promise <= others.loss[pick]:
        return []
    why = (
        f"probe: the best rule for {name} may be worth {promise:.3g} more in all; this step has a chance of "
        f"{others.chance[pick]:.0%} to fail, which would cost {others.loss[pick]:.3g} once, and tells most per price"
    )
    return [(promise, _step(others, pick, effort, why))]


def _step(others: Candidates, pick: int, campaign: int | None, why: str) -> Move:
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


def _budget(position: Position, promise: float) -> float:
    """What all campaigns for one effort may have cost by now, given what the next one promises."""
    hopes = math.sqrt(position.size * max(0.0, promise))
    return TITHE * position.size * math.log2(1 + position.round) + hopes


def _most_telling_report(position: Position, incumbent: Incumbent, effort: int) -> tuple[float, int, float] | None:
    """Whose next report tells most per price in a campaign for `effort`: how much, whose, at what price.

    For the incumbent's own effort, whose reports come anyway, that is one of its rivals; for another it is its own.
    """
    found: list[tuple[float, int, float]] = []
    for known, rule in incumbent.by_effort.items():
        asked = known != effort if effort == incumbent.effort else known == effort
        if asked and position.ensemble.known is None:
            price = max(incumbent.profit - float(incumbent.profits[rule]), LEAST * position.size)
            support = float(np.count_nonzero(position.counts[known]))
            found.append((_FISHER * support / (2 * float(position.counts[known].sum())) / price, known, price))
    return max(found, default=None)
