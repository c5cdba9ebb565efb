"""The loop: a learner and an agent play a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from scorewright.agents import Agent, Rational
from scorewright.errors import InvalidInputError
from scorewright.game import Game
from scorewright.learn import HiddenEffort, Learner
from scorewright.optimum import solve
from scorewright.simulate.run import Run
from scorewright.validation import expect, generator, member, whole

Record = Literal["all", "thin"]


def simulate(
    game: Game,
    learner: Learner | HiddenEffort,
    rounds: int,
    *,
    rng: Any = None,
    agent: Agent | None = None,
    record: Record = "all",
    progress: Callable[[int, int], None] | None = None,
) -> Run:
    """Play `rounds` rounds of `game` and return what happened.

    Parameters
    ----------
    game : Game
    learner : Learner
        Goes on from where it is.
    rounds : int
    rng
        Seeds the agent's reports and the states; anything that `numpy.random.default_rng` takes.
    agent : Agent
        `agents.Rational()` by default.
    record : {"all", "thin"}
        Keep every round, or log-spaced ones (the last among them), for long runs.
    progress : callable, optional
        Called as ``progress(done, of)`` now and then.
    """
    expect(game, Game, "game")
    if not isinstance(learner, Learner | HiddenEffort):
        raise InvalidInputError(f"learner must be a Learner, such as learn.OsrlUcb, not {type(learner).__name__}")
    rounds = whole(rounds, "rounds", least=1)
    member(record, "record", ("all", "thin"))
    chance = generator(rng)
    player = (agent or Rational()).start(game, chance)
    best = solve(game).profit
    keep = set(range(1, rounds + 1)) if record == "all" else log_spaced(rounds)
    reports, states = np.cumsum(game.information, axis=1), np.cumsum(game.beliefs, axis=1)
    decisions = game.setting.decision
    rows: list[tuple[Any, ...]] = []
    regret = realised = paid = earned = 0.0
    phases: Counter[str] = Counter()
    aimed = obeyed = 0
    for number in range(1, rounds + 1):
        offer = learner.ask()
        rule = offer.rule
        effort = player.choose(rule.expected)
        draws = chance.random(2)
        report = int(np.searchsorted(reports[effort], draws[0] * reports[effort, -1], side="right"))
        state = int(np.searchsorted(states[report], draws[1] * states[report, -1], side="right"))
        learner.tell(offer, effort, report)
        payment = float(rule.payments[report, state])
        utility = float(game.utility[decisions[report], state])
        regret += best - float(game.worth[effort] - game.information[effort] @ rule.expected)
        realised += best - (utility - payment)
        paid, earned = paid + payment, earned + utility
        phases[offer.phase] += 1
        target = -1 if offer.target is None else offer.target
        aimed += target >= 0
        obeyed += target == effort
        if number in keep:
            rows.append((number, effort, target, offer.phase, report, state, payment, utility, regret, realised))
        if progress is not None and (number % 200 == 0 or number == rounds):
            progress(number, rounds)
    names = ("round", "effort", "target", "phase", "report", "state", "payment", "utility", "regret", "realised_regret")
    columns: dict[str, Any] = {
        name: np.array(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)
    }
    share = obeyed / aimed if aimed else 1.0
    return Run(game, best, rounds, phases=dict(phases), obeyed=share, paid=paid, earned=earned, **columns)


def log_spaced(rounds: int, per_decade: int = 100) -> set[int]:
    """Round numbers for a thinned record: the first hundred, then log-spaced, and the last."""
    decades = np.log10(rounds) if rounds > 1 else 0.0
    spaced = np.unique(np.rint(np.logspace(0, decades, int(per_decade * decades) + 2)).astype(np.int64))
    return {*range(1, min(rounds, 100) + 1), *spaced.tolist(), rounds}
