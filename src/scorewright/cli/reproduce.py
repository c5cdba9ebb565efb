"""`scorewright reproduce`: every claim of the paper, measured."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scorewright import study
from scorewright.cli import screen
from scorewright.cli.study import AsJson, Engine, Quiet, Scheduler, Workers
from scorewright.errors import InvalidInputError


def command(
    quick: Annotated[bool, typer.Option("--quick", help="Smaller sizes: within five minutes on two cores.")] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where results and the report go, and where to go on.")
    ] = None,
    engine: Engine = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
    quiet: Quiet = False,
    as_json: AsJson = False,
) -> None:
    """Run the studies behind every claim of the paper and write claim, measured value and verdict as a report."""
    from scorewright.study import reproduce
    from scorewright.study.claims import CLAIMS

    player = study.engine(engine, workers, scheduler)
    folder = out if out is not None else Path("reproduction-quick" if quick else "reproduction")
    if folder.exists() and not folder.is_dir():
        raise InvalidInputError(f"{folder} is a file, not a folder")
    if not as_json:
        minutes = reproduce.cost()
        promise = "at most five minutes on two cores" if quick else (
            f"about {minutes:,.0f} core minutes: {minutes / player.workers:,.0f} on these {player.workers} workers"
        )  # fmt: skip
        screen.note(f"Reproducing {len(CLAIMS)} claims into {folder}: {promise}.")
    with screen.phases(quiet=quiet) as tick:
        answers = reproduce.reproduce(folder, quick=quick, engine=player, progress=tick)
    if as_json:
        screen.say_json(
            {
                "quick": quick,
                "folder": str(folder),
                "claims": [
                    {
                        "claim": answer.claim.name,
                        "says": answer.claim.says,
                        "how": answer.claim.how,
                        "lines": [vars(line) for line in answer.finding.lines],
                    }
                    for answer in answers
                ],
            }
        )
        return
    table = screen.table("claim", "where", "measured", "verdict", right=4)
    for answer in answers:
        for number, line in enumerate(answer.finding.lines):
            table.add_row(answer.claim.name if number == 0 else "", line.where, line.measured, line.verdict)
    screen.show(table)
    screen.say(f"The report is {folder / 'claims.html'}, and as Markdown {folder / 'claims.md'}.")
