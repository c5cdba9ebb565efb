"""The notebooks run from top to bottom, and were committed with what they show: the site shows it."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).resolve().parent.parent / "examples").glob("*.ipynb"))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the Jupyter stack's own making
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_a_notebook_runs(notebook, tmp_path):
    """Every cell, in a kernel of its own, in an empty folder; each shows words and pictures where it did."""
    kept = nbformat.read(notebook, as_version=4)
    fresh = nbformat.read(notebook, as_version=4)
    NotebookClient(fresh, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    for before, now in zip(kept.cells, fresh.cells, strict=True):
        assert shown(before) == shown(now), before.source


def shown(cell: nbformat.NotebookNode) -> set[str]:
    """What kinds of output a cell has: words, pictures."""
    outputs = cell.get("outputs", ())
    return {kind for out in outputs for kind in out.get("data", {})} | {out.output_type for out in outputs}


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_a_notebook_is_small(notebook):
    """A clone should not carry megabytes of pictures."""
    assert notebook.stat().st_size < 500_000
