"""Options and fixtures that all tests share."""

from __future__ import annotations

import pytest

import scorewright as sw


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a patient person run the random-game checks on more games."""
    parser.addoption("--games", type=int, default=240, help="random games for the independent witness")


@pytest.fixture
def three() -> sw.Game:
    """Return the three-effort game: guess, skim, study."""
    return sw.families.make("three_efforts")
