"""An independent witness: the known game once more, as plainly as it can be written, and games to try it on.

`plain` is the textbook formulation (dense rows, one per ordered pair of beliefs, scipy's linprog) and shares nothing
with scorewright but the game's numbers.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np
from scipy.optimize import linprog

import scorewright as sw


def plain(game: sw.Game, effort: int) -> float | None:
    """Least expected payment that induces `effort`; None if nothing does."""
    beliefs, information, costs = game.beliefs, game.information, game.costs
    count, states = beliefs.shape
    rows, limits = [], []
    for i in range(count):
        for j in range(count):
            if i != j:
                row = np.zeros((count, states))
                row[i] -= beliefs[i]
                row[j] += beliefs[i]
                rows.append(row.ravel())
                limits.append(0.0)
    for rival in range(len(costs)):
        if rival != effort:
            row = -((information[effort] - information[rival])[:, None] * beliefs).ravel()
            size = np.abs(row).max() or 1.0  # efforts may differ by less than the entries that HiGHS drops
            rows.append(row / size)
            limits.append(-(costs[effort] - costs[rival]) / size)
    least = np.where(beliefs == 0, -game.penalty, 0.0).ravel()
    found = linprog(
        (information[effort][:, None] * beliefs).ravel(),
        A_ub=np.array(rows) if rows else None,
        b_ub=np.array(limits) if rows else None,
        bounds=np.column_stack([least, np.full(least.shape, game.bound)]),
        method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    if found.status == 2:
        return None
    assert found.status == 0, found.message
    return float(found.fun)


def games(count: int, seed: int = 0) -> Iterator[tuple[str, sw.Game]]:
    """Random games of every kind that the families know, and of the awkward kinds that users bring."""
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        yield f"{seed}/{number}", draw(rng)


def draw(rng: np.random.Generator) -> sw.Game:
    """One game: K 1..8, W 2..6, M up to 40, then perhaps made awkward."""
    efforts, states = int(rng.integers(1, 9)), int(rng.integers(2, 7))
    bound = float(rng.choice([0.2, 1.0, 1.0, 5.0, 300.0]))
    dominated = int(rng.integers(0, 3)) if efforts > 1 and rng.random() < 0.2 else 0
    if rng.random() < 0.15:
        game = sw.families.random_contract(
            rng=rng, efforts=efforts, outcomes=states + 1, bound=bound, stake=3 * bound, dominated=dominated
        )
    else:
        support = str(rng.choice(["disjoint", "disjoint", "shared", "nested"]))
        most = 40 // efforts if support == "disjoint" else 12
        game = sw.families.random(
            rng=rng,
            efforts=efforts,
            states=states,
            observations=int(rng.integers(2, max(3, most + 1))),
            quality=(float(rng.uniform(0, 0.4)), float(rng.uniform(0.5, 1.0))),
            spread=float(rng.choice([1.0, 0.3, 0.02])),
            support=support,
            dominated=dominated,
            skew=float(rng.choice([0.0, 0.0, 0.6])),
            bound=bound,
            stake=float(rng.choice([0.5, 2.0, 20.0])) * bound,
        )
    return awkward(game, rng)


def awkward(game: sw.Game, rng: np.random.Generator) -> sw.Game:
    """Perhaps ties, coinciding or impossible beliefs, fines, costs out of order, or a bound far too small."""
    beliefs, information, costs = (np.array(part) for part in (game.beliefs, game.information, game.costs))
    bound, penalty = game.bound, 0.0
    kind = int(rng.integers(0, 12))
    if kind == 0:  # two efforts that tie in everything
        information, costs = np.vstack([information, information[-1:]]), np.append(costs, costs[-1])
    elif kind == 1:  # a belief twice
        beliefs, information = np.vstack([beliefs, beliefs[:1]]), np.hstack([information / 1, information[:, :1] / 2])
        information[:, 0] /= 2
    elif kind == 2:  # a belief that no effort ever gives
        extra = rng.dirichlet(np.ones(beliefs.shape[1]))[None, :]
        beliefs, information = np.vstack([beliefs, extra]), np.hstack([information, np.zeros((len(costs), 1))])
    elif kind == 3:  # beliefs that rule a state out, and fines for it
        beliefs[beliefs < 0.5 / beliefs.shape[1]] = 0.0
        beliefs /= beliefs.sum(axis=1, keepdims=True)
        penalty = float(rng.choice([0.3, 1.0, 4.0])) * bound
    elif kind == 4:  # costs in any order
        costs = rng.permutation(costs)
    elif kind == 5:  # too little money
        bound *= float(rng.uniform(0.01, 0.5))
    elif kind == 6:  # all costs equal
        costs = np.zeros_like(costs)
    information /= information.sum(axis=1, keepdims=True)
    return sw.Game(beliefs, information, costs, game.utility, bound, penalty)


@dataclasses.dataclass
class Tally:
    """What was checked, and the worst that was seen, relative to max(1, bound)."""

    games: int = 0
    efforts: int = 0
    uninducible: int = 0
    payment: float = 0.0
    gap: float = 0.0
    violation: float = 0.0
    improper: float = 0.0
    reason_gap: float = 0.0
    mixed_responses: int = 0
    rivals_tried: int = 0
    best_rival: float = -np.inf

    def add(self, other: Tally) -> None:
        """Fold another tally into this one."""
        for field in dataclasses.fields(self):
            mine, theirs = getattr(self, field.name), getattr(other, field.name)
            setattr(self, field.name, mine + theirs if isinstance(mine, int) else max(mine, theirs))


def examine(game: sw.Game, rng: np.random.Generator) -> Tally:
    """Check everything that `solve` claims about one game; raise AssertionError on the first thing that fails."""
    solution = sw.solve(game)
    scale = max(1.0, game.bound)
    tally = Tally(games=1, efforts=len(game.costs))
    for effort, (found, reason) in enumerate(zip(solution.by_effort, solution.reasons, strict=True)):
        payment = plain(game, effort)
        if found is None:
            assert payment is None or reason.margin > -1e-9 * scale, f"effort {effort}: plain pays {payment}"
            assert reason.certificate.dual < 0, f"effort {effort}: no certificate that it can't be induced"
            assert reason.least_bound > game.bound
            tally.uninducible += 1
            tally.reason_gap = max(tally.reason_gap, reason.certificate.gap / scale)
            continue
        assert reason is None
        assert payment is not None, f"effort {effort}: plain finds nothing, we pay {found.payment}"
        tally.payment = max(tally.payment, abs(payment - found.payment) / scale)
        tally.gap = max(tally.gap, found.certificate.gap / scale)
        tally.violation = max(tally.violation, found.certificate.violation / scale)
        tally.improper = max(tally.improper, -found.rule.slack / scale)
        assert found.rule.is_proper()
        assert found.rule.within(game.bound, game.penalty)
        assert abs(found.profit - (game.worth[effort] - game.information[effort] @ found.rule.expected)) < 1e-9 * scale
        if game.respond(found.rule) != effort:
            # A rival ties with it and suits the principal as well or better; any step into the region settles it.
            tally.mixed_responses += 1
            surplus = game.surplus(found.rule)
            assert surplus[effort] >= surplus.max() - 1e-9 * scale
            firm = sw.margin(game, effort)
            if firm.value > 1e-7 * scale:
                assert game.respond(found.rule.mix(firm.rule, min(1.0, 1e-8 * scale / firm.value))) == effort
    assert game.respond(solution.rule) == solution.effort
    assert abs(game.profit(solution.rule) - solution.profit) < 1e-9 * scale
    for rule in rivals(game, rng):
        tally.rivals_tried += 1
        tally.best_rival = max(tally.best_rival, (game.profit(rule) - solution.profit) / scale)
    for name, value in (("payment", tally.payment), ("gap", tally.gap), ("violation", tally.violation)):
        assert value < 1e-8, f"{name} off by {value:.2e}"
    assert tally.reason_gap < 1e-8
    assert tally.best_rival < 1e-9, f"a rival earns {tally.best_rival:.2e} more"
    return tally


def rivals(game: sw.Game, rng: np.random.Generator) -> Iterator[sw.Rule]:
    """Rules that must not do better: the classics at every scale where the response changes, and random ones."""
    for shape in sw.optimum.classic_shapes(game).values():
        yield sw.optimum.best_scale(game, shape).rule
        top = shape.payments.max()
        yield from (shape.scaled(x * game.bound / top) for x in rng.random(3) if top > 0)
    sampler = sw.rules.Sampler(game.beliefs, game.bound, steps=20)
    for _ in range(3):
        rule = sampler.draw(rng)
        yield rule
        yield rule.scaled(rng.random())
