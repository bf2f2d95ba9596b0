"""The fields that complete what is typed from a long list: quick, by mouse and by keyboard, and what they ask for."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import FRAME, settled

pytestmark = pytest.mark.ci

# How many elements are put into the page from now on.
COUNT = """() => {
  window.put = 0;
  window.counter ??= new MutationObserver((all) => {
    for (const { addedNodes } of all) for (const node of addedNodes) window.put += 1 + (node.childElementCount ?? 0);
  });
  window.counter.observe(document.body, { childList: true, subtree: true });
}"""
MOST = 8


def opened(page: Page, server: str, name: str, key: str) -> Locator:
    page.goto(f"{server}/{name}")
    settled(page)
    return page.locator(f".st-key-{key} input")


def assert_each_key_puts_eight_matches(page: Page, field: Locator, typed: str, pasted: str) -> None:
    """Type, paste and take back in the field: no key puts more of the long list into the page than can be seen."""
    field.click()
    field.fill("")
    for key in (*typed, "Control+a", *["Backspace"] * len(pasted)):
        page.evaluate(COUNT)
        if key == "Control+a":
            field.press(key)
            page.keyboard.insert_text(pasted)  # what pasting does to a field
        else:
            field.press(key)
        page.evaluate(FRAME)
        assert page.evaluate("window.put") <= 2 * MOST


def test_eight_matches_at_most_walked_through_by_keyboard_and_closed_by_escape(server: str, page: Page) -> None:
    field = opened(page, server, "Words", "word")
    expect(field).to_have_role("combobox")
    expect(field).to_have_attribute("aria-expanded", "false")
    field.click()
    field.press_sequentially("co")
    options = page.get_by_role("option")
    expect(options).to_have_count(8)
    expect(field).to_have_attribute("aria-expanded", "true")
    field.press("ArrowDown")
    field.press("ArrowDown")
    second = options.nth(1)
    expect(second).to_have_attribute("aria-selected", "true")
    assert field.get_attribute("aria-activedescendant") == second.get_attribute("id")
    word = second.inner_text()
    assert word.startswith("co")
    field.press("Enter")
    expect(options).to_have_count(0)
    expect(page).to_have_url(re.compile(f"word={word}$"))
    expect(field).to_have_value(word)
    settled(page)
    assert_each_key_puts_eight_matches(page, field, "pri", "paris")
    field.fill("")
    field.press_sequentially("quee")
    expect(page.get_by_role("option", name="queen", exact=True)).to_be_visible()
    field.press("Escape")
    expect(page.get_by_role("option")).to_have_count(0)
    expect(field).to_have_value("quee")


@pytest.mark.slow
def test_a_review_is_found_by_its_ngrams_and_by_a_part_of_its_id(server: str, page: Page) -> None:
    field = opened(page, server, "Explore", "found_document")
    field.click()
    field.press_sequentially("waste of")
    option = page.get_by_role("option").first
    expect(option).to_contain_text("waste of")
    identifier = option.inner_text().split(" · ")[0]
    option.click()
    expect(field).to_have_value(identifier)
    expect(page.get_by_text(re.compile(f"{identifier}.*label is"))).to_be_visible()
    field.fill(identifier[:-1])
    field.press("Enter")  # nothing else may stand here: the first match
    settled(page)
    assert page.url.split("text=")[1].replace("%2F", "/").startswith(identifier[:-1])
    assert_each_key_puts_eight_matches(page, field, "was", "waste")
    field.fill("no such review")
    field.press("Enter")
    expect(page.get_by_text("No review matches no such review")).to_be_visible()
