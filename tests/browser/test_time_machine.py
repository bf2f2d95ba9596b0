"""The slider of the time machine in a real browser: the whole page goes to the same epoch, and the address too."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import settled

SHOWN = "() => [...document.querySelectorAll('[data-moment]:not([hidden])')].map((one) => one.dataset.moment)"
CURSORS = """() => [...document.querySelectorAll('.nlpviz-plot')]
  .map((plot) => plot._fullLayout?.shapes?.[0]?.x0).filter((x) => x !== undefined)"""
TITLES = "() => [...document.querySelectorAll('.annotation-text')].map((one) => one.textContent)"


def test_all_panels_go_to_the_epoch_of_the_slider_and_a_link_brings_them_there(server: str, page: Page) -> None:
    page.goto(f"{server}/One_review?view=time-machine&run=imdb-cnn&pinned=2")
    settled(page)
    assert page.evaluate(SHOWN) == ["7", "7"]
    page.locator(".nlpviz-player input").first.focus()
    page.keyboard.press("Home")
    page.wait_for_function(f"() => ({SHOWN})().every((one) => one === '0')")
    page.wait_for_function(f"() => ({CURSORS})().length === 2 && ({CURSORS})().every((x) => x === 0)")
    page.wait_for_function(f"() => ({TITLES})().some((one) => one.startsWith('Epoch 0'))")
    expect(page).to_have_url(re.compile("epoch=0"))
    settled(page)
    assert page.evaluate(SHOWN) == ["0", "0"], "the page that ran again left the epoch alone"
    page.reload()
    settled(page)
    page.wait_for_function(f"() => ({SHOWN})().every((one) => one === '0')")


def test_a_clicked_word_is_pinned(server: str, page: Page) -> None:
    page.goto(f"{server}/One_review?view=time-machine&run=imdb-cnn")
    settled(page)
    page.locator("[data-moment]:not([hidden]) [data-id='3']").first.click()
    settled(page)
    expect(page.get_by_role("heading", name="The story of")).to_be_visible()
    expect(page).to_have_url(re.compile("pinned=4"))
