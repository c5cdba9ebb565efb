"""Documents: exact round trips, schemas that mean what they say, and writes that happen whole or not at all."""

from __future__ import annotations

import copy
import json
import os
import pickle
import resource
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scorewright as sw
from scorewright import document
from scorewright.errors import DocumentError, FileError, ScorewrightError

KINDS = ("game", "setting", "rule")
PUBLISHED = Path(__file__).parents[1] / "docs" / "schemas"

# -- any game at all: awkward floats, awkward labels -------------------------------------------------------------------

amounts = st.floats(-1e100, 1e100)
prices = st.just(0.0) | st.floats(1e-100, 1e100)


def labels(count: int) -> st.SearchStrategy[list[str] | None]:
    """Return different labels in any script, or none."""
    label = st.text(min_size=1, max_size=8).filter(lambda text: text.strip() and text.isprintable())
    return st.none() | st.lists(label, min_size=count, max_size=count, unique=True)


@st.composite
def tables(draw: st.DrawFn, rows: int, columns: int, cells: st.SearchStrategy[float]) -> np.ndarray:
    """Return a table of floats."""
    return np.array(draw(st.lists(cells, min_size=rows * columns, max_size=rows * columns))).reshape(rows, columns)


@st.composite
def chances(draw: st.DrawFn, rows: int, columns: int) -> np.ndarray:
    """Return rows of probabilities with all their digits, and zeros among them."""
    weights = draw(tables(rows, columns, st.just(0.0) | st.floats(1e-12, 1)))
    weights[np.arange(rows), draw(st.lists(st.integers(0, columns - 1), min_size=rows, max_size=rows))] += 0.1
    return weights / weights.sum(axis=1, keepdims=True)


@st.composite
def games(draw: st.DrawFn) -> sw.Game:
    """Return a game with the most awkward numbers and labels that it may have."""
    efforts, beliefs, states, decisions = (draw(st.integers(1, 4)) for _ in range(4))
    return sw.Game(
        draw(chances(beliefs, states)),
        draw(chances(efforts, beliefs)),
        draw(tables(1, efforts, prices))[0],
        draw(tables(decisions, states, amounts)),
        draw(prices),
        draw(prices),
        draw(labels(efforts)),
        draw(labels(states)),
        draw(labels(decisions)),
    )


@st.composite
def rules(draw: st.DrawFn) -> sw.Rule:
    """Return a rule with the most awkward payments that it may have."""
    beliefs, states = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    return sw.Rule(draw(tables(beliefs, states, amounts)), draw(chances(beliefs, states)))


anything = games() | rules() | games().map(lambda game: game.setting)


