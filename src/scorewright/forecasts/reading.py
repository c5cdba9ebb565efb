"""Reading forecast tables: CSV, Parquet, long and wide frames, rows.

Long: one row per item and tier, columns ``item_id``, ``tier``, ``outcome`` and ``p_<state>`` for every state.
Wide: one row per item, ``item_id`` (or the index), ``outcome``, and a column per tier and state: either flat,
``<tier>__p_<state>``, or a column index of two levels, (tier, state). With two states one of the two columns will do.
"""

from __future__ import annotations

import importlib.resources
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from scorewright.errors import FileError, InvalidInputError, MissingExtraError, UnknownNameError
from scorewright.forecasts.table import Forecasts
from scorewright.validation import Array, member

if TYPE_CHECKING:
    import pandas as pd

EXAMPLES = ("heart_tests",)
_WIDE = re.compile(r"^(?P<tier>.+?)__p_(?P<state>.+)$")
_KEYS = ("item_id", "tier", "outcome")


def read(table: Any, *, clusters: Any = None) -> Forecasts:
    """Read a forecast table.

    Parameters
    ----------
    table : path, DataFrame, rows or Forecasts
        A CSV or Parquet file, a long or wide frame, or a list of dicts, one per row.
    clusters : str, mapping or sequence, optional
        The column that says which items belong together, ``{item: cluster}``, or one entry per row.

    Examples
    --------
    >>> rows = [{"item_id": i, "tier": "look", "outcome": "up" if i % 3 else "down", "p_up": 0.6} for i in range(30)]
    >>> read(rows)
    Forecasts(items=30, tiers=('look',), states=('up', 'down'))
    """
    if isinstance(table, Forecasts):
        if clusters is not None:
            raise InvalidInputError("this table has been read already: give clusters to the reading, not later")
        return table
    frame = _frame(table)
    if not len(frame):
        raise InvalidInputError("the table is empty: it has no rows")
    marks = _marks(frame, clusters)
    long = _long(frame.assign(**{_CLUSTER: marks}) if frame.columns.nlevels == 1 else frame, marks)
    return _forecasts(long)


def example(name: str = "heart_tests") -> Forecasts:
    """Return a forecast table that comes with the package.

    ``heart_tests``: 303 patients, healthy or diseased, judged by held-out logistic regressions on five nested panels of
    medical tests. Data: UCI Heart Disease (Cleveland), Andras Janosi, William Steinbrunn, Matthias Pfisterer and Robert
    Detrano, CC BY 4.0. What a panel costs, per patient, is P. Turney's published schedule of fees: `HEART_COSTS`.

    Examples
    --------
    >>> example("heart_tests").tiers
    ('history', 'labs_ecg', 'stress_ecg', 'stress_thallium', 'full')
    """
    folder = importlib.resources.files("scorewright.forecasts").joinpath("data")
    with importlib.resources.as_file(folder.joinpath(f"{member(name, 'example', EXAMPLES)}.csv")) as path:
        return read(path)


HEART_COSTS = {"history": 4.00, "labs_ecg": 29.87, "stress_ecg": 93.30, "stress_thallium": 197.20, "full": 298.10}
"""Canadian dollars per patient (P. Turney, 1995), for `example("heart_tests")`."""

_CLUSTER = "\0cluster"


def _frame(table: Any) -> pd.DataFrame:
    try:
        import pandas as pd
    except ImportError:
        raise MissingExtraError("forecast tables need pandas: pip install 'scorewright[forecasts]'") from None
    if isinstance(table, pd.DataFrame):
        return table
    if isinstance(table, str | Path):
        return _file(Path(table))
    if isinstance(table, Sequence) and all(isinstance(row, Mapping) for row in table):
        return pd.DataFrame(list(table))
    raise InvalidInputError(
        f"a forecast table is a CSV or Parquet file, a DataFrame or a list of dicts, not a {type(table).__name__}"
    )


