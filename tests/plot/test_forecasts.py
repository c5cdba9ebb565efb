"""Pictures of forecast tables: drawn for two and more states, and refused where there is nothing to see."""

from __future__ import annotations

import numpy as np
import pytest

import scorewright as sw
from scorewright.errors import InvalidInputError
from tabling import frame, posteriors


def assessed(states: int, costs: list[float]) -> sw.forecasts.Assessment:
    """A small assessment."""
    true, truth = posteriors((0.5, 0.7, 0.9), 300, states)
    noise = np.random.default_rng(0).dirichlet(np.ones(states), size=true.shape[:2])
    table = frame(0.9 * true + 0.1 * noise, truth)
    return sw.forecasts.assess(table, costs=costs, utility=np.eye(states), bound=1, beliefs=6, resamples=3)


@pytest.mark.parametrize("states", [2, 3])
def test_they_are_drawn(states, tmp_path):
    """A panel per tier, a line per tier; the same bytes every time."""
    found = assessed(states, [0, 0.01, 0.03])
    for name, draw in (("reliability", sw.plot.reliability), ("bounds", sw.plot.bounds)):
        figure = draw(found, title="A $title")
        assert len(figure.axes) == (3 if name == "reliability" else 1)
        files = [tmp_path / f"{name}{n}.svg" for n in range(2)]
        sw.plot.save(figure, files[0])
        sw.plot.save(draw(found, title="A $title"), files[1])
        assert files[0].read_bytes() == files[1].read_bytes()
        assert "t2" in files[0].read_text()


def test_nothing_to_draw():
    """Efforts that cost nothing need no bound."""
    with pytest.raises(InvalidInputError, match="nothing to draw"):
        sw.plot.bounds(assessed(2, [0, 0, 0]))
    with pytest.raises(InvalidInputError, match="assessment must be a Assessment"):
        sw.plot.reliability("heart")
