"""The views on surprisal and on the next word in a real browser: a typed text, a click on a word, a word swapped."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import settled, type_review
from tests.browser.looks import PHONE, assert_accessible, assert_fits

pytestmark = pytest.mark.slow


def test_a_word_is_clicked_what_was_expected_there_is_shown_and_one_before_it_is_swapped(
    server: str, page: Page
) -> None:
    page.goto(f"{server}/Language_models?view=surprisal&run=wikitext2-kn")
    type_review(settled(page), "the king of the old town was a <b>great</b> man")
    texts = page.locator(".nlpviz-text")
    expect(texts.first).to_contain_text("<b>great</b> man")
    texts.first.get_by_text("town", exact=True).click()
    expect(page.get_by_role("combobox", name="Word", exact=True)).to_have_value("6 · town")
    settled(page).get_by_text("Which words were predicted here?").click()
    expect(page.get_by_role("heading", name="Which word does the model expect next?")).to_be_visible()
    expect(page.get_by_role("combobox", name="Predicted word")).to_have_value("6 · town")
    swapped = settled(page).get_by_label("Replacement", exact=True)
    swapped.fill("queen")
    swapped.press("Enter")
    expect(page.get_by_text("Change in total surprisal after the swap")).to_be_visible()
    assert_accessible(settled(page))
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    assert_fits(page)
