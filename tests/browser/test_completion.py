"""The fields that complete what is typed from a long list: quick, by mouse and by keyboard, and what they ask for."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import settled

LONGEST_MS = 400
TRIES = 5
"""A machine may be busy with something else for once; a field that blocks does so each time."""
WATCH = """() => {
  window.longTasks = [];
  window.taskObserver ??= new PerformanceObserver((list) => {
    window.longTasks.push(...list.getEntries().map((entry) => entry.duration));
  });
  window.taskObserver.observe({ type: "longtask" });
}"""
LONGEST = "() => Math.max(0, ...window.longTasks)"
# Two frames and a task later, whatever the last key asked for has been painted, and the observer has been told.
PAINTED = """() => new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 100))))"""

FIELDS = [
    ("Words", "word", "pri", "paris"),
    ("Words?view=map", "word", "chi", "children"),
    ("Explore", "found_document", "was", "waste"),
]


def opened(page: Page, server: str, name: str, key: str) -> Locator:
    page.goto(f"{server}/{name}")
    settled(page)
    return page.locator(f".st-key-{key} input")


def longest_task(page: Page, field: Locator, typed: str, pasted: str) -> float:
    """Type, paste and take back in the field; return how long the longest task took, in milliseconds."""
    page.evaluate(WATCH)
    field.fill("")
    field.press_sequentially(typed)
    page.evaluate(PAINTED)
    field.press("ControlOrMeta+a")
    page.keyboard.insert_text(pasted)  # what pasting does to a field
    page.evaluate(PAINTED)
    for _ in pasted:
        field.press("Backspace")
        page.evaluate(PAINTED)
    return float(page.evaluate(LONGEST))


@pytest.mark.parametrize(("name", "key", "typed", "pasted"), FIELDS)
def test_no_key_blocks_the_tab(server: str, page: Page, name: str, key: str, typed: str, pasted: str) -> None:
    field = opened(page, server, name, key)
    field.click()
    times = []
    while len(times) < TRIES and min(times, default=LONGEST_MS) >= LONGEST_MS:
        times.append(longest_task(page, field, typed, pasted))
    assert min(times) < LONGEST_MS, times


def test_eight_matches_at_most_and_the_keyboard_walks_through_them(server: str, page: Page) -> None:
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


def test_escape_closes_the_list_and_leaves_what_was_typed(server: str, page: Page) -> None:
    field = opened(page, server, "Words", "word")
    field.click()
    field.press_sequentially("quee")
    expect(page.get_by_role("option", name="queen", exact=True)).to_be_visible()
    field.press("Escape")
    expect(page.get_by_role("option")).to_have_count(0)
    expect(field).to_have_value("quee")


def test_a_review_is_found_by_its_ngrams_and_by_a_part_of_its_id(server: str, page: Page) -> None:
    field = opened(page, server, "Explore", "found_document")
    field.click()
    field.press_sequentially("waste of")
    option = page.get_by_role("option").first
    expect(option).to_contain_text("waste of")
    identifier = option.inner_text().split(" · ")[0]
    option.click()
    expect(field).to_have_value(identifier)
    expect(page.get_by_text(f"{identifier}: ")).to_be_visible()
    field.fill(identifier[:-1])
    field.press("Enter")  # nothing else may stand here: the first match
    settled(page)
    assert page.url.split("text=")[1].replace("%2F", "/").startswith(identifier[:-1])


def test_a_review_that_is_not_there_is_said(server: str, page: Page) -> None:
    field = opened(page, server, "Explore", "found_document")
    field.fill("no such review")
    field.press("Enter")
    expect(page.get_by_text("There is no review no such review")).to_be_visible()
