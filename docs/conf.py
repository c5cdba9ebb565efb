"""The site: `./run docs`, or `sphinx-build -W -n docs docs/_build/html`. Needs no network, and runs no example.

The examples are run by the tests instead (tests/test_documentation.py, tests/test_notebooks.py), which fail when one
does; the notebooks are shown with the outputs that they were committed with.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

import scorewright

HERE = Path(__file__).parent
ROOT = HERE.parent

project = "scorewright"
author = "The scorewright developers"
project_copyright = "the scorewright developers, MIT licence"
release = version = scorewright.__version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "numpydoc", "sphinx_copybutton"]
exclude_patterns = ["_build", "jupyter_execute"]
nitpicky = True
nitpick_ignore_regex = [("py:class", r"\w*(Error|Exception)")]  # Python's own, which are documented elsewhere

html_theme = "furo"
html_title = "scorewright"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_sourcelink = False

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
html_math_renderer = "mathml"
nb_execution_mode = "off"
nb_merge_streams = True

# Docstrings write `name` for any piece of code.
default_role = "code"
smartquotes_action = "qe"  # no dashes: options are written with two
autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_default_options = {"members": True}
numpydoc_show_class_members = False  # autodoc lists them
copybutton_exclude = ".linenos, .gp, .go"


def _notebooks_from_examples(app: object) -> None:
    """Sphinx reads only what is below docs/: bring the notebooks there."""
    del app
    (HERE / "examples").mkdir(exist_ok=True)
    for notebook in (ROOT / "examples").glob("*.ipynb"):
        shutil.copy(notebook, HERE / "examples")


def _fill_in(app: object, page: str, source: list[str]) -> None:
    """Links that lead elsewhere on the site than in the repository, and the commands' own help."""
    del app
    up = "../" * page.count("/")
    source[0] = re.sub(rf"\]\({up}\.\./examples/(\w+)\.ipynb", rf"]({up}examples/\1.ipynb", source[0])
    if page.startswith("examples/"):
        source[0] = source[0].replace("](../docs/", "](../")
    if page == "reference/cli":
        docs = [sys.executable, "-m", "typer", "scorewright.cli.app", "utils", "docs", "--name", "scorewright"]
        said = subprocess.run(docs, check=True, capture_output=True, text=True).stdout
        source[0] += said.partition("\n")[2]  # the page has a title of its own


def _as_mathml(writer: HTML5Translator, node: nodes.math | nodes.math_block) -> None:
    """Browsers draw formulas by themselves: no script is needed, and none is fetched."""
    block = isinstance(node, nodes.math_block)
    drawn = tex2mathml(node.astext(), as_block=block)
    writer.body.append(f'<div class="math">{drawn}</div>' if block else drawn)
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Register the above."""
    app.add_html_math_renderer("mathml", (_as_mathml, None), (_as_mathml, None))
    app.connect("builder-inited", _notebooks_from_examples)
    app.connect("source-read", _fill_in)
