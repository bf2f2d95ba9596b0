"""The server's first document: what it makes the browser fetch early."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.browser.conftest import settled

# The <script> that runs plotly.js takes what the header has had fetched: a second request would be another entry.
FETCHED = """() => performance.getEntriesByType("resource").filter(({ name }) => name.endsWith("plotly.min.js"))
  .map(({ initiatorType }) => initiatorType)"""


def test_plotly_is_fetched_once_and_with_the_document(server: str, page: Page) -> None:
    for path in ("/", "/Explore", "/One_review?view=saliency"):
        page.goto(server + path)
        settled(page)
        assert page.evaluate("Boolean(window.Plotly)")
        assert page.evaluate(FETCHED) == ["link"], path  # "script" is what a page asks for itself
