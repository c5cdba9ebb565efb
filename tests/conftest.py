"""Options and fixtures that all tests share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import scorewright as sw
from scorewright.session import Store, open_store
from serving import BACK_ENDS, fresh_store


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a patient person run the random-game checks on more games."""
    parser.addoption("--games", type=int, default=240, help="random games for the independent witness")


@pytest.fixture
def three() -> sw.Game:
    """Return the three-effort game: guess, skim, study."""
    return sw.families.make("three_efforts")


@pytest.fixture(params=BACK_ENDS)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Give the address of an empty store, on each back end."""
    with fresh_store(request.param, tmp_path) as found:
        yield found


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    """Give an empty store, on each back end."""
    with open_store(address) as kept:
        yield kept
