"""Informed: Haggler told the information, so that only costs are to be found; what knowing it is worth."""

from __future__ import annotations

from typing import Any

import numpy as np

from scorewright.game import Game, Setting
from scorewright.learn.haggler import Haggler
from scorewright.validation import expect, generator


class Informed(Haggler):
    """Haggler told the true information, so that only costs are to be found: what knowing it is worth.

    Parameters
    ----------
    setting : Setting
    game : Game
        Whose information to tell.
    oracle, horizon, rng
        As for Haggler.
    """

    name = "informed"

    def __init__(
        self, setting: Setting, game: Game, oracle: Any = None, *, horizon: int | None = None, rng: Any = None
    ) -> None:
        information = np.array(expect(game, Game, "game").information)
        self._make(setting, oracle, horizon, int(generator(rng).integers(2**62)), information)
