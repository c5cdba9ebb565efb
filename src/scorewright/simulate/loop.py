"""The loop: a learner and an agent play a game.

Against the rational agent the kernel plays many rounds in one call, wherever the learner can go on alone; otherwise
every round is asked and told. Both ways give the same run.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from scorewright.agents import Agent, Player, Rational, Witness
from scorewright.agents.rational import Response
from scorewright.errors import InvalidInputError
from scorewright.game import Game, tie
from scorewright.kernel import Board, Ledger
from scorewright.learn import HiddenEffort, Learner
from scorewright.learn.recording import RecordingLearner
from scorewright.optimum import solve
from scorewright.simulate.run import Run
from scorewright.validation import expect, generator, member, whole

Record = Literal["all", "thin"]

_GLANCE = 0.1
"""Seconds between two looks at the clock: how long a key press or the progress bar may wait."""


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
    utility = game.utility[game.setting.decision]
    board = Board(game.information, game.costs, game.worth, game.beliefs, utility, tie(game.bound), best)
    ledger = Ledger(np.arange(1, rounds + 1) if record == "all" else log_spaced(rounds))
    compiled = learner if isinstance(learner, RecordingLearner) and type(player) is Response else None
    many = 64
    while ledger.rounds < rounds:
        started, left = time.perf_counter(), rounds - ledger.rounds
        alone = compiled.alone() if compiled is not None and compiled.ready(board.efforts) else 0
        if compiled is not None and alone:
            compiled.play(board, ledger, chance.random((min(many, left, alone), 2)))
        else:
            _one_round(board, ledger, learner, player, chance)
        took = time.perf_counter() - started
        many = max(1, many // 2) if took > 2 * _GLANCE else min(1 << 20, many * 2) if took < _GLANCE else many
        if progress is not None and (alone or ledger.rounds % 200 == 0 or ledger.rounds == rounds):
            progress(ledger.rounds, rounds)
    aimed = ledger.total("aimed")
    return Run(
        game,
        best,
        rounds,
        phases=ledger.phases,
        obeyed=ledger.total("obeyed") / aimed if aimed else 1.0,
        paid=ledger.total("paid"),
        earned=ledger.total("earned"),
        **ledger.columns(),
    )


def _one_round(
    board: Board, ledger: Ledger, learner: Learner | HiddenEffort, player: Player | Witness, chance: np.random.Generator
) -> None:
    offer = learner.ask()
    rule, target = offer.rule, -1 if offer.target is None else offer.target
    if isinstance(player, Witness):
        seen = player.answer(rule)
        ledger.book(board, rule.payments, rule.expected, seen.effort, target, offer.phase, seen.report, seen.state)
        learner.tell(offer, seen.effort, seen.report)
        return
    effort = player.choose(rule.expected)
    report = ledger.settle(board, rule.payments, rule.expected, effort, target, offer.phase, chance.random(2))
    learner.tell(offer, effort, report)


def log_spaced(rounds: int, per_decade: int = 100) -> NDArray[np.int64]:
    """Round numbers for a thinned record: the first hundred, then log-spaced, and the last."""
    decades = np.log10(rounds) if rounds > 1 else 0.0
    spaced = np.rint(np.logspace(0, decades, int(per_decade * decades) + 2)).astype(np.int64)
    return np.unique(np.concatenate([np.arange(1, min(rounds, 100) + 1), spaced, [rounds]]))
