"""`scorewright study`: run a study, and report on it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from scorewright import study
from scorewright.cli import screen
from scorewright.errors import InvalidInputError
from scorewright.study import suite
from scorewright.study.report import plain

app = typer.Typer(
    help="Run many learners on many games, on one core or a cluster, and report on it.", no_args_is_help=False
)

Engine = Annotated[
    str | None, typer.Option(help="Who does the work: serial, processes or dask. Default: processes, one per core.")
]
Workers = Annotated[int | None, typer.Option(help="How many at a time.")]
Scheduler = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="A running Dask scheduler, such as tcp://10.0.0.1:8786.")
]
Quiet = Annotated[bool, typer.Option("--quiet", help="Plain lines instead of a progress bar.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]


@app.callback()
def top() -> None:
    """Run many learners on many games, on one core or a cluster, and report on it."""


@app.command("run")
def run(
    file: Annotated[
        str, typer.Argument(metavar="STUDY", help="A study in TOML, or the name of a packaged one: benchmark.")
    ],
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where results go, and where to go on. Default: STUDY's name.")
    ] = None,
    engine: Engine = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
    games: Annotated[list[str] | None, typer.Option("--game", help="Only this game; repeat for more.")] = None,
    learners: Annotated[list[str] | None, typer.Option("--learner", help="Only this learner; repeat for more.")] = None,
    add_learner: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Add a learner by name or Python path, module:attribute; repeat for more."),
    ] = None,
    rounds: Annotated[list[int] | None, typer.Option(help="Play this many rounds; repeat for more.")] = None,
    repeats: Annotated[int | None, typer.Option(help="Repeat this often.")] = None,
    retry: Annotated[bool, typer.Option("--retry", help="Try cells that failed once more.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be run, and stop.")] = False,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Run a study; killed or stopped, the same command goes on where it was."""
    player = study.engine(engine, workers, scheduler)
    asked = suite.load(file)
    if add_learner:
        asked = asked.with_learners(add_learner)
        learners = [*learners, *(entry.label for entry in asked.learners[-len(add_learner) :])] if learners else None
    asked = asked.part(games=games, learners=learners, rounds=rounds, repeats=repeats)
    folder = out if out is not None else Path(Path(file).stem)
    if dry_run:
        _say_plan(asked, folder, as_json)
        return
    with screen.study_progress(asked.name, quiet=quiet) as tick:
        results = study.run(asked, folder, engine=player, retry=retry, progress=tick)
    _say_board(results, None, as_json, f"scorewright study report {folder}")


@app.command("report")
def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder of results.")],
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where the page goes. Default: DIR/report.html.")
    ] = None,
    baseline: Annotated[str | None, typer.Option(help="The learner to compare with, by its label.")] = None,
    as_json: AsJson = False,
) -> None:
    """Write one page with leaderboard, curves, exponents, losing cases and failures; it needs no network."""
    results = study.read(folder)
    page = html if html is not None else folder / "report.html"
    study.report(results, page, baseline=baseline)
    _say_board(results, baseline, as_json, None, page)


def _say_plan(asked: study.Study, folder: Path, as_json: bool) -> None:
    tasks = asked.tasks()
    facts: dict[str, Any] = {
        "study": asked.name,
        "cells": len(tasks),
        "games": [entry.label for entry in asked.games],
        "learners": [entry.label for entry in asked.learners],
        "agents": [entry.label for entry in asked.agents],
        "rounds": list(asked.rounds),
        "repeats": asked.repeats,
        "folder": str(folder),
    }
    if as_json:
        screen.say_json(facts)
        return
    for name, value in facts.items():
        screen.say(f"{name}: {', '.join(map(str, value)) if isinstance(value, list) else value}")


def _say_board(
    results: study.Results, baseline: str | None, as_json: bool, then: str | None, page: Path | None = None
) -> None:
    failures = results.failures()
    if not results.finished():
        first = failures.iloc[0]["error"] if len(failures) else "nothing was run"
        raise InvalidInputError(f"no cell was finished, {len(failures)} failed: {first}")
    board = study.leaderboard(results, baseline=baseline)
    if as_json:
        rows = [plain(row) for row in board.to_dict("records")]
        failed = failures[["label", "error"]].to_dict("records")
        screen.say_json({"folder": str(results.folder), "leaderboard": rows, "failures": failed,
                         "page": None if page is None else str(page)})  # fmt: skip
        return
    table = screen.table("learner", "mean regret", "95% interval", "against baseline", "95% interval", "exponent",
                         "obeyed", "us a round", "cells", right=1)  # fmt: skip
    for row in board.to_dict("records"):
        table.add_row(
            str(row["learner"]),
            f"{row['regret']:,.2f}",
            f"{row['regret_low']:,.2f} to {row['regret_high']:,.2f}",
            f"{row['versus']:+,.2f}",
            f"{row['versus_low']:+,.2f} to {row['versus_high']:+,.2f}",
            f"{row['exponent']:.2f}",
            f"{row['obeyed']:.1%}",
            f"{row['microseconds']:,.1f}",
            str(row["cells"]),
        )
    screen.show(table)
    for failure in failures.head(5).to_dict("records"):
        screen.say(("Failed: ", "bold"), f"{failure['label']}: {failure['error']}")
    if len(failures) > 5:
        screen.say(f"… and {len(failures) - 5} more failures, with tracebacks in {results.failures_folder}")
    if then:
        screen.say(f"Results are in {results.folder}; for the page: {then}")
    if page is not None:
        screen.say(f"The page is {page}.")
