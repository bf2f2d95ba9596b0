"""How far to trust a picture, in a real browser: the verdict, and the layers that are drawn anew when asked."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import settled
from tests.browser.looks import PHONE, assert_accessible, assert_fits

pytestmark = pytest.mark.slow


def test_layers_are_randomised_on_a_phone_and_on_a_desk(server: str, page: Page) -> None:
    page.goto(f"{server}/One_review?method=gradient-input")
    folded = settled(page).get_by_text("How far to trust these scores")
    expect(page.locator(".nlpviz-plot")).to_have_count(1)
    folded.click()
    expect(page).to_have_url(re.compile("trust=open"))
    expect(settled(page).get_by_text("random orders here")).to_be_visible()
    expect(page.locator(".nlpviz-plot")).to_have_count(3)
    page.get_by_text("Randomise the parameters").click()
    expect(page.get_by_text("The parameters are randomised")).to_be_visible()
    expect(page.locator(".nlpviz-plot")).to_have_count(4)
    expect(page.get_by_role("progressbar")).to_have_count(0)
    expect(page.locator(".nlpviz-plot .ytick text").filter(has_text="word vectors")).to_be_visible()
    assert_accessible(page)
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    assert_fits(page)
