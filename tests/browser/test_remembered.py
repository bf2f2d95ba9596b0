"""What a visitor chose and typed, in a real browser: Play, quick keys, and a reload of the tab."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import settled, type_review

pytestmark = pytest.mark.slow


def viewed(page: Page, title: str) -> None:
    page.locator(".st-key-nlpviz_views").get_by_text(title, exact=True).click()
    expect(page).to_have_url(re.compile(f"view={title.lower().replace(' ', '-')}"))
    settled(page)


def test_the_epoch_at_which_play_ends_is_that_of_the_next_view(server: str, page: Page) -> None:
    page.goto(f"{server}/One_review?view=time-machine&epoch=1")
    settled(page)
    page.get_by_role("button", name="Play training").click()
    expect(page.locator(".nlpviz-player output").first).to_have_text("Epoch 4", timeout=20_000)
    viewed(page, "Edit")
    expect(page).to_have_url(re.compile("epoch=[4-6]"))


def test_keys_that_are_faster_than_the_page_end_at_one_epoch(server: str, page: Page) -> None:
    page.goto(f"{server}/One_review?view=time-machine")
    settled(page)
    page.locator(".nlpviz-player input").first.focus()
    for key in ("Home", *["ArrowRight"] * 4, "ArrowLeft"):
        page.keyboard.press(key)
        page.wait_for_timeout(150)
    expect(page).to_have_url(re.compile("epoch=3"))
    settled(page)
    expect(page.locator(".nlpviz-player output").first).to_have_text("Epoch 3")


def test_a_reload_keeps_what_was_typed(server: str, page: Page) -> None:
    page.goto(f"{server}/One_review")
    settled(page)
    for text in ("What a waste of time.", "Not bad, quite good."):
        type_review(page, text)
    page.reload()
    opener = page.locator(".nlpviz-text-chip")
    expect(opener).to_contain_text("Not bad, quite good.")
    settled(page)
    opener.click()
    page.get_by_role("combobox", name="All examples and your recent texts").click()
    expect(page.get_by_role("option", name="What a waste of time.")).to_be_visible()
