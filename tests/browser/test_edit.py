"""A review edited by clicks: a word is chosen in the text, negated, undone; the trail is gone along by its points."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import settled

pytestmark = pytest.mark.slow

CALLED = "() => document.activeElement.ariaLabel ?? document.activeElement.title"  # what the focus is on


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


def test_a_review_is_typed_explained_and_flipped_by_twenty_five_keys(server: str, page: Page) -> None:
    pressed = 0

    def press(key: str, times: int = 1) -> None:
        nonlocal pressed
        pressed += times
        for _ in range(times):
            page.keyboard.press(key)

    def tab_to(name: str) -> None:
        while not page.evaluate(CALLED).startswith(name):
            press("Tab")
            assert pressed < 40, f"no Tab leads to {name}"

    page.goto(f"{server}/One_review")
    settled(page)
    press("Control+k")
    page.keyboard.type("edit")
    press("Enter")
    expect(page).to_have_url(re.compile("view=edit"))
    settled(page)
    tab_to("Type or paste")
    press("Enter")
    page.keyboard.type("A dull film.")
    press("Control+Enter")
    shown = page.locator(".nlpviz-clickable .nlpviz-text")
    expect(shown).to_contain_text("dull")
    settled(page)
    before = page.locator(".st-key-nlpviz_takeaway").inner_text()
    tab_to("Method")
    press("ArrowDown")
    press("Enter")
    expect(page).to_have_url(re.compile("method="))
    settled(page)
    tab_to("Word")
    page.keyboard.type("dull")
    press("Enter")
    settled(page)
    tab_to("Replacement")
    page.keyboard.type("brilliant")
    press("Enter")
    expect(page).to_have_url(re.compile("swap-1-brilliant"))
    settled(page)
    after = page.locator(".st-key-nlpviz_takeaway").inner_text()
    assert "negative" in before
    assert "positive" in after
    assert pressed <= 25, "beside what is typed"
