"""The report: one page that holds everything, opened from a file, with no network."""

from __future__ import annotations

import importlib.resources
import json
import math
from collections.abc import Mapping
from itertools import product
from string import Template
from typing import TYPE_CHECKING, Any

from scorewright import document
from scorewright.document import Path_
from scorewright.study.leaderboard import Tables
from scorewright.study.results import Results

if TYPE_CHECKING:
    import pandas as pd

ALL = "all games"


def report(results: Results, path: Path_, *, baseline: str | None = None) -> None:
    """Write the page for the results of a study: leaderboard, curves, losing cases, failures."""
    content = contents(results, baseline)
    page = fill("report.html", title=content["name"], data=content)
    document.write_whole(path, page.encode())


def fill(template: str, *, title: str, data: Any = None, **parts: str) -> str:
    """Return a page from a template of the package, with its style, its script and its data inside."""
    folder = importlib.resources.files("scorewright.study").joinpath("page")
    words = {"title": escape(title), "style": folder.joinpath("page.css").read_text("utf-8"), **parts}
    if data is not None:
        words["script"] = folder.joinpath("report.js").read_text("utf-8")
        # In a script element only "</" could end the data early; in JSON it may as well be "<\/".
        words["data"] = json.dumps(data, allow_nan=False).replace("</", "<\\/").replace("<!--", "<\\u0021--")
    return Template(folder.joinpath(template).read_text("utf-8")).substitute(words)


def escape(text: str) -> str:
    """Return text as HTML shows it."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def contents(results: Results, baseline: str | None = None) -> dict[str, Any]:
    """Return what the page shows, JSON-able: a view per group of games, agent and rounds."""
    tables = Tables(results)
    cells, compared = tables.cells, tables.baseline(baseline)
    entries = {entry["label"]: entry for entry in tables.spec.get("games", [])}
    tags = list(dict.fromkeys(tag for entry in entries.values() for tag in entry.get("tags", ())))
    games = [label for label in entries if label in set(cells["game"])]
    groups: dict[str, set[str]] = {ALL: set(games)}
    groups |= {f"tag: {tag}": {g for g in games if tag in entries[g].get("tags", ())} for tag in tags}
    groups |= {game: {game} for game in games}
    learners = [entry["label"] for entry in tables.spec["learners"] if entry["label"] in set(cells["learner"])]
    agents = [entry["label"] for entry in tables.spec["agents"] if entry["label"] in set(cells["agent"])]
    rounds = sorted({int(r) for r in cells["rounds"]})
    views = {}
    for (group, members), agent, horizon in product(groups.items(), agents, rounds):
        part = cells[cells["game"].isin(members) & (cells["agent"] == agent) & (cells["rounds"] == horizon)]
        if len(part):
            views["\x01".join([group, agent, str(horizon)])] = _view(tables, part, compared, learners)
    failures = results.failures()
    made = sorted(set(results.timing()["scorewright"]))
    return {
        "name": tables.spec["name"] + (f" {version}" if (version := tables.spec.get("version")) else ""),
        "about": tables.spec.get("about", ""),
        "facts": f"{len(cells):,} cells finished, {len(failures):,} failed; seed {tables.spec['seed']}; "
        f"made by scorewright {', '.join(made)}. Regret is expected and cumulative, against the best rule of the game.",
        "baseline": compared,
        "groups": list(groups),
        "agents": agents,
        "rounds": rounds,
        "learners": learners,
        "views": views,
        "games": [_game(entries[game], cells[cells["game"] == game]) for game in games],
        "failures": failures.to_dict("records"),
    }


def _view(tables: Tables, cells: pd.DataFrame, baseline: str, learners: list[str]) -> dict[str, Any]:
    present = set(cells["learner"])
    return {
        "cells": len(cells),
        "leaderboard": [plain(row) for row in tables.leaderboard(cells, baseline).to_dict("records")],
        "curves": {name: _rounded(tables.curve(cells, name)) for name in learners if name in present},
        "losing": [plain(row) for row in tables.losing(cells, baseline, most=40).to_dict("records")],
    }


def _game(entry: dict[str, Any], cells: pd.DataFrame) -> dict[str, Any]:
    sizes = {}
    for size in ("efforts", "beliefs", "states"):
        low, high = int(cells[size].min()), int(cells[size].max())
        sizes[size] = str(low) if low == high else f"{low}–{high}"
    return {"label": entry["label"], "about": entry.get("about", ""), **sizes}


def plain(row: Mapping[Any, Any]) -> dict[str, Any]:
    """Return a row of a table as JSON has it: None where there is no number."""
    return {
        str(name): None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in row.items()
    }


def _rounded(curve: dict[str, list[float]]) -> dict[str, list[float]]:
    """Four digits are more than a picture shows."""
    return {name: [float(f"{value:.4g}") for value in values] for name, values in curve.items()}
