"""The view on sampling in a real browser: a click on a word, another one forced, and the tree of both texts."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import settled
from tests.browser.looks import PHONE, assert_accessible, assert_fits

pytestmark = pytest.mark.slow

ADDRESS = "/Language_models?view=sampling&run=wikitext2-kn&length=20"


def test_a_word_is_clicked_another_one_forced_and_both_texts_are_a_tree(server: str, page: Page) -> None:
    page.goto(server + ADDRESS)
    text = settled(page).locator(".nlpviz-text").first
    before = text.inner_text()
    clicked = text.locator('[data-id="1-7"]')
    clicked.click()
    place = page.get_by_role("combobox", name="Word (or click in the text)")
    expect(place).to_have_value(f"7 · {clicked.inner_text()}")
    assert "token=7" in settled(page).url
    field = page.get_by_label("Force another word here")
    field.fill("river")
    field.press("Enter")
    expect(text.locator(".nlpviz-forced")).to_have_text("river")
    expect(field).to_have_value("")
    expect(place).to_have_value("7 · river")  # the box is told of the new word
    tree = settled(page).locator(".nlpviz-plot").nth(2)
    expect(tree.locator(".textpoint").filter(has_text="river").first).to_be_visible()
    page.get_by_role("button", name="Resample from here").click()
    expect(text.locator(".nlpviz-forced")).to_have_count(0)
    assert "token=7" in settled(page).url
    tree.focus()
    page.keyboard.press("ArrowDown")  # the first text's token
    page.keyboard.press("Enter")
    expect(text).to_have_text(before, use_inner_text=True)
    page.get_by_role("button", name="Discard all branches").click()
    expect(page.locator(".nlpviz-plot")).to_have_count(2)


def test_a_bar_forces_its_word_and_the_tree_is_in_order(server: str, page: Page) -> None:
    page.goto(server + ADDRESS + "&token=3")
    bars = settled(page).locator(".nlpviz-plot").first
    bars.focus()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".nlpviz-text .nlpviz-forced").first).to_be_visible()
    expect(settled(page).locator(".nlpviz-plot")).to_have_count(3)
    assert_accessible(page)
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    assert_fits(page)
