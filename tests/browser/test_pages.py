"""Every page and every view in a real browser: painted, quiet, accessible, in both themes and on a phone.

The pages are those on the disk: a new one is tested as soon as its file is there.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import address
from tests.browser.looks import assert_looks, assert_painted


@pytest.mark.slow  # a server each; one page is visited first by test_one_page_may_be_visited_first
def test_first_visit_may_be_a_deep_link(fresh_server: str, page: Page, page_file: Path) -> None:
    visited_first(fresh_server, page, page_file)


def test_one_page_may_be_visited_first(fresh_server: str, page: Page, pytestconfig: pytest.Config) -> None:
    *_, last = sorted((pytestconfig.rootpath / "pages").glob("*.py"))
    visited_first(fresh_server, page, last)


def visited_first(server: str, page: Page, page_file: Path) -> None:
    """Visit a page of a server that nobody has visited."""
    page.goto(server + address(page_file))
    assert_painted(page)
    # Streamlit's own menu: a first visit that goes past the frame would show it
    expect(page.get_by_test_id("stSidebarNav")).to_have_count(0)


def test_view_is_in_order_in_the_dark_in_the_light_and_on_a_phone(
    server: str, page: Page, page_view: tuple[Path, Path | None]
) -> None:
    assert_looks(page, server + address(*page_view))
