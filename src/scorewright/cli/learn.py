"""`scorewright learn`: play the principal for real, round by round."""

from __future__ import annotations

import contextlib
import math
import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from scorewright import learn
from scorewright.cli import screen
from scorewright.cli.conversation import IMPOSSIBLE, Conversation, People, Programs
from scorewright.cli.keeping import Keeper
from scorewright.errors import DocumentError, InvalidInputError, NothingLearnedError
from scorewright.game import Game, Setting, load
from scorewright.learn import Haggler, Learner, Recommendation
from scorewright.validation import member

LEARNERS = ("haggler", "scaled-quadratic")
"""Those that need to be told nothing but the setting."""

_PROBABILITY = 0.95
"""Of the interval and of being sure."""

_FINEST = 1e-6
"""A gap smaller than this share of the widest is as good as none."""


def command(
    setting: Annotated[Path, typer.Argument(metavar="SETTING", help="A setting in JSON; a game does as well.")],
    learner: Annotated[str, typer.Option(help=f"Who decides what to offer: {', '.join(LEARNERS)}.")] = LEARNERS[0],
    rng: Annotated[int | None, typer.Option(metavar="SEED", help="Seed of a new learner. Default: 0.")] = None,
    horizon: Annotated[int | None, typer.Option(help="How many rounds there will be, if that is known.")] = None,
    state: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where the learner is kept. Default: SETTING.learner.json.")
    ] = None,
    rounds: Annotated[int | None, typer.Option(help="Stop after this many answers.")] = None,
    status: Annotated[bool, typer.Option("--status", help="Only say where it stands.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Talk JSON Lines with a program.")] = False,
) -> None:
    """Learn what to pay, with an agent of your own: see an offer, say what the agent did, see a better one."""
    if rounds is not None and rounds < 1:
        raise InvalidInputError(f"--rounds is {rounds}; it must be at least 1")
    if rng is not None and rng < 0:
        raise InvalidInputError(f"--rng is {rng}; it can't be negative")
    if member(learner, "learner", learn.names()) not in LEARNERS:
        raise InvalidInputError(
            f"learner {learner!r} must be told more than a setting: take {' or '.join(LEARNERS)} "
            f"(scorewright simulate plays the others)"
        )
    known = read_setting(setting)
    keeper = Keeper(state or setting.with_suffix(".learner.json"))
    options: dict[str, Any] = {"rng": rng or 0} | ({} if horizon is None else {"horizon": horizon})
    fresh = learn.make(learner, known, **options)
    given = {"rng": "seed"} if rng is not None else {}
    player = keeper.restore(fresh, known, given | ({} if horizon is None else {"horizon": "horizon"})) or fresh
    if status:
        _say_status(player, keeper, as_json)
        return
    talk = Programs(player) if as_json else People(player)
    talk.begin(str(keeper.path), keeper.rounds)
    with contextlib.suppress(KeyboardInterrupt):  # what was answered is on the disk
        _play(player, keeper, talk, rounds)
    words = ["scorewright", "learn", str(setting)]
    words += ["--learner", learner] if learner != LEARNERS[0] else []
    words += ["--state", str(state)] if state else []
    talk.end(str(keeper.path), keeper.rounds, shlex.join(words))


def read_setting(path: Path) -> Setting:
    """Read a file that must be a setting, or a game, of which only the setting is used."""
    found = load(path)
    if isinstance(found, Game):
        return found.setting
    if not isinstance(found, Setting):
        raise DocumentError(f"{path} is a {type(found).__name__.lower()}, not a setting or a game")
    return found


def _play(learner: Learner, keeper: Keeper, talk: Conversation, most: int | None) -> None:
    """Play until somebody has had enough; whatever is shown or answered is kept first."""
    answered = 0
    while most is None or answered < most:
        offer = learner.ask()
        keeper.keep(learner)
        talk.show(offer)
        while (answer := talk.answer(offer)) is not None:
            try:
                learner.tell(offer, answer.effort, answer.report)
                break
            except IMPOSSIBLE as problem:
                talk.refuse(str(problem))
        if answer is None:
            return
        keeper.keep(learner)
        talk.heard(offer, answer)
        answered += 1


# -- where it stands -------------------------------------------------------------------------------------------------


def _say_status(learner: Learner, keeper: Keeper, as_json: bool) -> None:
    try:
        best = learner.recommend(_PROBABILITY)
    except NothingLearnedError:
        best = None
    within = surely_within(learner, best) if best is not None and isinstance(learner, Haggler) else None
    if as_json:
        screen.say_line(
            {
                "learner": learner.name,
                "state": str(keeper.path),
                "answered": keeper.rounds,
                "recommendation": None if best is None else _facts(learner, best),
                "surely_within": within,
            }
        )
        return
    some = f"{keeper.rounds:,} {'round' if keeper.rounds == 1 else 'rounds'}"
    if best is None:
        screen.say(f"Nothing has been answered yet ({keeper.path}).")
        return
    amount = screen.money(learner.setting.terms.bound)
    screen.say(f"{learner.name}: {some} answered, kept in {keeper.path}.\n")
    screen.say("The rule to settle on now buys ", (_name(learner, best.effort), "bold"), " and earns about ",
               (amount(best.profit), "bold"), f" a round: {amount(best.low)} to {amount(best.high)} with "
               f"{best.probability:.0%} probability.")  # fmt: skip
    screen.show(screen.payments_table(learner.setting.terms, best.rule, learner.estimates().information[best.effort]))
    screen.say(f"Evidence: {best.evidence}.")
    if not isinstance(learner, Haggler):
        screen.say(f"Sure? {learner.name} never says.")
    elif within is None:
        why = "the agent errs" if learner.errs else "too little has been seen of some effort"
        screen.say(f"Sure? Not yet, {why}: how much better another rule may be, nobody can say.")
    else:
        screen.say(
            f"Sure? With {best.probability:.0%} probability no rule earns more than {amount(within)} a round more."
        )


def surely_within(learner: Haggler, best: Recommendation) -> float | None:
    """Return the least gap, to half a per cent, for which the learner is sure of `best`.

    None if there is none that says anything: no rule earns more than the most that a belief is worth.
    """
    high = float(learner.setting.value.max()) - best.low
    if high <= 0 or not learner.sure(high, best.probability):
        return None
    low = high * _FINEST
    while high > 1.005 * low:
        middle = math.sqrt(low * high)
        low, high = (low, middle) if learner.sure(middle, best.probability) else (middle, high)
    return high


def _facts(learner: Learner, best: Recommendation) -> dict[str, Any]:
    return {
        "payments": best.rule.payments.tolist(),
        "effort": best.effort,
        "name": _name(learner, best.effort),
        "profit": best.profit,
        "low": best.low,
        "high": best.high,
        "probability": best.probability,
        "rounds": best.rounds,
        "evidence": best.evidence,
    }


def _name(learner: Learner, effort: int) -> str:
    known = learner.setting.terms.efforts
    if known is not None:
        return known[effort]
    labels: dict[int, str] = {number: label for label, number in learner.state()["discovered"].items()}
    return labels.get(effort, f"effort {effort}")
