"""Every page in a real browser: painted, quiet, accessible, in both themes and on a phone.

The pages are those on the disk: a new one is tested as soon as its file is there.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import address
from tests.browser.looks import PHONE, assert_accessible, assert_fits, assert_painted


def test_first_visit_may_be_a_deep_link(fresh_server: str, page: Page, page_file: Path) -> None:
    page.goto(fresh_server + address(page_file))
    assert_painted(page)
    # Streamlit's own menu: a first visit that goes past the frame would show it
    expect(page.get_by_test_id("stSidebarNav")).to_have_count(0)


@pytest.mark.parametrize("color_scheme", ["light", "dark"])
def test_page_is_painted_and_accessible(server: str, page: Page, page_file: Path, color_scheme: str) -> None:
    page.goto(server + address(page_file))
    assert_painted(page)
    assert page.evaluate("getComputedStyle(document.querySelector('.stApp')).colorScheme") == color_scheme
    assert_accessible(page)


@pytest.mark.parametrize("viewport", [PHONE])
def test_page_fits_a_phone(server: str, page: Page, page_file: Path) -> None:
    page.goto(server + address(page_file))
    assert_fits(page)
