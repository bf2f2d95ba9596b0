"""A review edited by clicks: a word is chosen in the text, negated, undone; the trail is gone along by its points."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import settled

pytestmark = pytest.mark.slow


def test_a_clicked_word_is_negated_and_the_trail_leads_back(server: str, page: Page) -> None:
    page.goto(f"{server}/One_review?view=edit")
    settled(page)
    edited = page.locator(".nlpviz-clickable .nlpviz-text")
    edited.locator('[data-id="5"]').click()
    expect(page).to_have_url(re.compile("edit_word=5"))
    settled(page)
    page.get_by_role("button", name="Negate").click()
    expect(page).to_have_url(re.compile("edits=insert-5-not"))
    expect(edited.locator(".nlpviz-added")).to_have_text("not")
    settled(page)
    page.locator(".st-key-edit_delete button").click()
    expect(page).to_have_url(re.compile("edits=insert-5-not.delete-5"))
    settled(page)
    page.go_back()
    expect(edited.locator(".nlpviz-added")).to_have_text("not")
    settled(page)
    page.get_by_role("button", name="Undo").click()
    expect(page).to_have_url(re.compile("at=0"))
    expect(page.locator(".nlpviz-added")).to_have_count(0)


def test_enter_in_the_word_box_swaps(server: str, page: Page) -> None:
    page.goto(f"{server}/One_review?view=edit&edit_word=3")
    box = settled(page).get_by_label("Replacement")
    box.fill("dull")
    box.press("Enter")
    expect(page).to_have_url(re.compile("edits=swap-3-dull"))
    settled(page)
    box.fill("very")
    page.get_by_role("button", name="Insert before").click()
    expect(page).to_have_url(re.compile("swap-3-dull.insert-3-very"))
