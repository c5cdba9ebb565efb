"""What each tier costs the agent: a list, a mapping, a function, or a file."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from scorewright.errors import FileError, InvalidInputError
from scorewright.validation import Array, member, nonnegative, number


def costs_of(costs: Any, tiers: Sequence[str], name: str = "") -> Array:
    """Return the costs of the tiers, in their order.

    Parameters
    ----------
    costs : sequence, mapping, callable or path
        In the order in which the tiers first appear; ``{tier: cost}``; a function of the tier (given as a number where
        its label is one); or a CSV file with columns ``tier`` and ``cost``. Where the file has a column ``table``, only
        the lines of this table (`name`) count.
    tiers : sequence of str
    name : str
    """
    if isinstance(costs, str | Path):
        costs = read_costs(Path(costs), name)
    if callable(costs):
        costs = [costs(_number(tier)) for tier in tiers]
    elif isinstance(costs, Mapping):
        given = {_label(tier): cost for tier, cost in costs.items()}
        for tier in given:
            member(tier, "tier in costs", tuple(tiers))
        missing = [tier for tier in tiers if tier not in given]
        if missing:
            raise InvalidInputError(f"costs has no entry for tier {missing[0]!r}")
        costs = [number(given[tier], f"the cost of tier {tier!r}", least=0) for tier in tiers]
    result = nonnegative(costs, "costs", ("tier",))
    if len(result) != len(tiers):
        raise InvalidInputError(
            f"costs has {len(result)} entries for {len(tiers)} tiers, in this order: {', '.join(map(repr, tiers))}"
        )
    return result


def read_costs(path: Path, name: str = "") -> dict[str, float]:
    """Return ``{tier: cost}`` from a CSV file with columns tier and cost."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = list(csv.DictReader(file))
    except OSError as problem:
        raise FileError(f"can't read {path}: {(problem.strerror or str(problem)).lower()}") from None
    except (UnicodeDecodeError, csv.Error):
        raise InvalidInputError(f"{path} is not a CSV file") from None
    if not rows or not {"tier", "cost"} <= set(rows[0]):
        raise InvalidInputError(f"{path} must have a line per tier, with columns tier and cost")
    if "table" in rows[0] and any(row["table"] == name for row in rows):
        rows = [row for row in rows if row["table"] == name]
    found: dict[str, float] = {}
    for row in rows:
        tier = str(row["tier"])
        if tier in found:
            raise InvalidInputError(f"{path} has two lines for tier {tier!r}")
        try:
            found[tier] = float(row["cost"])
        except (TypeError, ValueError):
            raise InvalidInputError(f"{path}: the cost of tier {tier!r} is {row['cost']!r:.40}, not a number") from None
    return found


def _number(tier: str) -> Any:
    try:
        return float(tier)
    except ValueError:
        return tier


def _label(tier: Any) -> str:
    return str(int(tier)) if isinstance(tier, float) and tier.is_integer() else str(tier)
