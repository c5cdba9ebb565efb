"""The site builds without a warning, shows every page and every public name, and fetches nothing."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest
from sphinx.util.inventory import InventoryFile

from test_documentation import HERE, PAGES

ROOMS = (
    "rules",
    "game",
    "optimum",
    "families",
    "forecasts",
    "learn",
    "oracles",
    "agents",
    "simulate",
    "plot",
    "study",
    "session",
    "service",
)


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    """The site, built as `./run docs` does."""
    folder = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "sphinx", "-W", "-n", "-q", "-d", str(folder / "doctrees")]
    done = subprocess.run([*build, str(HERE / "docs"), str(folder / "html")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / "html"


def test_every_page_is_there(site):
    """Each page and notebook is on the site, and can be reached from the first one."""
    pages = [page.relative_to(HERE / "docs").with_suffix(".html") for page in PAGES if page.name != "README.md"]
    pages += [Path("examples", notebook.stem + ".html") for notebook in (HERE / "examples").glob("*.ipynb")]
    first = (site / "index.html").read_text()
    for page in pages:
        assert (site / page).is_file()
        shown = page.parts[0] != "reference" or page.stem == "index"
        assert not shown or page.name == "index.html" or f'href="{page.as_posix()}"' in first, page


def test_every_public_name_is_in_the_reference(site):
    """What a room offers is described."""
    known = InventoryFile.loads((site / "objects.inv").read_bytes(), uri="").data
    names = {name for kind, entries in known.items() if kind.startswith("py:") for name in entries}
    for room in ROOMS:
        for name in importlib.import_module(f"scorewright.{room}").__all__:
            if not name.isupper():  # constants
                assert f"scorewright.{room}.{name}" in names, f"scorewright.{room}.{name} is not described"


def test_nothing_is_fetched(site):
    """Pages bring all that they show: they can be read where there is no network."""
    for page in site.rglob("*.html"):
        for tag in re.findall(r"<(?:script|img|link|iframe)\b[^>]*>", page.read_text()):
            assert not re.search(r'(?:src|href)="(?:https?:)?//', tag), f"{page.name}: {tag}"
