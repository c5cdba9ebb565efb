"""Reading tables: every layout gives the same forecasts; what can't work is refused in words."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import scorewright as sw
from scorewright.errors import FileError, InvalidInputError, ScorewrightError, UnknownNameError
from tabling import frame, posteriors

FORECASTS, TRUTH = posteriors((0.6, 0.7, 0.9), 60, 3)
LONG = frame(FORECASTS, TRUTH)
READ = sw.forecasts.read(LONG)


def wide(levels: bool) -> pd.DataFrame:
    """The same table with a row per item."""
    made = pd.DataFrame({"item_id": READ.items, "outcome": [READ.states[w] for w in READ.outcome]})
    for k, tier in enumerate(READ.tiers):
        for w, state in enumerate(READ.states):
            made[(tier, state) if levels else f"{tier}__p_{state}"] = READ.forecasts[k, :, w]
    if levels:
        made.columns = pd.MultiIndex.from_tuples([c if isinstance(c, tuple) else (c, "") for c in made.columns])
    return made


def test_every_layout_is_the_same_table(tmp_path):
    """CSV, Parquet, long, wide, rows; shuffled rows keep their items together."""
    LONG.to_csv(tmp_path / "t.csv", index=False)
    LONG.to_parquet(tmp_path / "t.parquet")
    wide(levels=False).to_csv(tmp_path / "wide.csv", index=False)
    sources = [
        tmp_path / "t.csv",
        str(tmp_path / "t.parquet"),
        tmp_path / "wide.csv",
        wide(levels=False),
        wide(levels=False).set_index("item_id"),
        wide(levels=True),
        LONG.to_dict("records"),
        LONG.set_index("item_id"),
    ]
    for source in sources:
        read = sw.forecasts.read(source)
        np.testing.assert_allclose(read.forecasts, READ.forecasts, atol=1e-12)
        assert (read.items, read.tiers, read.states) == (READ.items, READ.tiers, READ.states)
        assert (read.outcome == READ.outcome).all()
    assert sw.forecasts.read(READ) is READ


def test_one_column_will_do_for_two_states():
    """The other one is what is left; numbers are labels too."""
    forecasts, truth = posteriors((0.7,), 50)
    both = frame(forecasts, truth)
    one = sw.forecasts.read(both.drop(columns="p_s1"))
    assert one == sw.forecasts.read(both)
    coded = both.assign(outcome=(both["outcome"] == "s1").astype(float)).rename(columns={"p_s1": "p_1"})
    assert sw.forecasts.read(coded.drop(columns="p_s0")).states == ("1", "0")


def test_clusters_by_column_mapping_or_rows():
    """Three ways to say which items belong together."""
    groups = np.arange(60) // 4
    with_column = frame(FORECASTS, TRUTH, visit=groups)
    read = sw.forecasts.read(with_column, clusters="visit")
    assert len(set(read.clusters)) == 15
    assert sw.forecasts.read(LONG, clusters={f"i{n}": g for n, g in enumerate(groups)}) == read
    assert sw.forecasts.read(LONG, clusters=np.tile(groups, 3)) == read
    assert len(set(READ.clusters)) == 60
    torn = np.tile(groups, 3)
    torn[-1] = 99  # another cluster in the last tier than in the first
    for bad in ("nowhere", {"i0": 1}, [1, 2], torn):
        with pytest.raises(ScorewrightError, match=r"cluster|column"):
            sw.forecasts.read(LONG, clusters=bad)
    with_column["visit"] = with_column["visit"].where(with_column["visit"] > 0)
    with pytest.raises(InvalidInputError, match="visit is missing in row 1 of"):  # not one cluster of all who lack one
        sw.forecasts.read(with_column, clusters="visit")


def changed(**columns: object) -> pd.DataFrame:
    """The long table with the first row's entries changed."""
    made = LONG.astype(object).copy()
    for name, value in columns.items():
        made.loc[0, name] = value
    return made


BAD: dict[str, tuple[object, str]] = {
    "nothing": (LONG.head(0), "empty"),
    "no tier": (LONG.drop(columns="tier"), "'p_s2'; it needs item_id, tier"),
    "no outcome": (LONG.drop(columns="outcome"), "'outcome'"),
    "no probabilities": (LONG[["item_id", "tier", "outcome"]], "no probabilities"),
    "sum": (changed(p_s0=0.99), "sum to"),
    "negative": (changed(p_s0=-0.2), "no probability"),
    "above one": (changed(p_s0=1.4), "no probability"),
    "nan": (changed(p_s0=float("nan")), "no number"),
    "text": (changed(p_s0="high"), "'high', which is no number"),
    "missing outcome": (changed(outcome=None), "outcome is missing in row 1"),
    "unknown outcome": (changed(outcome="sx"), "no state"),
    "another outcome": (changed(outcome=f"s{(TRUTH[0] + 1) % 3}"), "one outcome"),
    "twice": (pd.concat([LONG, LONG.head(1)]), "'i0' is there twice in tier 't0'"),
    "few items": (LONG[LONG["item_id"].isin([f"i{n}" for n in range(19)])], "19 items; at least 20"),
    "never occurs": (LONG[LONG["outcome"] != "s2"], "'s2' never occurs"),
    "a number": (7, "not a int"),
    "rows of numbers": ([[1, 2]], "list of dicts"),
}


@pytest.mark.parametrize("case", BAD)
def test_refusals(case):
    """One sentence that names what is wrong."""
    table, words = BAD[case]
    with pytest.raises(InvalidInputError, match=words):
        sw.forecasts.read(table)


def test_files_that_are_none(tmp_path):
    """Missing, a folder, not a table."""
    for path in (tmp_path / "no.csv", tmp_path):
        with pytest.raises(FileError):
            sw.forecasts.read(path)
    for name in ("t.parquet", "t.csv"):
        (tmp_path / name).write_bytes(b"\x00\xff\x00" * 50)
        with pytest.raises(InvalidInputError):
            sw.forecasts.read(tmp_path / name)


def test_the_example_is_the_table_that_it_says():
    """303 patients, five tiers, two states; by name too."""
    heart = sw.forecasts.example("heart_tests")
    assert heart.forecasts.shape == (5, 303, 2)
    assert heart == sw.forecasts.read("heart_tests")
    assert set(sw.forecasts.HEART_COSTS) == set(heart.tiers)
    with pytest.raises(UnknownNameError):
        sw.forecasts.example("hart_tests")
