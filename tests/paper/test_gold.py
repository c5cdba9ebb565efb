"""The team's file of games with known answers, where it is at hand (it is not part of the product)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import scorewright as sw

GOLD = Path(__file__).resolve().parents[2].parent / "shared" / "gold.json"


@pytest.fixture(scope="module")
def gold():
    """Return the file's content."""
    if not GOLD.exists():
        pytest.skip("no ../shared/gold.json here")
    return json.loads(GOLD.read_text())


def test_three_efforts(gold):
    """Profit and payment of every effort, and the best one."""
    known = gold["three_efforts"]
    game = sw.Game(**{key: known[key] for key in ("beliefs", "information", "costs", "utility", "bound")})
    solution = sw.solve(game)
    assert [found.profit for found in solution.by_effort] == pytest.approx(known["profit_by_effort"], abs=1e-9)
    assert [found.payment for found in solution.by_effort] == pytest.approx(known["payment_by_effort"], abs=1e-9)
    assert solution.effort == known["best_effort"]


def test_two_action_contract(gold):
    """Least payments with three and six trials."""
    for trials, value in gold["two_action_contract"]["values"].items():
        game = sw.families.make("two_action_contract", trials=int(trials))
        assert sw.solve(game).by_effort[1].payment == pytest.approx(value, abs=1e-9)


def test_hard_instance(gold):
    """76 for every e1."""
    for step in range(11):
        game = sw.families.make("hard_instance", e1=-0.5 + 0.05 * step)
        assert sw.solve(game).profit == pytest.approx(gold["hard_instance"]["profit"], abs=1e-9)
