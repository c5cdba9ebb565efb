"""`scorewright solve`: the best rule for a game in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scorewright.cli import screen
from scorewright.document import Path_
from scorewright.errors import DocumentError
from scorewright.game import Game, load
from scorewright.optimum import payable, solve
from scorewright.optimum.solution import Solution


def command(
    game: Annotated[
        Path, typer.Argument(metavar="GAME", help="A game in JSON (scorewright demo --save-game makes one).")
    ],
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the rule: svg, png or pdf.")] = None,
    regions: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw which effort nearby rules buy: svg, png or pdf.")
    ] = None,
    save_rule: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the rule as JSON.")] = None,
    margin: Annotated[float, typer.Option(help="The effort must beat every other by this much.")] = 0.0,
    strength: Annotated[float, typer.Option(help="False reports must lose: the rule's strength.")] = 0.0,
    unit: Annotated[float | None, typer.Option(help="Pay in whole multiples of this, such as 0.01.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """Find the payment rule that buys the right effort for the least money, and prove it."""
    _check_pictures(plot, regions)
    known = read_game(game)
    with screen.progress("solving", wanted=known.beliefs.shape[0] > 60) as tick:
        solution = solve(known, margin=margin, strength=strength, progress=tick)
    whole = None if unit is None else payable(known, unit, margin=margin, strength=strength)
    rule = solution.rule if whole is None else whole.rule
    effort = solution.effort if whole is None else whole.effort
    if save_rule is not None:
        rule.save(save_rule)
    if plot is not None:
        from scorewright import plot as draw

        title = f"Paying for “{known.name(effort)}”"
        draw.save(draw.rule(rule, states=known.states, weights=known.information[effort], title=title), plot)
    if regions is not None:
        from scorewright import plot as draw

        draw.save(draw.regions(known), regions)
    if as_json:
        content = solution.to_dict()
        if whole is not None:
            content["in_units"] = {
                "unit": whole.unit,
                "effort": whole.effort,
                "profit": whole.profit,
                "cost": whole.cost,
                "rule": whole.rule.to_dict(),
            }
        screen.say_json(content)
        return
    print_solution(solution, _asked_for(margin, strength))
    if whole is not None:
        amount = screen.money(known.bound)
        other = (
            "it" if whole.effort == solution.effort else f"the best rule found buys {known.name(effort)!r} instead and"
        )
        screen.say(
            f"In whole multiples of {whole.unit:g} {other} leaves {amount(whole.profit)}: "
            f"rounding costs {amount(whole.cost)}."
        )
    screen.say(("\nWhat to pay", "bold"))
    screen.show(screen.payments_table(known.setting.terms, rule, known.information[effort]))
    if len(rule.beliefs) > screen.MOST_ROWS:
        screen.say(f"… and {len(rule.beliefs) - screen.MOST_ROWS} more reports: --json or --save-rule give them all.")


def _asked_for(margin: float, strength: float) -> str:
    """The conditions under which the answer is best, in words."""
    parts = [f"{name} {value:g}" for name, value in (("margin", margin), ("strength", strength)) if value]
    return f" with {' and '.join(parts)}" if parts else ""


def print_solution(solution: Solution, asked: str = "") -> None:
    """Print the efforts, the reasons, and the proof."""
    amount = screen.money(solution.game.bound)
    screen.show(screen.efforts_table(solution))
    missing = [reason for reason in solution.reasons if reason is not None]
    for number, reason in enumerate(missing, start=1):
        screen.say(f"({number}) {solution.game.name(reason.effort)}: {reason}.")
    proof = solution.certificate
    screen.say(
        "Best: ",
        (solution.game.name(solution.effort), "bold"),
        f" for {amount(solution.payment)}, which leaves {amount(solution.profit)}. Proved: no rule{asked} leaves more "
        f"(gap {proof.gap:.1e}, largest violation {proof.violation:.1e}).",
    )


def read_game(path: Path_) -> Game:
    """Read a file that must be a game."""
    found = load(path)
    if not isinstance(found, Game):
        raise DocumentError(f"{path} is a {type(found).__name__.lower()}, not a game")
    return found


def _check_pictures(*paths: Path | None) -> None:
    """Refuse a picture's name before the work, not after it."""
    if any(path is not None for path in paths):
        from scorewright.plot import check_picture

        for path in paths:
            if path is not None:
                check_picture(path)
