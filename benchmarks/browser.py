"""A Chromium, and a server nobody has visited: for the questions that only a browser can answer."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks import ROOT
from tests.browser.chromium import find
from tests.browser.conftest import ARGUMENTS, serving
from tests.conftest import views_of_pages

PLAIN = ROOT / "benchmarks" / "peers" / "plain_streamlit.py"
PEER = "a bare page with one map by `st.plotly_chart`"


def views() -> list[tuple[str, Path, Path | None]]:
    """Return each page's views with a name, the page's file and the view's; None for a page that is a single view."""
    return [(f"{file.stem} {view.stem}" if view else file.stem, file, view) for file, view in views_of_pages(ROOT)]


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start a headless Chromium."""
    sandbox = [] if getattr(os, "geteuid", lambda: 1)() else ["--no-sandbox"]  # root has none
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find(), args=[*ARGUMENTS, *sandbox])
        yield browser
        browser.close()


@contextmanager
def cold_tab(browser: Browser) -> Iterator[Page]:
    """Open a tab with an empty cache, for a person who wants no motion: what is timed is work."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    context.set_default_timeout(60_000)
    yield context.new_page()
    context.close()


@contextmanager
def fresh_server(root: Path) -> Iterator[str]:
    """Start the app in ``root`` and yield its URL as soon as it is healthy."""
    with tempfile.TemporaryDirectory() as folder, serving(root, Path(folder) / "log.txt") as url:
        yield url


@contextmanager
def plain_app() -> Iterator[Path]:
    """Lay out the peer, an app of one page under the same settings, and yield its folder."""
    with tempfile.TemporaryDirectory() as folder, patch.dict(os.environ, PYTHONPATH=str(ROOT)):
        shutil.copytree(ROOT / ".streamlit", Path(folder) / ".streamlit")
        shutil.copyfile(PLAIN, Path(folder) / "app.py")
        yield Path(folder)
