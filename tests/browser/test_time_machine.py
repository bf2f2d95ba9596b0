"""The slider of the time machine in a real browser: the whole page goes to the same epoch, and the address too."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import settled

pytestmark = pytest.mark.slow

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
    page.wait_for_function(f"() => ({CURSORS})().length === 3 && ({CURSORS})().every((x) => x === 0)")
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
    expect(page.get_by_role("heading", name="Score of")).to_be_visible()
    expect(page).to_have_url(re.compile("pinned=4"))


def test_the_slider_floats_where_its_place_is_scrolled_away(server: str, page: Page) -> None:
    page.goto(f"{server}/One_review?view=time-machine&run=imdb-lstm")
    settled(page)
    expect(page.locator(".nlpviz-player-afloat")).to_have_count(0)
    page.get_by_text("How to read this").scroll_into_view_if_needed()
    floating = page.locator(".nlpviz-player-afloat")
    expect(floating).to_be_in_viewport()
    floating.locator("input").focus()
    page.keyboard.press("Home")
    page.wait_for_function(f"() => ({SHOWN})().every((one) => one === '0')")
    captions = page.locator(".nlpviz-caption").filter(has_text="one row per unit")  # in the menus
    expect(captions).to_contain_text("LSTM on IMDB, epoch 0")
    page.locator("h1").scroll_into_view_if_needed()
    expect(floating).to_have_count(0)


def test_two_visitors_drag_their_own_sliders(server: str, page: Page) -> None:
    assert page.context.browser is not None
    other = page.context.browser.new_context().new_page()
    for one in (page, other):
        one.goto(f"{server}/One_review?view=time-machine&run=imdb-cnn")
        settled(one)
    for key in ("Home", "End", "ArrowLeft", "Home"):
        for one in (page, other):
            one.locator(".nlpviz-player input").first.focus()
            one.keyboard.press(key)
            settled(one)
        other.keyboard.press("ArrowRight")
        settled(other)
    for one, shown in ((page, "0"), (other, "1")):
        expect(one).to_have_url(re.compile(f"epoch={shown}"))
        settled(one)
        assert one.evaluate(SHOWN) == [shown, shown]
    other.context.close()


def test_the_file_that_is_taken_along_has_the_slider(server: str, page: Page, tmp_path: Path) -> None:
    page.goto(f"{server}/One_review?view=time-machine&run=imdb-lstm")
    settled(page)
    with page.expect_download() as taken:
        page.get_by_role("button", name="Download this page (HTML)").click()
    taken.value.save_as(tmp_path / "page.html")
    page.goto((tmp_path / "page.html").as_uri())
    slider = page.locator(".player.leads input")
    slider.focus()
    page.keyboard.press("Home")
    page.wait_for_function(f"() => ({SHOWN})().every((one) => one === '0')")
    captions = page.locator("figcaption", has_text="epoch ").all()
    assert len(captions) >= 3
    for caption in captions:
        expect(caption).to_contain_text("epoch 0")
    expect(page.locator(".player output").first).to_have_text("Epoch 0 (before training)")


def test_controls_are_in_sight_as_long_as_what_they_move(server: str, page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{server}/Explore?view=map")
    expect(settled(page).get_by_role("button", name="Play training")).to_be_in_viewport(ratio=1)
    page.goto(server)  # a text and a map move there, and neither is where the page ends
    settled(page)
    page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, main.scrollHeight)")
    expect(page.get_by_role("button", name="Play training")).not_to_be_in_viewport()
    expect(page.locator(".nlpviz-player-afloat")).to_have_count(0)
