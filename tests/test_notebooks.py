"""The notebooks run from top to bottom, and the outputs that they were committed with are still the ones they give."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).resolve().parent.parent / "examples").glob("*.ipynb"))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the Jupyter stack's own making
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_a_notebook_runs(notebook, tmp_path):
    """Every cell, in a kernel of its own, in an empty folder."""
    kept = nbformat.read(notebook, as_version=4)
    fresh = nbformat.read(notebook, as_version=4)
    NotebookClient(fresh, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    for before, now in zip(kept.cells, fresh.cells, strict=True):
        assert said(before) == said(now), before.source


def said(cell: nbformat.NotebookNode) -> list[str]:
    """What a cell shows: its words, with the figures left out (they differ a little between machines), and pictures."""
    printed = ["".join(out.get("text", "")) for out in cell.get("outputs", ())]
    kinds = [kind for out in cell.get("outputs", ()) for kind in sorted(out.get("data", {}))]
    return [re.sub(r"[-\d.,]+", "#", "".join(printed)), *kinds]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_a_notebook_is_small(notebook):
    """A clone should not carry megabytes of pictures."""
    assert notebook.stat().st_size < 500_000
