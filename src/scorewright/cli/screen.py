"""What the terminal shows: tables for people, a progress bar on long work, one line when something is wrong."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from scorewright.game import Terms
from scorewright.optimum import Solution
from scorewright.rules import Rule
from scorewright.study import Progress as Standing
from scorewright.validation import Array

MOST_ROWS = 40
"""Rows of a payment table that people read; machines take --json."""


def say(*parts: str | tuple[str, str]) -> None:
    """Print one line of plain text; a pair is a text and its style. Nothing in it is taken for markup."""
    Console(highlight=False, soft_wrap=True).print(Text.assemble(*parts))


def note(text: str) -> None:
    """Print one line of plain text where it does not get in the way of results: on standard error."""
    Console(stderr=True, highlight=False, soft_wrap=True).print(Text(text))


def say_json(content: Any) -> None:
    """Print one JSON document and nothing else."""
    sys.stdout.write(json.dumps(content, indent=1, allow_nan=False) + "\n")


def say_line(content: Any) -> None:
    """Print one JSON document on one line, at once: somebody may be waiting for it."""
    sys.stdout.write(json.dumps(content, allow_nan=False) + "\n")
    sys.stdout.flush()


def money(bound: float) -> Callable[[float], str]:
    """Return how to write amounts under this bound: four decimals when payments are about one, fewer when larger."""
    decimals = min(12, max(2, 4 - math.floor(math.log10(bound)))) if bound else 4
    return lambda amount: f"{amount + 0.0:,.{decimals}f}".replace("-0." + "0" * decimals, "0." + "0" * decimals)


def table(*columns: str, right: int = 0) -> Table:
    """Return an empty table whose columns from number `right` on are aligned right."""
    made = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for number, name in enumerate(columns):
        made.add_column(
            Text(name), justify="right" if number >= right else "left", overflow="fold", no_wrap=number >= right
        )
    return made


def show(made: Table) -> None:
    """Print a table as wide as it needs to be where nobody's terminal limits it."""
    out = Console(highlight=False, width=None if sys.stdout.isatty() else 160)
    out.print(made)


def efforts_table(solution: Solution) -> Table:
    """One line per effort: what it costs to get, what it leaves, or why not."""
    game, amount = solution.game, money(solution.game.bound)
    made = table("effort", "its cost", "worth", "payment", "profit", "", right=1)
    made.columns[-1].justify = "left"
    missing = 0
    for k, found in enumerate(solution.by_effort):
        missing += found is None
        best = k == solution.effort
        style = "bold" if best else ""
        numbers = ["—", "—"] if found is None else [amount(found.payment), amount(found.profit)]
        note = f"can't be induced ({missing})" if found is None else "◀ best" if best else ""
        made.add_row(
            Text(game.name(k)),
            amount(float(game.costs[k])),
            amount(float(game.worth[k])),
            *numbers,
            note,
            style=style,
        )
    return made


def payments_table(terms: Terms, rule: Rule, often: Array | None = None) -> Table:
    """The rule as the agent reads it: a line per report, a payment per state; and how often each report comes."""
    amount = money(terms.bound)
    states = state_names(terms)
    last = () if often is None else ("how often",)
    made = table("#", "report", *(f"pays if {state}" for state in states), "expected", *last, right=2)
    order = np.argsort(rule.beliefs[:, 1], kind="stable") if len(states) == 2 else np.arange(len(rule.beliefs))
    for i in order[:MOST_ROWS]:
        shares = () if often is None else (f"{often[i]:.1%}" if often[i] > 0 else "never",)
        made.add_row(
            str(i),
            Text(belief_words(rule.beliefs[i], states)),
            *(amount(float(payment)) for payment in rule.payments[i]),
            amount(float(rule.expected[i])),
            *shares,
        )
    return made


def state_names(terms: Terms) -> tuple[str, ...]:
    """The labels of the states, or their numbers."""
    return terms.states or tuple(f"state {w}" for w in range(terms.beliefs.shape[1]))


def belief_words(belief: Any, states: tuple[str, ...]) -> str:
    """A belief as people say it."""
    if len(states) == 2:
        return f"{states[1]} {belief[1]:.1%}"
    shown = np.argsort(-belief, kind="stable")[:3]
    words = ", ".join(f"{states[w]} {belief[w]:.1%}" for w in shown)
    return words if len(states) <= 3 else f"{words}, …"


@contextmanager
def progress(what: str, wanted: bool) -> Iterator[Callable[[int, int], None] | None]:
    """Give a callback that draws a bar on standard error, if that is a terminal and the work is long."""
    errors = Console(stderr=True)
    if not (wanted and errors.is_terminal):
        yield None
        return
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=errors, transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)


@contextmanager
def study_progress(what: str, *, quiet: bool) -> Iterator[Callable[[Standing], None]]:
    """Give a callback for a study: a bar with the time left on a terminal, else a plain line now and then."""
    with phases(quiet=quiet) as tick:
        yield lambda state: tick(what, state)


@contextmanager
def phases(*, quiet: bool) -> Iterator[Callable[[str, Standing], None]]:
    """Give a callback for several studies in a row, by name."""
    errors = Console(stderr=True, highlight=False, soft_wrap=True)
    if quiet or not errors.is_terminal:
        yield _plain_lines()
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[left]}"))
    with Progress(*columns, console=errors, transient=True) as bar:
        tasks: dict[str, Any] = {}

        def draw(what: str, state: Standing) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=state.total, left="")
            bar.update(tasks[what], completed=state.done + state.failed, left=_standing(state))

        yield draw


def _plain_lines(every: float = 10.0) -> Callable[[str, Standing], None]:
    """A line at the start, at the end, and in between every so many seconds."""
    said: dict[str, float] = {}

    def tell(what: str, state: Standing) -> None:
        ended = state.done + state.failed == state.total
        if what not in said or ended or state.elapsed - said[what] >= every:
            said[what] = state.elapsed
            note(
                f"{what}: {state.done + state.failed:,} of {state.total:,}{', ' if (s := _standing(state)) else ''}{s}"
            )

    return tell


def _standing(state: Standing) -> str:
    words = [f"{state.failed:,} failed"] if state.failed else []
    if state.left is not None and state.done + state.failed < state.total:
        words.append(f"about {duration(state.left)} left")
    return ", ".join(words)


def duration(seconds: float) -> str:
    """Return a time as people say it."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
