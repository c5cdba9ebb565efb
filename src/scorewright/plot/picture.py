"""A figure that shows itself in a notebook. Imports matplotlib: canvas.py imports this late."""

from __future__ import annotations

import io

from matplotlib.figure import Figure

from scorewright.plot.canvas import drawn


class Picture(Figure):
    """A figure made without pyplot, which notebooks would otherwise show as a line of text."""

    def _repr_svg_(self) -> str:
        target = io.BytesIO()
        drawn(self, target, "svg")
        return target.getvalue().decode()
