"""The matrices of several epochs in a real browser, and the switch between them and the bars."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import settled
from tests.browser.looks import assert_looks

pytestmark = pytest.mark.slow

MATRICES = "/One_review?show=matrix&method=integrated-gradients&epoch=0&epoch=1"


def test_matrices_are_in_order_and_a_choice_of_the_picture_is_in_the_address(server: str, page: Page) -> None:
    page.goto(server + MATRICES)
    assert_looks(page)
    expect(page.locator(".nlpviz-plot .heatmaplayer image").first).to_be_attached()
    expect(page.locator(".nlpviz-text")).to_have_count(2)
    show = settled(page).get_by_role("combobox", name="Show")
    for option, in_the_address in (("bars", "^((?!show=).)*$"), ("matrix", "show=matrix")):
        show.click()
        page.get_by_role("option", name=option).click()
        expect(page).to_have_url(re.compile(in_the_address))
        settled(page)
    expect(page.locator(".nlpviz-plot .heatmaplayer image").first).to_be_attached()
