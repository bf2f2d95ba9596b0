"""Every page in a real browser: painted, quiet, accessible, in both themes and on a phone.

The pages are those on the disk: a new one is tested as soon as its file is there.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import address, settled

# What Streamlit itself gets wrong and a page cannot mend: selector -> why.
STREAMLITS_OWN: dict[str, str] = {
    "[data-testid=stFileUploaderDropzone]": "a section without a role of its own has a label; its button is in order",
}

PHONE = (420, 860)

# How far the page, or the part of it that scrolls, reaches beyond the window.
OVERFLOW = """() => Math.max(...[document.documentElement, document.querySelector("[data-testid=stMain]")]
  .map(part => part.scrollWidth - part.clientWidth))"""


def assert_painted(page: Page) -> None:
    """Fail unless the page shows its question, no exception, and something in every chart and table."""
    expect(page.locator("h1").first).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.locator(".nlpviz-failure").filter(visible=True)).to_have_count(0)
    for chart in page.locator(".nlpviz-plot, [data-testid=stPlotlyChart]").all():
        expect(chart.locator(".main-svg").first).to_be_attached()
    for table in page.get_by_test_id("stDataFrame").filter(visible=True).all():
        expect(table.locator("canvas table")).to_be_attached()  # what a screen reader gets of it


def unrolled(page: Page) -> Page:
    """Return ``page`` in a window as high as all it has to show: axe sees no contrast outside the window."""
    height = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
    page.set_viewport_size({"width": page.viewport_size["width"], "height": height})
    return settled(page)


def test_first_visit_may_be_a_deep_link(fresh_server: str, page: Page, page_file: Path) -> None:
    page.goto(fresh_server + address(page_file))
    assert_painted(settled(page))
    # Streamlit's own menu: a first visit that goes past the frame would show it
    expect(page.get_by_test_id("stSidebarNav")).to_have_count(0)


@pytest.mark.parametrize("color_scheme", ["light", "dark"])
def test_page_is_painted_and_accessible(server: str, page: Page, page_file: Path, color_scheme: str) -> None:
    page.goto(server + address(page_file))
    assert_painted(settled(page))
    assert page.evaluate("getComputedStyle(document.querySelector('.stApp')).colorScheme") == color_scheme
    found = Axe().run(unrolled(page), context={"exclude": [[selector] for selector in STREAMLITS_OWN]})
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("viewport", [PHONE])
def test_page_fits_a_phone(server: str, page: Page, page_file: Path) -> None:
    page.goto(server + address(page_file))
    assert_painted(settled(page))
    assert page.evaluate(OVERFLOW) <= 0
