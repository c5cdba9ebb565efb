"""Where pictures are drawn: matplotlib, imported late, without its global state."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import IO, TYPE_CHECKING

from scorewright.document import Path_
from scorewright.errors import FileError, InvalidInputError, MissingExtraError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#3b6fb6", "#d9822b", "#4a9c5d", "#b4474b", "#7d5ba6", "#8a6d4f", "#c46fa3", "#6b7480")
"""One per effort, told apart by people who see few colours too."""

INK, FAINT = "#22262b", "#9aa3ad"

FORMATS = ("svg", "png", "pdf")


def canvas(width: float = 7.0, height: float = 4.5, columns: int = 1) -> tuple[Figure, list[Axes]]:
    """Return an empty figure and its axes, left to right."""
    _need_matplotlib()
    from scorewright.plot.picture import Picture

    figure = Picture(figsize=(width, height), layout="constrained", facecolor="white")
    axes = [figure.add_subplot(1, columns, column + 1) for column in range(columns)]
    for ax in axes:
        ax.spines[["top", "right"]].set_visible(False)
        ax.tick_params(colors=INK, labelsize=9)
    return figure, axes


def _need_matplotlib() -> None:
    try:
        import matplotlib.figure  # noqa: F401
    except ImportError:
        raise MissingExtraError("pictures need matplotlib: pip install 'scorewright[plot]'") from None


def check_picture(path: Path_) -> str:
    """Return the format that a picture's name asks for, or say which there are; say so if none can be drawn at all."""
    _need_matplotlib()
    suffix = Path(path).suffix.lower().removeprefix(".")
    if suffix not in FORMATS:
        raise InvalidInputError(f"can't draw {path}: the name must end in {', '.join('.' + f for f in FORMATS)}")
    return suffix


def save(figure: Figure, path: Path_) -> None:
    """Write a figure to a svg, png or pdf file, the same bytes every time."""
    suffix = check_picture(path)
    try:
        drawn(figure, path, suffix)
    except OSError as problem:
        raise FileError(f"can't write {path}: {(problem.strerror or str(problem)).lower()}") from None


def drawn(figure: Figure, to: Path_ | IO[bytes], suffix: str) -> None:
    """Draw a figure to a file, or one in memory."""
    import matplotlib as mpl

    undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}[suffix]
    with mpl.rc_context({"svg.hashsalt": "scorewright", "svg.fonttype": "none"}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # a label in a script that the font lacks
        figure.savefig(to, format=suffix, dpi=150, metadata=undated)


def state_names(states: tuple[str, ...] | None, count: int) -> tuple[str, ...]:
    """Return labels for the states, made up where there are none."""
    return tuple(map(literal, states)) if states is not None else tuple(f"state {w}" for w in range(count))


def literal(label: str) -> str:
    """Return a label so that matplotlib draws it as it is, and no mathematics."""
    return label.replace("$", r"\$")
