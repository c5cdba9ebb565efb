"""The commands, put together."""

from __future__ import annotations

from typing import Annotated

import typer

import scorewright
from scorewright.cli import demo, game, learn, reproduce, serve, session, simulate, solve, study

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("solve")(solve.command)
app.add_typer(game.app, name="game")
app.command("learn")(learn.command)
app.command("simulate")(simulate.command)
app.add_typer(study.app, name="study")
app.command("reproduce")(reproduce.command)
app.command("demo")(demo.command)
app.command("serve")(serve.command)
app.add_typer(session.app, name="session")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"scorewright {scorewright.__version__}")
        raise typer.Exit


@app.callback()
def top(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Design and learn payment rules that buy good information."""
    del version  # its callback has answered
