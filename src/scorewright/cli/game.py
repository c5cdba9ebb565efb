"""`scorewright game`: games from data."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Annotated

import typer

from scorewright import forecasts, study
from scorewright.cli import screen
from scorewright.errors import ForecastWarning, InvalidInputError
from scorewright.plot import check_picture

app = typer.Typer(help="Make a game of a forecast table, and say how far it can be trusted.", no_args_is_help=False)


@app.callback()
def top() -> None:
    """Make a game of a forecast table, and say how far it can be trusted."""


@app.command("from-forecasts")
def from_forecasts(
    table: Annotated[
        str,
        typer.Argument(
            metavar="TABLE",
            help="A CSV or Parquet file with columns item_id, tier, outcome and p_<state>; or heart_tests, an example.",
        ),
    ],
    costs: Annotated[Path, typer.Option(metavar="FILE", help="A CSV file with columns tier and cost.")],
    utility: Annotated[
        str,
        typer.Option(
            metavar="WORDS|FILE|JSON",
            help="What you decide: classify, classify:disease=10,healthy=2 (what it costs to miss each), "
            "invest:up=100,down=-80, newsvendor:price=5,cost=3,salvage=1 (states are quantities), or a matrix, "
            "decisions x states, in JSON or in a JSON file.",
        ),
    ],
    bound: Annotated[float | None, typer.Option(help="The most you can pay. Default: your largest stake.")] = None,
    beliefs: Annotated[int, typer.Option(help="Beliefs that can be reported, at most.")] = 8,
    calibration: Annotated[
        str, typer.Option(help="Recalibrate by: auto, beta, isotonic, multinomial; none takes forecasts as they are.")
    ] = "auto",
    clusters: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="The column that says which items belong together.")
    ] = None,
    own_base_rates: Annotated[
        bool, typer.Option("--own-base-rates", help="Tiers may judge different items: do not force one base rate.")
    ] = False,
    resamples: Annotated[int, typer.Option(help="Draw the items anew this often, for the intervals.")] = 200,
    seed: Annotated[int, typer.Option(help="Seed; the same one gives the same game.")] = 0,
    report: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the report, one page of HTML.")] = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the game as JSON.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """Recalibrate and bin a forecast table; say which tiers can be induced, at what bound, and how sure that is."""
    if seed < 0:
        raise InvalidInputError(f"--seed is {seed}; it can't be negative")
    if report is not None:
        check_picture("report.svg")  # before the work, not after it
    with warnings.catch_warnings(), screen.progress("resampling", wanted=True) as tick:
        warnings.simplefilter("ignore", ForecastWarning)  # the report says them
        found = forecasts.assess(
            table,
            costs=costs,
            utility=forecasts.spoken(utility),
            bound=bound,
            beliefs=beliefs,
            calibration=None if calibration == "none" else calibration,
            clusters=clusters,
            exogenous=False if own_base_rates else None,
            resamples=resamples,
            rng=seed,
            progress=tick,
        )
    if save is not None:
        found.game.save(save)
    if report is not None:
        study.assessment_report(found, report, title=Path(table).stem)
    if as_json:
        screen.say_json(found.to_dict())
        return
    screen.say(str(found))
    for what, where in (("The game", save), ("The report", report)):
        if where is not None:
            screen.say(f"{what} is in {where}.")
