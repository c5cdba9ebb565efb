"""Refining: share rows, prove that nobody should have one of their own, or split who should.

`menu` finds the best menu of a plan, `lifting` looks at each of its rows. When no lift gains anything and nobody is
promised more than the menu pays, the plan's menu is optimal for the full program and the lifts hold its proof.
Otherwise the beliefs that a lift moves apart are given rows apart, those promised too much are held, and the rest take
the row that they like best. Held beliefs are only ever split, so this ends, at the latest with a row for every belief:
the plain formulation. In practice a few dozen rows do for thousands of beliefs.
"""

from __future__ import annotations

import numpy as np

from scorewright import tolerance
from scorewright.optimum.lifting import Lift, lift, lone
from scorewright.optimum.menu import Priced, best_menu
from scorewright.optimum.task import Answer, Marks, Numbers, Plan, Task
from scorewright.program import Way
from scorewright.rules.properness import best_rows
from scorewright.validation import Array

PATIENCE = 30
"""Rounds after which every belief is held: from then on each round can only split."""


def refine(task: Task, plan: Plan, way: Way) -> Answer | None:
    """Return the optimum of `task`, starting from `plan`; None when no menu of a plan on the way meets its rows."""
    # Who was once promised more than the menu pays; where everybody is held from the start, everybody stays so.
    promised = np.full(len(plan.home), plan.held.all())
    rounds = 0
    while True:
        priced = best_menu(task, plan, way)
        if priced is None:
            return None
        weights = task.weights(priced.prices)
        lifts = _lifts(task, plan, priced, weights, way)
        if sum(one.gain for one in lifts) > -tolerance.FEASIBLE and not priced.unpaid.any():
            return _answer(task, plan, priced, lifts)
        promised |= priced.unpaid
        rounds += 1
        held = promised | (weights < -tolerance.WEIGHTLESS) | (not task.loose) | (rounds > PATIENCE)
        plan = _split(task, plan, priced, lifts, held)


def _lifts(task: Task, plan: Plan, priced: Priced, weights: Array, way: Way) -> list[Lift]:
    """One lift per row of the menu."""
    paying = priced.envious > 0
    pairs, envious = priced.envy[paying], priced.envious[paying]
    pairs, envious = pairs[order := np.argsort(pairs[:, 1], kind="stable")], envious[order]
    left = weights - np.bincount(pairs[:, 0], envious, minlength=len(weights))
    members = np.argsort(plan.home, kind="stable")
    rows = np.arange(len(priced.menu) + 1)
    inside, outside = np.searchsorted(plan.home[members], rows), np.searchsorted(pairs[:, 1], rows)
    lifts = []
    for row in rows[:-1]:
        group = members[inside[row] : inside[row + 1]]
        coming = slice(outside[row], outside[row + 1])
        movers = group[left[group] < -tolerance.WEIGHTLESS]
        if len(movers) == 0:
            movers = group[[left[group].argmin()]]
        others = group[left[group] > tolerance.WEIGHTLESS]
        others = others[others != movers[0]]
        followers = np.concatenate([others, pairs[coming, 0]])
        following = np.concatenate([left[others], envious[coming]])
        if len(group) == 1 or (len(movers) == 1 and task.loose):
            lifts.append(lone(movers, followers, following, task.beliefs.shape[1]))
        else:
            lifts.append(lift(task, priced.menu[row], movers, left[movers], followers, following, way))
    return lifts


def _answer(task: Task, plan: Plan, priced: Priced, lifts: list[Lift]) -> Answer:
    return Answer(
        priced.menu,
        best_rows(priced.menu, task.beliefs) if task.loose else plan.home,
        priced.margin,
        priced.prices,
        np.concatenate([one.enviers for one in lifts]),
        np.concatenate([one.envied for one in lifts]),
        np.concatenate([one.envy for one in lifts]),
        _numbered(plan.home, plan.held, priced.envy[priced.envious > 0], np.flatnonzero(priced.prices > 0)),
    )


def _split(task: Task, plan: Plan, priced: Priced, lifts: list[Lift], held: Marks) -> Plan:
    """The plan in which the beliefs that the lifts move apart have rows apart."""
    home = plan.home.copy()
    children: dict[int, Numbers] = {}
    size = len(priced.menu)
    for row, one in enumerate(lifts):
        if one.gain < -tolerance.FEASIBLE / len(lifts):
            group = np.flatnonzero(plan.home == row)
            part = _parts(task, group, one)
            places = np.append(row, size + np.arange(part.max()))
            home[group], children[row] = places[part], places
            size += int(part.max())
    watched = _inherited(priced.envy[priced.envious > 0], children)
    home = _rehomed(task, home, priced, children)
    return _numbered(home, held, watched, np.flatnonzero(priced.prices > 0))


def _parts(task: Task, group: Numbers, one: Lift) -> Numbers:
    """Which part of its group each belief goes to: the movers by their move, the others by the move they like best."""
    moves, part = np.unique(one.moves.round(7), axis=0, return_inverse=True)
    parts = (task.beliefs[group] @ moves.T).argmax(axis=1)
    parts[np.searchsorted(group, one.movers)] = part.ravel()
    if (parts == parts[0]).all():
        return np.arange(len(group))
    return np.unique(parts, return_inverse=True)[1].ravel()


def _inherited(envy: Numbers, children: dict[int, Numbers]) -> Numbers:
    """Pairs (belief, row) with every part of a row in its place."""
    pairs = [envy]
    for row, places in children.items():
        belief = envy[envy[:, 1] == row, 0]
        pairs.extend(np.stack([belief, np.full(len(belief), place)], axis=1) for place in places[1:])
    return np.concatenate(pairs)


def _rehomed(task: Task, home: Numbers, priced: Priced, children: dict[int, Numbers]) -> Numbers:
    """Homes after beliefs that were paid more than theirs moved to the row that they like best."""
    moved = priced.excess > tolerance.ENVY
    origin = np.arange(home.max() + 1)
    for row, places in children.items():
        origin[places] = row
    places = np.unique(home)
    home[moved] = places[best_rows(priced.menu[origin[places]], task.beliefs[moved])]
    return home


def _numbered(home: Numbers, held: Marks, envy: Numbers, rivals: Numbers) -> Plan:
    """A plan whose rows are numbered without gaps, and whose pairs are between a belief and another's row."""
    places, numbered = np.unique(home, return_inverse=True)
    numbered = numbered.ravel()
    number = np.full(int(max(home.max(), envy[:, 1].max(initial=0))) + 1, -1)
    number[places] = np.arange(len(places))
    envy = np.stack([envy[:, 0], number[envy[:, 1]]], axis=1)
    there = (envy[:, 1] >= 0) & (envy[:, 1] != numbered[envy[:, 0]])
    return Plan(numbered, held, np.unique(envy[there], axis=0), rivals)
