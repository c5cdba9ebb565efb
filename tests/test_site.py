"""The site builds without a warning, shows every page and every public name, and fetches nothing.

One test, because building takes ten seconds and several workers would each build it.
"""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path
from types import FunctionType

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
    "client",
)


def test_the_site(tmp_path):
    """Build it as `./run docs` does, and look at what was built."""
    site = tmp_path / "html"
    build = [sys.executable, "-m", "sphinx", "-W", "-n", "-q", "-d", str(tmp_path / "doctrees")]
    done = subprocess.run([*build, str(HERE / "docs"), str(site)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    every_page_is_there(site)
    every_public_name_is_described(site)
    nothing_is_fetched(site)


def every_page_is_there(site: Path) -> None:
    """Each page and notebook is on the site, and can be reached from the first one."""
    pages = [page.relative_to(HERE / "docs").with_suffix(".html") for page in PAGES if page.name != "README.md"]
    pages += [Path("examples", notebook.stem + ".html") for notebook in (HERE / "examples").glob("*.ipynb")]
    first = (site / "index.html").read_text()
    for page in pages:
        assert (site / page).is_file(), page
        assert page == Path("index.html") or f'href="{page.as_posix()}"' in first, page


def every_public_name_is_described(site: Path) -> None:
    """What a room offers is in the reference."""
    known = InventoryFile.loads((site / "objects.inv").read_bytes(), uri="").data
    names = {name for kind, entries in known.items() if kind.startswith("py:") for name in entries}
    for room in ROOMS:
        module = importlib.import_module(f"scorewright.{room}")
        for name in module.__all__:
            if (
                isinstance(getattr(module, name), type | FunctionType) and name != "ServiceError"
            ):  # errors: their own page
                assert f"scorewright.{room}.{name}" in names, f"scorewright.{room}.{name} is not described"


def nothing_is_fetched(site: Path) -> None:
    """Pages bring all that they show: they can be read where there is no network."""
    for page in site.rglob("*.html"):
        for tag in re.findall(r"<(?:script|img|link|iframe)\b[^>]*>", page.read_text()):
            assert not re.search(r'(?:src|href)="(?:https?:)?//', tag), f"{page.name}: {tag}"