def _file(path: Path) -> pd.DataFrame:
    import pandas as pd

    if not path.is_file():
        if str(path) in EXAMPLES:
            folder = importlib.resources.files("scorewright.forecasts").joinpath("data")
            with importlib.resources.as_file(folder.joinpath(f"{path}.csv")) as packaged:
                return _file(packaged)
        raise FileError(f"can't read {path}: {'it is a folder' if path.is_dir() else 'there is no such file'}")
    try:
        if path.suffix.lower() in (".parquet", ".pq"):
            return pd.read_parquet(path)
        return pd.read_csv(path, dtype=dict.fromkeys(_KEYS, str), keep_default_na=False, na_values=[""])
    except ImportError:
        raise MissingExtraError("Parquet files need pyarrow: pip install 'scorewright[forecasts]'") from None
    except OSError as problem:
        raise FileError(f"can't read {path}: {(problem.strerror or str(problem)).lower()}") from None
    except ValueError as problem:  # pandas' and pyarrow's own errors are among these
        raise InvalidInputError(f"{path} is not a table: {' '.join(str(problem).split())[:160]}") from None


def _marks(frame: pd.DataFrame, clusters: Any) -> Any:
    """The cluster of every row; None where every item is its own."""
    if clusters is None:
        return None
    if isinstance(clusters, str):
        if clusters not in frame.columns:
            raise UnknownNameError(f"the table has no column {clusters!r} to take clusters from")
        if frame[clusters].isna().any():
            raise InvalidInputError(
                f"{clusters} is missing in row {int(frame[clusters].isna().argmax()) + 1} of the table"
            )
        return frame[clusters].map(_text).to_numpy()
    if isinstance(clusters, Mapping):
        known = {_text(item): str(cluster) for item, cluster in clusters.items()}
        items = frame["item_id"].map(_text) if "item_id" in frame.columns else frame.index.map(_text)
        missing = next((item for item in items if item not in known), None)
        if missing is not None:
            raise InvalidInputError(f"clusters has no entry for item {missing!r}")
        return np.array([known[item] for item in items])
    marks = np.asarray(clusters)
    if marks.shape != (len(frame),):
        raise InvalidInputError(f"clusters must have one entry per row of the table, {len(frame)}, not {marks.shape}")
    return np.array([_text(mark) for mark in marks])


def _long(frame: pd.DataFrame, marks: Any) -> pd.DataFrame:
    """The table as one row per item and tier, whichever way it came."""
    import pandas as pd

    if frame.columns.nlevels == 2:
        flat = frame.copy()
        flat.columns = pd.Index(
            [
                str(name[0]) if str(name[0]) in _KEYS else f"{name[0]}__p_{str(name[1]).removeprefix('p_')}"
                for name in frame.columns
            ]
        )
        frame = flat.assign(**{_CLUSTER: marks})
    if "item_id" not in frame.columns and (frame.index.name == "item_id" or "tier" not in frame.columns):
        frame = frame.rename_axis("item_id").reset_index()
    if "tier" in frame.columns:
        return frame
    found = {name: _WIDE.match(str(name)) for name in frame.columns}
    columns = {name: match for name, match in found.items() if match is not None}
    if not columns or "outcome" not in frame.columns:
        there = [name for name in frame.columns if name != _CLUSTER]
        raise InvalidInputError(
            f"the table has columns {', '.join(map(repr, there[:8]))}; it needs item_id, tier, outcome and p_<state> "
            f"(a row per item and tier), or item_id, outcome and <tier>__p_<state> (a row per item); a CSV file needs "
            f"commas"
        )
    tiers = dict.fromkeys(match["tier"] for match in columns.values())
    parts = []
    for tier in tiers:
        own = {name: f"p_{match['state']}" for name, match in columns.items() if match["tier"] == tier}
        part = frame[["item_id", "outcome", _CLUSTER, *own]].rename(columns=own)
        parts.append(part.assign(tier=tier).dropna(subset=list(own.values()), how="all"))
    return pd.concat(parts, ignore_index=True)