def bits(value: Any) -> Any:
    """Return a document with every float as its very bits."""
    if isinstance(value, dict):
        return {key: bits(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [bits(entry) for entry in value]
    return value.hex() if isinstance(value, float) else value


# -- round trips -------------------------------------------------------------------------------------------------------


@given(anything)
@settings(max_examples=150, deadline=None)
def test_round_trip_through_json(value: sw.Game | sw.Rule | sw.Setting) -> None:
    """What is read back is equal, hashes alike, and has the very same bits."""
    content = value.to_dict()
    again = type(value).from_dict(json.loads(json.dumps(content, allow_nan=False)))
    assert again == value
    assert hash(again) == hash(value)
    assert bits(again.to_dict()) == bits(content)


@given(anything)
@settings(max_examples=100, deadline=None)
def test_round_trip_through_a_file(value: sw.Game | sw.Rule | sw.Setting) -> None:
    """A file says what it holds, and holds it exactly."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "value.json"
        value.save(path)
        again = sw.load(path)
        text = path.read_text("utf-8")
    assert type(again) is type(value)
    assert again == value
    assert hash(again) == hash(value)
    assert bits(again.to_dict()) == bits(value.to_dict())
    assert text.endswith("}\n")


@given(anything)
@settings(max_examples=50, deadline=None)
def test_copies_are_equal(value: sw.Game | sw.Rule | sw.Setting) -> None:
    """Copies, and what comes back from another process, are the same value."""
    for again in (copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert again == value
        assert hash(again) == hash(value)


@pytest.mark.parametrize("entry", ["beliefs", "information", "costs", "utility", "bound", "penalty"])
def test_the_last_bit_counts(entry: str, three: sw.Game) -> None:
    """Games that differ in one bit differ, and so do their documents."""
    content = three.to_dict()
    value = np.array(content[entry])
    value[(-1,) * value.ndim] = np.nextafter(value[(-1,) * value.ndim], 2)
    other = sw.Game.from_dict(content | {entry: value.tolist()})
    assert other != three
    assert other.to_dict() != content
    assert sw.Game.from_dict(other.to_dict()) == other


def test_zeros_are_equal_whatever_their_sign() -> None:
    """Minus zero is zero: equal, with the same hash."""
    plus, minus = (sw.Rule([[zero, 1]], [[0.5, 0.5]]) for zero in (0.0, -0.0))
    assert plus == minus
    assert hash(plus) == hash(minus)


def test_kinds_differ(three: sw.Game) -> None:
    """A game is not its setting, and a document of one is refused by the other."""
    assert three != three.setting
    with pytest.raises(DocumentError, match="scorewright/setting"):
        sw.Setting.from_dict(three.to_dict())
    with pytest.raises(DocumentError, match="scorewright/game"):
        sw.Game.from_dict(three.setting.to_dict())


def test_document_starts_with_its_stamp(three: sw.Game) -> None:
    """A document says first what it is; labels that are not there are left out."""
    assert list(three.to_dict())[:2] == ["schema", "version"]
    assert (three.to_dict()["schema"], three.to_dict()["version"]) == ("scorewright/game", 1)
    bare = sw.Game(three.beliefs, three.information, three.costs, three.utility, 1)
    assert not {"efforts", "states", "decisions"} & set(bare.to_dict())


def test_documents_do_not_share_their_numbers(three: sw.Game) -> None:
    """Whoever changes a document does not change the game."""
    content = three.to_dict()
    content["beliefs"][0][0] = 9.0
    content["efforts"][0] = "changed"
    assert three == sw.families.three_efforts()


def test_file_is_readable_by_people(three: sw.Game, tmp_path: Path) -> None:
    """Labels are written as they are, and numbers as short as they can be."""
    sw.Game.from_dict(three.to_dict() | {"states": ["fällt", "上がる"]}).save(tmp_path / "game.json")
    text = (tmp_path / "game.json").read_text("utf-8")
    assert "fällt" in text
    assert "上がる" in text
    assert "0.05" in text


# -- schemas -----------------------------------------------------------------------------------------------------------


def documents() -> dict[str, dict[str, Any]]:
    """Return one good document of each kind."""
    game = sw.families.three_efforts()
    return {"game": game.to_dict(), "setting": game.setting.to_dict(), "rule": sw.solve(game).rule.to_dict()}


Change = Callable[[dict[str, Any]], Any]

MUTATIONS: dict[str, tuple[tuple[str, ...], Change]] = {  # in which kinds; what is done to the document
    "extra entry": (KINDS, lambda d: d | {"colour": "red"}),
    "comment": (KINDS, lambda d: d | {"$comment": "mine"}),
    "no schema": (KINDS, lambda d: {key: value for key, value in d.items() if key != "schema"}),
    "other schema": (KINDS, lambda d: d | {"schema": "scorewright/sonnet"}),
    "no version": (KINDS, lambda d: {key: value for key, value in d.items() if key != "version"}),
    "next version": (KINDS, lambda d: d | {"version": 2}),
    "version in quotes": (KINDS, lambda d: d | {"version": "1"}),
    "version true": (KINDS, lambda d: d | {"version": True}),
    "version null": (KINDS, lambda d: d | {"version": None}),
    "no beliefs": (KINDS, lambda d: {key: value for key, value in d.items() if key != "beliefs"}),
    "beliefs null": (KINDS, lambda d: d | {"beliefs": None}),
    "beliefs empty": (KINDS, lambda d: d | {"beliefs": []}),
    "beliefs flat": (KINDS, lambda d: d | {"beliefs": [0.5, 0.5]}),
    "beliefs too deep": (KINDS, lambda d: d | {"beliefs": [d["beliefs"]]}),
    "beliefs negative": (KINDS, lambda d: d | {"beliefs": [[1.5, -0.5], *d["beliefs"][1:]]}),
    "beliefs in quotes": (KINDS, lambda d: d | {"beliefs": [["0.5", "0.5"], *d["beliefs"][1:]]}),
    "beliefs boolean": (KINDS, lambda d: d | {"beliefs": [[True, False], *d["beliefs"][1:]]}),
    "belief row empty": (KINDS, lambda d: d | {"beliefs": [[], *d["beliefs"][1:]]}),
    "no payments": (("rule",), lambda d: {key: value for key, value in d.items() if key != "payments"}),
    "payments null": (("rule",), lambda d: d | {"payments": [[None, 0], *d["payments"][1:]]}),
    "no utility": (("game", "setting"), lambda d: {key: value for key, value in d.items() if key != "utility"}),
    "utility flat": (("game", "setting"), lambda d: d | {"utility": [1, 0]}),
    "no bound": (("game", "setting"), lambda d: {key: value for key, value in d.items() if key != "bound"}),
    "bound negative": (("game", "setting"), lambda d: d | {"bound": -1}),
    "bound true": (("game", "setting"), lambda d: d | {"bound": True}),
    "penalty negative": (("game", "setting"), lambda d: d | {"penalty": -1}),
    "penalty null": (("game", "setting"), lambda d: d | {"penalty": None}),
    "labels a string": (("game", "setting"), lambda d: d | {"states": "ud"}),
    "labels null": (("game", "setting"), lambda d: d | {"states": None}),
    "labels empty": (("game", "setting"), lambda d: d | {"efforts": []}),
    "label empty": (("game", "setting"), lambda d: d | {"decisions": ["sell", ""]}),
    "label twice": (("game", "setting"), lambda d: d | {"states": ["up", "up"]}),
    "label a number": (("game", "setting"), lambda d: d | {"states": ["up", 1]}),
    "no information": (("game",), lambda d: {key: value for key, value in d.items() if key != "information"}),
    "information negative": (("game",), lambda d: d | {"information": [[2, -1, 0, 0, 0]] * 3}),
    "no costs": (("game",), lambda d: {key: value for key, value in d.items() if key != "costs"}),
    "costs one number": (("game",), lambda d: d | {"costs": 0.1}),
    "costs negative": (("game",), lambda d: d | {"costs": [0, -1, 1]}),
    "costs empty": (("game",), lambda d: d | {"costs": []}),
    "costs in a setting": (("setting",), lambda d: d | {"costs": [0, 0.05, 0.15]}),
    "information in a rule": (("rule",), lambda d: d | {"information": [[1, 0, 0, 0, 0]]}),
}


@pytest.mark.parametrize("kind", KINDS)
def test_schema_is_a_schema(kind: str) -> None:
    """Each schema is valid against the standard that it names, and accepts a good document."""
    found = document.schema(kind)
    jsonschema.Draft7Validator.check_schema(found)
    assert found["$schema"] == jsonschema.Draft7Validator.META_SCHEMA["$schema"]
    assert found["properties"]["version"]["const"] == document.VERSIONS[kind]
    jsonschema.validate(documents()[kind], found)


@given(anything)
@settings(max_examples=100, deadline=None)
def test_schema_accepts_what_is_written(value: sw.Game | sw.Rule | sw.Setting) -> None:
    """Whatever `to_dict` writes is valid."""
    content = json.loads(json.dumps(value.to_dict()))
    jsonschema.validate(content, document.schema(type(value).__name__.lower()))


@pytest.mark.parametrize(
    ("kind", "name"), [(kind, name) for name, (kinds, _) in MUTATIONS.items() for kind in kinds], ids=str
)
def test_schema_rejects_mutations(kind: str, name: str, tmp_path: Path) -> None:
    """The published schema and the library refuse the same mistakes."""
    content = MUTATIONS[name][1](documents()[kind])
    assert not jsonschema.Draft7Validator(document.schema(kind)).is_valid(content)
    with pytest.raises(DocumentError):
        document.check(content, kind)
    path = tmp_path / "value.json"
    path.write_text(json.dumps(content), "utf-8")
    with pytest.raises(DocumentError, match=r"value\.json"):
        sw.load(path)


@pytest.mark.parametrize("kind", KINDS)
def test_published_schema_is_the_packaged_one(kind: str) -> None:
    """What the docs publish is what the library checks against."""
    published = PUBLISHED / f"{kind}.schema.json"
    assert json.loads(published.read_text("utf-8")) == document.schema(kind)


def test_published_schemas_are_all_there() -> None:
    """There is one published schema per kind, and no other."""
    assert {path.name for path in PUBLISHED.glob("*.json")} == {f"{kind}.schema.json" for kind in document.VERSIONS}


# -- writing -----------------------------------------------------------------------------------------------------------


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """Let the system refuse to write more than `size` bytes to any file, as a full disk does."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def refuse(*_: object) -> None:
    """Fail as a file system does."""
    raise PermissionError(13, "Permission denied")


@contextmanager
def kept(folder: Path) -> Iterator[Path]:
    """Give an old file that must survive, alone in its folder."""
    path = folder / "game.json"
    path.write_text("the old file")
    yield path
    assert path.read_text() == "the old file"
    assert list(folder.iterdir()) == [path]


def test_failed_replacement_leaves_the_old_file(
    three: sw.Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the last step fails, the old file is as it was and no draft is left."""
    monkeypatch.setattr(Path, "replace", refuse)
    monkeypatch.setattr(os, "replace", refuse)
    with kept(tmp_path) as path, pytest.raises(FileError, match=r"can't write .*game\.json: permission denied"):
        three.save(path)


def test_full_disk_leaves_the_old_file(three: sw.Game, tmp_path: Path) -> None:
    """When the disk fills up on the way, the old file is as it was and no draft is left."""
    with kept(tmp_path) as path, largest_file(100), pytest.raises(FileError, match=r"can't write .*game\.json"):
        three.save(path)


def test_unwritable_text_leaves_the_old_file(tmp_path: Path) -> None:
    """A document that is no Unicode text is refused in a sentence, and nothing is left of it."""
    with kept(tmp_path) as path, pytest.raises(ScorewrightError):
        document.write(path, {"label": "\ud800"})


def test_interrupted_write_leaves_the_old_file(three: sw.Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Control-C at the worst moment leaves the old file as it was and no draft."""

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", stop)
    monkeypatch.setattr(os, "replace", stop)
    with kept(tmp_path) as path, pytest.raises(KeyboardInterrupt):
        three.save(path)


@pytest.mark.parametrize("place", ["missing/game.json", "file/game.json", "folder"])
def test_impossible_place(place: str, three: sw.Game, tmp_path: Path) -> None:
    """A place that can't be written to is named, and nothing is left behind."""
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    with pytest.raises(FileError, match=f"can't write .*{place}: "):
        three.save(tmp_path / place)
    assert sorted(entry.name for entry in tmp_path.rglob("*")) == ["file", "folder"]


def test_pipe_is_not_replaced(three: sw.Game, tmp_path: Path) -> None:
    """What is not a regular file (a pipe here, /dev/null elsewhere) is never replaced by one."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(FileError, match="not a regular file"):
        three.save(path)
    assert stat.S_ISFIFO(path.stat().st_mode)


def test_overwriting(three: sw.Game, tmp_path: Path) -> None:
    """A good write replaces the old file, with the permissions that a new file gets."""
    path = tmp_path / "game.json"
    path.write_text("x" * 100_000)
    before = os.umask(0o027)
    try:
        three.save(path)
    finally:
        os.umask(before)
    assert sw.load(path) == three
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_paths_of_any_kind(three: sw.Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path may be a string or a Path, and relative."""
    monkeypatch.chdir(tmp_path)
    three.save("game.json")
    assert sw.load("game.json") == sw.load(Path("game.json")) == sw.load(str(tmp_path / "game.json")) == three


def test_a_learners_state_is_not_loaded_as_a_game(tmp_path: Path) -> None:
    """It needs its setting: the error says what to do instead."""
    game = sw.families.make("three_efforts")
    path = tmp_path / "learner.json"
    document.write(path, sw.learn.Clairvoyant(game.setting, game).state())
    with pytest.raises(DocumentError, match="restore"):
        sw.load(path)
