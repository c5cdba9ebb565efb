"""`scorewright simulate`: play a game out and see what a learner makes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from scorewright import agents, learn
from scorewright.cli import screen
from scorewright.cli.solve import read_game
from scorewright.errors import InvalidInputError
from scorewright.game import Game
from scorewright.simulate import Record, Run, simulate
from scorewright.study.entries import LearnerEntry
from scorewright.validation import member

_MANY = 100_000
"""Beyond this many rounds only some are recorded: the picture and the table look the same."""


def command(
    game: Annotated[
        Path, typer.Argument(metavar="GAME", help="A game in JSON (scorewright demo --save-game makes one).")
    ],
    learner: Annotated[
        list[str] | None, typer.Option(help="A learner by name; repeat it to compare. Default: osrl-ucb.")
    ] = None,
    rounds: Annotated[int, typer.Option(help="Rounds to play.")] = 1000,
    seed: Annotated[int, typer.Option(help="Seed; the same one gives the same run.")] = 0,
    agent: Annotated[str, typer.Option(help=f"Who answers: {', '.join(agents.names())}.")] = "rational",
    table: Annotated[
        Path | None, typer.Option(metavar="TABLE", help="The forecast table that --agent replay draws items from.")
    ] = None,
    radius: Annotated[float, typer.Option(help="Scale of OSRL-UCB's confidence radii.")] = 1.0,
    oracle: Annotated[
        str, typer.Option(help="Where oracle rules come from: best-margin, random-sampling, linear-search.")
    ] = "best-margin",
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the regret: svg, png or pdf.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """Play a learner against an agent and show regret, payments and compliance."""
    if plot is not None:
        from scorewright.plot import check_picture

        check_picture(plot)
    if rounds < 1:
        raise InvalidInputError(f"--rounds is {rounds}; it must be at least 1")
    if seed < 0:
        raise InvalidInputError(f"--seed is {seed}; it can't be negative")
    player = agents.make(agent, **({} if table is None else {"table": table}))
    wanted = list(dict.fromkeys(learner or ["osrl-ucb"]))
    for name in wanted:
        member(name, "learner", learn.names())
    known = read_game(game)
    runs = {}
    for name in wanted:
        made = make_learner(name, known, oracle, radius, seed)
        with screen.progress(name, wanted=rounds > 500) as tick:
            record: Record = "all" if rounds <= _MANY else "thin"
            runs[name] = simulate(known, made, rounds, rng=seed, agent=player, record=record, progress=tick)
    if plot is not None:
        from scorewright import plot as draw

        draw.save(draw.regret(runs, title=f"{rounds:,} rounds"), plot)
    if as_json:
        screen.say_json(
            {"rounds": rounds, "seed": seed, "agent": agent, "runs": {n: _facts(r) for n, r in runs.items()}}
        )
        return
    screen.say(f"{rounds:,} rounds against a {agent} agent, seed {seed}. The best rule earns ",
               (f"{next(iter(runs.values())).optimum:.6g}", "bold"), " a round.")  # fmt: skip
    made_table = screen.table("learner", "regret", "a round, at the end", "paid", "earned", "obeyed", "phases", right=1)
    for name, run in sorted(runs.items(), key=lambda item: item[1].regret[-1]):
        facts = _facts(run)
        made_table.add_row(
            name,
            f"{facts['regret']:,.2f}",
            f"{facts['regret_per_round_at_end']:.6g}",
            f"{run.paid:,.2f}",
            f"{run.earned:,.2f}",
            f"{run.obeyed:.1%}",
            ", ".join(f"{count:,} {phase}" for phase, count in run.phases.items()),
        )
    screen.show(made_table)


def make_learner(name: str, game: Game, oracle: str, radius: float, seed: int) -> learn.Learner:
    """Make a learner by name for a simulated game, with the oracle that was asked for."""
    member(oracle, "oracle", ("best-margin", "random-sampling", "linear-search"))
    needs = learn.needs(name)
    if "oracle" in needs and oracle != "best-margin" and name != "osrl-ucb":
        raise InvalidInputError(f"learner {name!r} takes oracle rules only: use --oracle best-margin")
    options = {"oracle": oracle, "radius": radius}
    return LearnerEntry(name, name, {o: v for o, v in options.items() if o in needs}).make(game, 1, seed)


def _facts(run: Run) -> dict[str, Any]:
    tail = max(1, run.rounds // 10)  # the last tenth, whatever was recorded
    before = np.interp(run.rounds - tail, [0, *run.round], [0.0, *run.regret])
    return {
        "regret": float(run.regret[-1]),
        "realised_regret": float(run.realised_regret[-1]),
        "regret_per_round_at_end": float((run.regret[-1] - before) / tail),
        "optimum": run.optimum,
        "paid": run.paid,
        "earned": run.earned,
        "obeyed": run.obeyed,
        "phases": run.phases,
    }