def _forecasts(frame: pd.DataFrame) -> Forecasts:
    """The arrays of a long table, after every check that needs its labels."""
    absent = [key for key in _KEYS if key not in frame.columns]
    if absent:
        raise InvalidInputError(f"the table has no column {absent[0]!r}: it needs item_id, tier, outcome and p_<state>")
    columns = [name for name in frame.columns if str(name).startswith("p_")]
    if not columns:
        raise InvalidInputError("the table has no probabilities: it needs a column p_<state> for every state")
    for key in _KEYS:
        if frame[key].isna().any():
            raise InvalidInputError(f"{key} is missing in row {int(frame[key].isna().argmax()) + 1} of the table")
    item, tier, outcome = ([_text(value) for value in frame[key]] for key in _KEYS)
    states = [str(name).removeprefix("p_") for name in columns]
    chances = np.column_stack([_numbers(frame, name, item, tier) for name in columns])
    if len(states) == 1:
        others = sorted(set(outcome) - set(states))
        if len(others) != 1:
            raise InvalidInputError(
                f"with the one column {columns[0]!r} the outcomes must be {states[0]!r} and one other; they are "
                f"{', '.join(map(repr, sorted(set(outcome))[:6]))}"
            )
        states, chances = [*states, others[0]], np.column_stack([chances, 1 - chances])
    unknown = next((n for n, state in enumerate(outcome) if state not in states), None)
    if unknown is not None:
        raise InvalidInputError(
            f"the outcome of item {item[unknown]!r} is {outcome[unknown]!r}, which is no state: the columns "
            f"are for {', '.join(map(repr, states))}"
        )
    items, tiers = list(dict.fromkeys(item)), list(dict.fromkeys(tier))
    place, level = {name: n for n, name in enumerate(items)}, {name: k for k, name in enumerate(tiers)}
    forecasts = np.full((len(tiers), len(items), len(states)), np.nan)
    came = np.full(len(items), -1)
    clusters = np.arange(len(items))
    marks = _codes(frame)
    for row, (name, effort, state) in enumerate(zip(item, tier, outcome, strict=True)):
        k, n, w = level[effort], place[name], states.index(state)
        if not np.isnan(forecasts[k, n, 0]):
            raise InvalidInputError(f"item {name!r} is there twice in tier {effort!r}: every item once per tier")
        if came[n] not in (-1, w):
            raise InvalidInputError(
                f"item {name!r} ends as {states[came[n]]!r} in one tier and as {state!r} in another: an item has one "
                f"outcome"
            )
        if marks is not None:
            if came[n] >= 0 and clusters[n] != marks[row]:
                raise InvalidInputError(f"item {name!r} is in one cluster in one tier and in another in {effort!r}")
            clusters[n] = marks[row]
        forecasts[k, n], came[n] = chances[row], w
    return Forecasts(forecasts, came.astype(np.intp), clusters.astype(np.intp), items, tiers, states)


def _numbers(frame: pd.DataFrame, name: Any, item: list[str], tier: list[str]) -> Array:
    """One column of probabilities, as floats."""
    import pandas as pd

    column: Array = pd.to_numeric(frame[name], errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan)
    bad = ~np.isfinite(column)
    if bad.any():
        at = int(bad.argmax())
        raise InvalidInputError(
            f"item {item[at]!r}, tier {tier[at]!r}: {name} is {_text(frame[name].iloc[at])!r:.40}, which is no number"
        )
    return column


def _codes(frame: pd.DataFrame) -> Any:
    if _CLUSTER not in frame.columns or frame[_CLUSTER].isna().all():
        return None
    return np.unique(frame[_CLUSTER].astype(str).to_numpy(), return_inverse=True)[1]


def _text(value: Any) -> str:
    """A label as text: 1.0 and True in a frame are the same label as 1 and True in a file."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
