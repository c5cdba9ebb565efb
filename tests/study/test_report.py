"""The page: looked at by a real browser, from a file, with no network."""

from __future__ import annotations

import re

import pytest

import scorewright as sw
from browser import opened
from scorewright.study.report import contents

GAMES = [
    "three_efforts",
    {"label": "<b>bold</b> & co</script>", "family": "analyst", "tags": ["story"], "about": "a < b"},
]


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """Return the results of a study with a failure, two agents and two horizons."""
    study = sw.study.Study(
        GAMES,
        [
            "oracle-bandit",
            {"name": "osrl-ucb", "radius": 0.03},
            {"label": "broken", "name": "osrl-ucb", "stop": {"x": 1}},
        ],
        agents=["rational", "noisy"],
        rounds=[100, 1000],
        repeats=2,
        name="A study",
        about="What it is about.",
    )
    return sw.study.run(study, tmp_path_factory.mktemp("report"))


@pytest.fixture(scope="module")
def page_file(results):
    """Return the page written."""
    path = results.folder / "report.html"
    sw.study.report(results, path)
    return path


def test_the_page_is_one_file(page_file):
    """Nothing in it points elsewhere, and labels can't break out of its data."""
    text = page_file.read_text()
    assert not re.search(r'(src|href)="(?!#)|url\(|@import|https?://(?!www\.w3\.org)', text)
    assert text.count("</script>") == 2


def test_the_contents_agree_with_the_leaderboard(results):
    """The view of all games at one horizon is the leaderboard of those cells."""
    content = contents(results)
    assert content["groups"] == ["all games", "tag: story", "three_efforts", GAMES[1]["label"]]
    view = content["views"]["\x01".join(["three_efforts", "rational", "1000"])]
    cells = results.cells()
    own = cells[(cells["game"] == "three_efforts") & (cells["agent"] == "rational") & (cells["rounds"] == 1000)]
    for row in view["leaderboard"]:
        assert row["regret"] == pytest.approx(own[own["learner"] == row["learner"]]["regret"].mean())
    assert len(content["failures"]) == 2 * 2 * 2 * 2


def test_in_a_browser(page_file, results):
    """Leaderboard, curves, filters, sorting, legend, losing cases and failures work."""
    with opened(page_file) as page:
        assert page.inner_text("h1") == "A study"
        assert page.locator("#board tbody tr").count() == 2
        assert page.locator("#curves polyline").count() == 2
        assert page.locator("#curves polygon").count() == 2
        before = page.inner_text("#board tbody")
        page.select_option("#group", GAMES[1]["label"])
        assert page.inner_text("#board tbody") != before
        view = contents(results)["views"]["\x01".join([GAMES[1]["label"], "rational", "1000"])]
        expected = next(row for row in view["leaderboard"] if row["learner"] == "oracle-bandit")
        shown = (
            page.inner_text('#board tr[data-learner="oracle-bandit"] td:nth-child(2)').split("\n")[0].replace(",", "")
        )
        assert float(shown) == pytest.approx(expected["regret"], rel=0.01)
        for select, value in (("#agent", "noisy"), ("#rounds", "100"), ("#axes", "linear")):
            drawn = page.inner_html("#curves")
            page.select_option(select, value)
            assert page.inner_html("#curves") != drawn, select
        page.select_option("#learner", "oracle-bandit")
        assert page.locator("#curves polyline").count() == 1
        page.select_option("#learner", "")
        page.click("#legend button:first-child")
        assert page.locator("#curves polyline").count() == 1
        page.click("#legend button:first-child")
        assert page.locator("#curves polyline").count() == 2
        order = page.locator("#board tbody td:first-child").all_inner_texts()
        page.click("#board th:nth-child(2) button")
        assert page.locator("#board tbody td:first-child").all_inner_texts() == order[::-1]
        page.hover("#curves", position={"x": 500, "y": 150})
        assert "oracle-bandit" in page.inner_text("#at")
        assert page.locator("#failures details").count() == 16
        page.click("#failures details:first-child summary")
        assert "Traceback" in page.inner_text("#failures details:first-child pre")
        assert page.locator("#games tbody tr").count() == 2
        assert GAMES[1]["label"] in page.inner_text("#games")


def test_dark_mode(page_file):
    """A dark page for those who ask for it."""
    shades = []
    for dark in (False, True):
        with opened(page_file, dark=dark) as page:
            shade = page.evaluate("getComputedStyle(document.body).backgroundColor")
            shades.append(sum(map(int, re.findall(r"\d+", shade)[:3])))
    assert shades[0] > 700 > 100 > shades[1]
