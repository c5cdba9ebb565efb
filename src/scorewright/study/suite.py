"""Packaged studies, by name: the benchmark suite, versioned, its games as files, for others to report against."""

from __future__ import annotations

import importlib.resources
from pathlib import Path

from scorewright.errors import FileError
from scorewright.study.spec import Study

_PACKAGED = {"benchmark": "benchmark/benchmark.toml", "heart": "benchmark/heart.toml"}


def names() -> tuple[str, ...]:
    """Return the names of the packaged studies."""
    return tuple(_PACKAGED)


def load(name: str) -> Study:
    """Return a packaged study by name, or the one in a TOML file.

    Examples
    --------
    >>> len(load("benchmark").games) >= 24
    True
    """
    if name in _PACKAGED and not Path(name).is_file():
        with importlib.resources.as_file(importlib.resources.files("scorewright.study")) as folder:
            return Study.load(folder / _PACKAGED[name])
    if not Path(name).exists():
        raise FileError(f"there is no file {name}; packaged studies are {', '.join(map(repr, _PACKAGED))}")
    return Study.load(name)
