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
def opened(file: Path, *, dark: bool = False) -> Iterator[Any]:
    """Open a file in Chromium; any error on the page, or any request that leaves the file, fails the test.

    Where there is no Chromium the test is skipped, unless SCOREWRIGHT_BROWSER says that there must be one.
    """
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    must = bool(os.environ.get("SCOREWRIGHT_BROWSER"))
    if chromium is None and not must:
        pytest.skip("no Chromium here: install it to test the pages in a browser")
    assert chromium is not None, "SCOREWRIGHT_BROWSER asks for browser tests, but there is no Chromium"
    from playwright.sync_api import sync_playwright

    wrong: list[str] = []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=FLAGS)
        try:
            page = browser.new_page(viewport={"width": 1200, "height": 900}, color_scheme="dark" if dark else "light")
            page.on("pageerror", lambda error: wrong.append(str(error)))
            page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
            page.on("request", lambda asked: None if asked.url.startswith("file:") else wrong.append(asked.url))
            page.goto(file.resolve().as_uri())
            yield page
        finally:
            browser.close()
    assert wrong == []
