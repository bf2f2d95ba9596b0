"""The server's first document: what it makes the browser fetch early."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import settled

pytestmark = pytest.mark.ci

ENTRIES = """() => performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("plotly.min.js"))
  .map(({ initiatorType, transferSize }) => [initiatorType, transferSize])"""

HEADERS = 300
"""``transferSize`` of a file that was only validated: the Resource Timing standard counts its headers so."""


def test_plotly_is_fetched_once_and_with_the_document(server: str, page: Page) -> None:
    for path in ("/", "/Explore", "/One_review?view=saliency"):
        page.goto(server + path)
        settled(page)
        assert page.evaluate("Boolean(window.Plotly)")
        entries = page.evaluate(ENTRIES)
        # The <script> that runs it takes what the header has had fetched; "script" is what a page asks for itself. What
        # the browser's memory answers may stand there a second time, with nothing transferred.
        assert {initiator for initiator, _ in entries} == {"link"}, (path, entries)
        assert sum(transferred > HEADERS for _, transferred in entries) <= 1, (path, entries)
