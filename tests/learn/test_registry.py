"""Learners by name: ours, those of other packages, and Python paths."""

from __future__ import annotations

import sys

import pytest

import scorewright as sw
from scorewright.errors import ScorewrightError
from scorewright.learn import registry

SETTING = sw.families.make("three_efforts").setting


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Install a package that registers a learner, as pip would lay it out."""
    (tmp_path / "theirs.py").write_text(
        "from scorewright.learn import ScaledQuadratic as Theirs\nthing = 3\nmake = dict\n"
    )
    info = tmp_path / "theirs-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[scorewright.learners]\ntheirs = theirs:Theirs\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    registry._registered.cache_clear()
    yield
    registry._registered.cache_clear()
    sys.modules.pop("theirs", None)


@pytest.mark.usefixtures("package")
def test_registered_learners_are_known_by_name():
    """Listed after ours, made with options, checked like ours."""
    assert sw.learn.names()[-1] == "theirs"
    assert sw.learn.make("theirs", SETTING, scales=3).scales == 3
    with pytest.raises(ScorewrightError, match="has no option"):
        sw.learn.make("theirs", SETTING, scale=3)


@pytest.mark.usefixtures("package")
def test_python_paths():
    """A module and what is in it; whatever else is said for what it is."""
    assert sw.learn.make("theirs:Theirs", SETTING).name == "scaled-quadratic"
    assert sw.learn.find("scorewright.learn:Haggler") is sw.learn.Haggler
    for name, words in (("theirs:thing", "must be a class"), ("theirs:nothing", "can't be imported"),
                        ("nowhere:It", "can't be imported"), ("theirs:make.x", "can't be imported"),
                        (":x", "can't be imported"), ("thiers", "did you mean 'theirs'")):  # fmt: skip
        with pytest.raises(ScorewrightError, match=words):
            sw.learn.find(name)


def test_what_is_made_must_be_a_learner(tmp_path, monkeypatch):
    """A function that returns something else is refused."""
    (tmp_path / "odd.py").write_text("def make(setting):\n    return setting\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ScorewrightError, match="not a Learner"):
        sw.learn.make("odd:make", SETTING)
