"""Every page and every view in a real browser: painted, quiet, accessible, in both themes and on a phone.

The pages are those on the disk: a new one is tested as soon as its file is there.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import address
from tests.browser.hostile import assert_markup_stays_text
from tests.browser.looks import assert_looks, assert_painted


# A server each; tests/browser/test_first_visitors.py asks fresh servers for all views, without a browser.
@pytest.mark.parametrize(
    "which", [-1, pytest.param(0, marks=pytest.mark.slow), pytest.param(5, marks=pytest.mark.slow)]
)
def test_first_visit_may_be_a_deep_link(fresh_server: str, page: Page, pytestconfig: pytest.Config, which: int) -> None:
    file = sorted((pytestconfig.rootpath / "pages").glob("*.py"))[which]
    page.goto(fresh_server + address(file))
    assert_painted(page)
    # Streamlit's own menu: a first visit that goes past the frame would show it
    expect(page.get_by_test_id("stSidebarNav")).to_have_count(0)


def test_view_is_in_order_in_the_dark_in_the_light_and_on_a_phone(
    server: str, page: Page, page_view: tuple[Path, Path | None], viewport: tuple[int, int], *, thorough: bool
) -> None:
    """What views make of hostile texts is tried without a browser always (tests/pages/test_anything.py)."""
    assert_looks(page, server + address(*page_view))
    if thorough:
        page.set_viewport_size({"width": viewport[0], "height": viewport[1]})
        assert_markup_stays_text(page)
