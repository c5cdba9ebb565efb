"""`scorewright demo`: the main job, on the analyst game, in less than a minute."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from scorewright import oracles
from scorewright.cli import screen
from scorewright.errors import InvalidInputError
from scorewright.families import analyst
from scorewright.game import Game
from scorewright.learn import FixedRule, Haggler, Learner, OsrlUcb
from scorewright.optimum import Scaled, Solution, cheapest_scale, classic_shapes, classics, solve
from scorewright.simulate import Run, simulate

_MARKS = (100, 300, 1000)
"""Rounds after which the table says what was lost, besides the last."""

HAGGLER, OSRL, FIXED = "Haggler", "OSRL-UCB as printed", "best quadratic rule"

_TOLD = {HAGGLER: "the setting", OSRL: "a rule per effort", FIXED: "everything"}


def command(
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw what was lost: svg, png or pdf.")] = None,
    save_game: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the game as JSON.")] = None,
    rounds: Annotated[int, typer.Option(help="Decisions to learn from.")] = 3000,
    seed: Annotated[int, typer.Option(help="Seed; the same one gives the same run.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """Learn what to pay an analyst whose costs nobody knows, and compare with what people do instead."""
    if plot is not None:
        from scorewright import plot as draw

        draw.check_picture(plot)
    if rounds < 1:
        raise InvalidInputError(f"--rounds is {rounds}; it must be at least 1")
    if seed < 0:
        raise InvalidInputError(f"--seed is {seed}; it can't be negative")
    game = analyst()
    solution = solve(game)
    scaled = classics(game)
    if save_game is not None:
        game.save(save_game)
    haggler = Haggler(game.setting, rng=seed)
    players: dict[str, Learner] = {
        HAGGLER: haggler,
        OSRL: OsrlUcb(game.setting, oracles.best_margin(game), rng=seed),
        FIXED: FixedRule(game.setting, scaled["quadratic"].rule, target=scaled["quadratic"].effort),
    }
    runs = {}
    for name, player in players.items():
        with screen.progress(name, wanted=rounds > 200) as tick:
            runs[name] = simulate(game, player, rounds, rng=seed, progress=tick)
    if plot is not None:
        title = "The analyst game: learning what to pay"
        draw.save(draw.learning(runs, unit="thousand dollars", title=title), plot)
    if as_json:
        screen.say_json(
            {
                "rounds": rounds,
                "seed": seed,
                "learners": {name: _facts(run) for name, run in runs.items()},
                "optimal": {"effort": solution.effort, "profit": solution.profit, "payment": solution.payment},
                "classic": _classic_facts(game, solution, scaled),
            }
        )
        return
    screen.say(
        "A manager decides whether to invest; an analyst can find out more, at a cost that only the analyst knows.\n"
        "In thousands of dollars; what is lost is expected, what is earned and paid is what happened.\n"
    )
    _say_learning(runs, game, scaled["quadratic"])
    best = haggler.recommend()
    screen.say(("\nWhat Haggler has come to pay", "bold"), f", for “{game.name(best.effort)}”: it earns ",
               f"{game.profit(best.rule):.3f} a decision; the best rule there is, {solution.profit:.3f}")  # fmt: skip
    shares = haggler.estimates().information[best.effort]
    screen.show(screen.payments_table(game.setting.terms, best.rule, shares))
    _say_classics(game, solution, scaled, rounds)


def _say_learning(runs: dict[str, Run], game: Game, fixed: Scaled) -> None:
    """Print what each lost, earned and paid, and what to make of it."""
    rounds = runs[HAGGLER].rounds
    marks = [mark for mark in _MARKS if mark < rounds] + [rounds]
    screen.say(("Learning what to pay", "bold"), f", over {rounds:,} decisions")
    made = screen.table("", *runs, right=1)
    made.columns[1].style = "bold"
    made.add_row("is told", *(_TOLD[name] for name in runs))
    for mark in marks:
        made.add_row(f"lost after {mark:,}", *(f"{run.regret[mark - 1]:,.0f}" for run in runs.values()))
    made.add_row("lost a decision, last fifth", *(f"{_lost_at_the_end(run):.3f}" for run in runs.values()))
    made.add_row("earned", *(f"{run.earned:,.0f}" for run in runs.values()))
    made.add_row("paid to the analyst", *(f"{run.paid:,.0f}" for run in runs.values()))
    made.add_row("kept", *(f"{run.earned - run.paid:,.0f}" for run in runs.values()))
    screen.show(made)
    lost = {name: float(run.regret[-1]) for name, run in runs.items()}
    price = f"{fixed.payment:,.2f}" if fixed.payment else "nothing"
    screen.say(
        "Told neither costs nor information, Haggler loses ",
        (f"{lost[HAGGLER]:,.0f} against the best rule", "bold"),
        f"; OSRL-UCB loses {_against(lost[OSRL], lost[HAGGLER])}, and the best quadratic rule, which buys "
        f"“{game.name(fixed.effort)}” for {price}, {_against(lost[FIXED], lost[HAGGLER])}.",
    )


def _against(lost: float, least: float) -> str:
    return f"{lost:,.0f}" + (f" ({lost / least:,.0f} times as much)" if lost > 1.5 * least > 0 else "")


def _say_classics(game: Game, solution: Solution, scaled: dict[str, Scaled], rounds: int) -> None:
    """Print what the game is worth to those who know it."""
    amount = screen.money(game.bound)
    screen.say(("If the costs were known", "bold"), ": the optimal rule, and familiar ones at their best scale")
    made = screen.table("rule", "buys", "payment", "profit", "lost a decision", right=2)
    best = game.name(solution.effort)
    made.add_row("optimal", best, amount(solution.payment), amount(solution.profit), "", style="bold")
    for name, one in scaled.items():
        lost = solution.profit - one.profit
        made.add_row(name, game.name(one.effort), amount(one.payment), amount(one.profit), amount(lost))
    screen.show(made)
    name, best_classic = max(scaled.items(), key=lambda item: item[1].profit)
    missed = solution.profit - best_classic.profit
    screen.say(
        "The optimal rule earns ",
        (f"{amount(solution.profit - scaled['quadratic'].profit)} thousand dollars more per decision", "bold"),
        " than the best quadratic (Brier) payment, and ",
        f"{amount(missed)} more than the best of them all, the {name} one; that one loses "
        f"{missed * rounds:,.0f} in {rounds:,} decisions, to somebody who knows at what scale.",
    )


def _facts(run: Run) -> dict[str, Any]:
    return {
        "regret": float(run.regret[-1]),
        "regret_after": {str(mark): float(run.regret[mark - 1]) for mark in _MARKS if mark <= run.rounds},
        "regret_per_round_at_end": _lost_at_the_end(run),
        "earned": run.earned,
        "paid": run.paid,
        "kept": run.earned - run.paid,
        "phases": run.phases,
    }


def _lost_at_the_end(run: Run) -> float:
    """Expected loss a round over the last fifth."""
    tail = max(1, run.rounds // 5)
    return float(np.append(0.0, run.regret)[[-1, -1 - tail]] @ [1, -1]) / tail


def _classic_facts(game: Game, solution: Solution, scaled: dict[str, Scaled]) -> dict[str, Any]:
    alike = {name: cheapest_scale(game, shape, solution.effort) for name, shape in classic_shapes(game).items()}
    return {
        name: {
            "effort": one.effort,
            "profit": one.profit,
            "payment": one.payment,
            "lost": solution.profit - one.profit,
            "payment_for_the_same_effort": None if (same := alike[name]) is None else same.payment,
        }
        for name, one in scaled.items()
    }
