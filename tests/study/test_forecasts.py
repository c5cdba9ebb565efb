"""The page on a forecast table, looked at by a real browser."""

from __future__ import annotations

import re

import numpy as np
import pytest

import scorewright as sw
from browser import opened
from tabling import frame, posteriors


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    """Return the page for a table with an awkward label and a useless tier."""
    true, truth = posteriors((0.6, 0.6, 0.9), 200)
    true[1] = true[0]
    table = frame(true, truth).replace({"t2": "<b>study</b> & co"})
    with pytest.warns(sw.errors.ForecastWarning, match="'t1' adds nothing"):
        found = sw.forecasts.assess(table, costs=[0, 0.01, 0.05], utility=np.eye(2), beliefs=6, resamples=10)
    path = tmp_path_factory.mktemp("page") / "report.html"
    sw.study.assessment_report(found, path, title="A <table>")
    return path


def test_the_page_is_one_file(page_file):
    """Nothing in it points elsewhere, and labels are text."""
    text = page_file.read_text()
    assert not re.search(r'(src|href)="(?!#)|url\((?!#)|@import', text)
    assert "<b>study</b>" not in text
    assert "A &lt;table&gt;" in text


def test_in_a_browser(page_file):
    """Every section is there, with its tables and pictures, and nothing is wider than the page."""
    with opened(page_file) as page:
        for section in ("warnings", "calibration", "differences", "verdicts", "optimum", "robust"):
            assert page.locator(f"#{section}").count() == 1
        assert "'t1' adds nothing" in page.inner_text("ul.fails")
        assert page.locator("figure svg").count() == 2
        assert page.locator("details tbody tr").count() == 12
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert "price of robustness" in page.inner_text("body")
