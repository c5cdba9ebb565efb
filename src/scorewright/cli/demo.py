"""`scorewright demo`: the main job, on the analyst game."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from scorewright.cli import screen
from scorewright.cli.solve import print_solution
from scorewright.families import analyst
from scorewright.optimum import cheapest_scale, classic_shapes, classics, solve


def command(
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the comparison: svg, png or pdf.")] = None,
    save_game: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the game as JSON.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """Solve the analyst game, and compare its optimum with the rules that people use."""
    if plot is not None:
        from scorewright import plot as draw

        draw.check_picture(plot)
    game = analyst()
    solution = solve(game)
    scaled = classics(game)
    same = {name: cheapest_scale(game, shape, solution.effort) for name, shape in classic_shapes(game).items()}
    alike = {name: None if one is None else one.payment for name, one in same.items()}
    if save_game is not None:
        game.save(save_game)
    if plot is not None:
        figure = draw.comparison(
            {"optimal": solution.profit} | {name: one.profit for name, one in scaled.items()},
            {"optimal": solution.payment} | {name: one.payment for name, one in scaled.items()},
            unit="thousand dollars",
            title="The analyst game: each rule at its best scale",
        )
        draw.save(figure, plot)
    if as_json:
        screen.say_json(
            {
                "optimal": {
                    "effort": solution.effort,
                    "profit": solution.profit,
                    "payment": solution.payment,
                },
                "classic": {
                    name: {
                        "effort": one.effort,
                        "profit": one.profit,
                        "payment": one.payment,
                        "lost": solution.profit - one.profit,
                        "payment_for_the_same_effort": alike[name],
                    }
                    for name, one in scaled.items()
                },
            }
        )
        return
    amount = screen.money(game)
    screen.say(
        "A manager decides whether to invest; an analyst can find out more, at a cost. In thousands of dollars.\n"
    )
    print_solution(solution)
    screen.say(("\nWhat to pay the analyst", "bold"))
    screen.show(screen.payments_table(game, solution.rule, solution.effort))
    screen.say(("What people use instead", "bold"), ", each at its best scale and without fixed pay")
    best = game.name(solution.effort)
    made = screen.table("rule", "buys", "payment", "profit", "lost", f"to get “{best}”", right=2)
    made.add_row(
        "optimal",
        best,
        amount(solution.payment),
        amount(solution.profit),
        "",
        amount(solution.payment),
        style="bold",
    )
    for name, one in scaled.items():
        made.add_row(
            name,
            game.name(one.effort),
            amount(one.payment),
            amount(one.profit),
            amount(solution.profit - one.profit),
            "more than the bound" if (paid := alike[name]) is None else amount(paid),
        )
    screen.show(made)
    best_classic = max(scaled.values(), key=lambda one: one.profit)
    saved = solution.profit - scaled["quadratic"].profit
    screen.say(
        "The optimal rule earns ",
        (f"{amount(saved)} thousand dollars more per decision", "bold"),
        " than the best quadratic (Brier) payment, and ",
        f"{amount(solution.profit - best_classic.profit)} more than the best of them all.",
    )
