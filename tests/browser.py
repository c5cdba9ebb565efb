"""A real browser for tests: Chromium, opened on a file, with the network cut off."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]  # fmt: skip


@contextmanager
def chromium() -> Iterator[Any]:
    """Start Chromium.

    Where there is none the test is skipped, unless SCOREWRIGHT_BROWSER says that there must be one.
    """
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    must = bool(os.environ.get("SCOREWRIGHT_BROWSER"))
    if program is None and not must:
        pytest.skip("no Chromium here: install it to test the pages in a browser")
    assert program is not None, "SCOREWRIGHT_BROWSER asks for browser tests, but there is no Chromium"
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def visiting(
    browser: Any, origin: str, *, width: int = 1280, dark: bool = False, forgiven: str | None = None, **options: Any
) -> Iterator[Any]:
    """Give a page of a visitor of its own; an error on it, or a request that leaves the origin, fails the test.

    Chromium says on the console when a request is refused; where that is tested, `forgiven` is in what it says.
    """
    wrong: list[str] = []
    size = {"width": width, "height": 900}
    context = browser.new_context(viewport=size, color_scheme="dark" if dark else "light", **options)
    try:
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda said: wrong.append(said.text) if said.type in ("error", "warning") else None)
        page.on("request", lambda asked: None if asked.url.startswith(origin) else wrong.append(asked.url))
        yield page
    finally:
        context.close()
    assert [said for said in wrong if forgiven is None or forgiven not in said] == []


@contextmanager
def opened(file: Path, *, dark: bool = False) -> Iterator[Any]:
    """Open a file in Chromium; any error on the page, or any request that leaves the file, fails the test."""
    with chromium() as browser, visiting(browser, "file:", width=1200, dark=dark) as page:
        page.goto(file.resolve().as_uri())
        yield page
