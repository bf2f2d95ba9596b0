"""The matrices of several epochs in a real browser, and the switch between them and the bars."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import settled
from tests.browser.looks import assert_looks

MATRICES = "/One_review?show=matrix&method=integrated-gradients&epoch=0&epoch=1"


def test_matrices_are_in_order(server: str, page: Page) -> None:
    assert_looks(page, server + MATRICES)
    expect(page.locator(".nlpviz-plot .heatmaplayer image").first).to_be_attached()
    expect(page.locator(".nlpviz-text")).to_have_count(2)


def test_a_choice_of_the_picture_is_in_the_address(server: str, page: Page) -> None:
    page.goto(f"{server}/One_review")
    settled(page)
    page.get_by_role("combobox", name="Show").click()
    page.get_by_role("option", name="matrix").click()
    expect(page).to_have_url(re.compile("show=matrix"))
    expect(page.locator(".nlpviz-plot .heatmaplayer image").first).to_be_attached()
