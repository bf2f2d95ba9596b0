"""The page on captions in a real browser, on networks that learnt for seconds: objects placed and erased by clicks."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import click_at, serving, settled
from tests.browser.looks import PHONE, assert_looks
from tests.captions import OWN

pytestmark = pytest.mark.slow

PAGES = (
    "/Captions?run=scenes-soft&scene=small+red+square+20+20&beside=scenes-hard",
    f"/Captions?view=your-images&run={OWN}-hard&beside={OWN}-soft",
)


@pytest.fixture(scope="module")
def toys(
    pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory, toy_captioners: Path, own_images: Path
) -> Iterator[str]:
    """The URL of a server whose only runs caption: scenes, and images of one's own."""
    folder = tmp_path_factory.mktemp("captioning") / "trained"
    shutil.copytree(toy_captioners, folder)
    shutil.copytree(own_images / "runs", folder, dirs_exist_ok=True)
    with serving(pytestconfig.rootpath, tmp_path_factory.mktemp("server") / "log.txt", folder) as url:
        yield url


def test_a_page_is_in_order_and_a_phone_shows_four_words_in_a_row(toys: str, page: Page) -> None:
    page.goto(toys + PAGES[0])
    assert_looks(page, dark=True)
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    figure = settled(page).locator(".js-plotly-plot").nth(1)
    page.wait_for_function(
        "() => document.querySelectorAll('.js-plotly-plot')[1].getBoundingClientRect().right <= innerWidth"
    )
    expect(figure).to_be_visible()


def test_own_images_are_in_order(toys: str, page: Page) -> None:
    page.goto(toys + PAGES[1])
    assert_looks(page)


def test_a_click_places_an_object_and_a_click_on_it_erases_it(toys: str, page: Page) -> None:
    page.goto(f"{toys}/Captions?scene=large+blue+circle+44+44")
    _click(settled(page), 15, 17)
    expect(_erasing(page)).to_have_count(2)
    expect(page).to_have_url(re.compile(r"scene=large\+blue\+circle\+44\+44%3B\+small\+red\+circle\+1\d\+1\d"))
    _click(settled(page), 15, 17)
    expect(_erasing(page)).to_have_count(1)
    settled(page).go_back()
    expect(_erasing(page)).to_have_count(2)
    _click(settled(page), 44, 44)
    expect(page.get_by_role("button", name="Erase large blue circle")).to_have_count(0)
    expect(page.get_by_role("button", name="Erase small red circle")).to_have_count(1)


def test_objects_are_placed_and_erased_by_keyboard(toys: str, page: Page) -> None:
    page.goto(f"{toys}/Captions?scene=nothing")
    assert_looks(page)
    settled(page).get_by_role("button", name="Add to the scene").press("Enter")
    expect(_erasing(page)).to_have_count(1)
    _erasing(settled(page)).first.press("Enter")
    expect(page.get_by_text("The scene is empty")).to_be_visible()


def _erasing(page: Page) -> Locator:
    return page.get_by_role("button", name="Erase ")


def _click(page: Page, x: int, y: int) -> None:
    """Click a pixel of the scene, of 64 each way."""
    box = page.locator(".st-key-scene_figure .nsewdrag").bounding_box()
    assert box is not None
    click_at(page, box["x"] + (x + 0.5) / 64 * box["width"], box["y"] + (y + 0.5) / 64 * box["height"])
