"""Every Python block in the README and the docs runs; every file and picture that they point to exists."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import scorewright as sw

HERE = Path(__file__).resolve().parent.parent
PAGES = [HERE / "README.md", *sorted((HERE / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_blocks_run(page, tmp_path, monkeypatch):
    """The blocks of a page run in order, as a reader would run them, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    scope: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", page.read_text(), flags=re.DOTALL):
        exec(compile(block, page.name, "exec"), scope)
    for number, block in enumerate(re.findall(r"```json\n(.*?)```", page.read_text(), flags=re.DOTALL)):
        file = tmp_path / f"block{number}.json"
        file.write_text(json.dumps(json.loads(block)))
        assert sw.solve(sw.load(file)).profit > 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    """Relative links and pictures exist."""
    for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
        assert (page.parent / target).exists(), target


def test_the_readme_says_what_the_code_answers():
    """The figures in the comments of the example are the ones that it gives."""
    game = sw.families.make("three_efforts")
    solution = sw.solve(game)
    said = f"({solution.effort}, {round(solution.payment, 6)}, {round(solution.profit, 6)})"
    assert said in (HERE / "README.md").read_text()
