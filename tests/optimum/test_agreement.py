"""The optimum against an independent witness (more games: ./run test --games 2000)."""

from __future__ import annotations

import numpy as np
import pytest

import witness

PARTS = 8


@pytest.mark.parametrize("part", range(PARTS))
def test_solve_agrees_with_the_plain_formulation(part, request):
    """Every effort's payment, every certificate, every response; and no rival rule does better."""
    for number in range(part, request.config.getoption("--games"), PARTS):
        game = witness.draw(np.random.default_rng([11, number]))
        witness.examine(game, np.random.default_rng([11, number, 1]))
