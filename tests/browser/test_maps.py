"""The maps of Explore in a real browser: the view that stays, a map that is made, a review placed."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import at_rest, drag, settled, type_review

pytestmark = pytest.mark.ci

RANGE = "() => document.querySelector('.nlpviz-plot')._fullLayout.xaxis.range.map((end) => +end)"
EYE = "() => Object.values(document.querySelector('.nlpviz-plot')._fullLayout.scene._scene.getCamera().eye)"
DRAWN = "(name) => document.querySelector('.nlpviz-plot')._fullData.filter((trace) => trace.name === name).length"
UNITS = "() => ['x', 'y'].map((axis) => Math.abs(document.querySelector('.nlpviz-plot')._fullLayout[axis + 'axis']._m))"
HEIGHT = "() => document.querySelector('.nlpviz-plot').clientHeight"
WIDTH = "(axis) => document.querySelector('.nlpviz-plot')._fullLayout[axis]._length"
POINTS = """() => document.querySelector('.nlpviz-plot')._fullData
  .filter((trace) => trace.customdata && (trace.xaxis ?? "x") === "x")
  .reduce((sum, trace) => sum + trace.customdata.length, 0)"""

NAMES = """() => [...document.querySelector('.nlpviz-plot').querySelectorAll('.annotation-text')]
  .map((node) => [node.textContent, node.getBoundingClientRect()])
  .filter(([text, box]) => box.width && !text.startsWith('Epoch'))
  .map(([text, { left, right, top, bottom }]) => [text, left, right, top, bottom])"""


def opened(page: Page, server: str, query: str = "") -> Page:
    """Return the page of documents, drawn."""
    page.goto(f"{server}/Explore?{query}")
    page.locator(".nlpviz-figure[data-drawn]").first.wait_for()
    return settled(page)


def choose(page: Page, key: str, option: str) -> None:
    """Choose an option of the select box called ``key``, and wait until all is drawn."""
    page.locator(f".st-key-{key} input").click()
    page.get_by_role("option", name=option, exact=True).click()
    settled(page)


def test_zoom_survives_another_colour_and_another_epoch_and_a_typed_review_is_placed(server: str, page: Page) -> None:
    opened(page, server, "map=tsne&epoch=0&epoch=7")
    type_review(page, "An awful, dull and pointless film.")
    page.wait_for_function(f"() => ({DRAWN})('your review') === 2")
    settled(page)
    expect(page.get_by_text("are negative and 0 positive")).to_be_visible()
    assert "awful" not in page.url
    assert_as_long_each_way(page)
    whole = page.evaluate(RANGE)
    page.locator(".nlpviz-plot").first.hover()
    page.locator(".nlpviz-plot [data-title='Zoom in']").first.click()
    page.wait_for_function(f"(whole) => ({RANGE})()[0] > whole", arg=whole[0])
    near = page.evaluate(RANGE)
    choose(page, "color", "rating")
    assert page.evaluate(RANGE) == pytest.approx(near)
    page.locator(".st-key-epochs").get_by_role("button", name="2", exact=True).click()
    settled(page)
    assert page.evaluate("() => document.querySelector('.nlpviz-plot')._fullLayout.xaxis3 !== undefined")
    assert page.evaluate(RANGE) == pytest.approx(near)


def assert_as_long_each_way(page: Page) -> None:
    """Fail unless a unit is as long across as up, in a narrow window too, where the map is lower."""
    across, up = page.evaluate(UNITS)
    assert across == pytest.approx(up)
    high = page.evaluate(HEIGHT)
    page.set_viewport_size({"width": 390, "height": 800})
    page.wait_for_function(f"(high) => ({HEIGHT})() < high - 100", arg=high)
    page.wait_for_function(f"(unit) => ({UNITS})()[0] < unit", arg=across)
    across, up = page.evaluate(UNITS)
    assert across == pytest.approx(up)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.wait_for_function(f"(high) => ({HEIGHT})() === high", arg=high)
    settled(page)


@pytest.mark.slow
def test_camera_survives_another_colour(server: str, page: Page) -> None:
    opened(page, server, "dimensions=3")
    before = page.evaluate(EYE)
    plot = page.locator(".nlpviz-plot").first
    plot.evaluate("plot => plot.scrollIntoView({ block: 'center' })")
    box = plot.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 4, box["y"] + box["height"] / 2
    drag(page, *((x + 9 * step, y + 3 * step) for step in range(11)))
    turned = at_rest(page, EYE)
    assert turned != pytest.approx(before, abs=0.1)
    choose(page, "color", "correctness")
    assert at_rest(page, EYE) == pytest.approx(turned, abs=0.02)


@pytest.mark.slow  # without a browser: tests/pages/test_documents.py
def test_a_map_is_made_with_progress_and_cancelled(server: str, page: Page) -> None:
    opened(page, server, "map=tsne&seed=11")
    page.get_by_role("button", name="Compute this map").click()
    expect(page.get_by_role("progressbar")).to_be_visible()
    expect(page.get_by_text(re.compile(r"step \d+ of \d+"))).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("This map has not been computed yet")).to_be_visible()
    expect(page.get_by_role("progressbar")).to_have_count(0)


@pytest.mark.slow
def test_a_map_that_was_asked_for_in_the_popover_appears_by_itself(server: str, page: Page) -> None:
    opened(page, server, "map=tsne")
    page.get_by_role("button", name="More").click()
    for label, number in (("Sample", "100"), ("Perplexity", "10")):
        page.get_by_label(label).fill(number)
        page.keyboard.press("Tab")
        settled(page)
    page.get_by_role("button", name="Compute this map").first.click()
    page.wait_for_function(f"() => ({POINTS})() === 100")
    expect(page).to_have_url(re.compile("sample=100"))
    expect(page).to_have_url(re.compile("perplexity=10"))
    expect(page.locator(".nlpviz-caption").first).to_contain_text("perplexity 10, seed 0, a sample of 100")


@pytest.mark.slow
@pytest.mark.parametrize("viewport", [(420, 860)])
def test_four_panels_are_wide_enough_on_a_phone(server: str, page: Page) -> None:
    opened(page, server, "epoch=0&epoch=1&epoch=2&epoch=3")
    widths = [page.evaluate(WIDTH, axis) for axis in ("xaxis", "xaxis2", "xaxis3", "xaxis4")]
    assert min(widths) > 140


def apart(names: list[list[Any]]) -> bool:
    """Return whether no two names touch each other."""
    return all(
        one[2] <= other[1] or other[2] <= one[1] or one[4] <= other[3] + 2 or other[4] <= one[3] + 2
        for number, one in enumerate(names)
        for other in names[:number]
    )


@pytest.mark.slow
@pytest.mark.parametrize("epochs", ["epoch=9", "epoch=0&epoch=9"])
def test_names_of_twenty_classes_never_touch_on_a_screen_or_a_phone(server: str, page: Page, epochs: str) -> None:
    opened(page, server, f"run=newsgroups-cnn&{epochs}")
    wide = page.evaluate(NAMES)
    assert apart(wide)
    assert len(wide) >= 12
    page.set_viewport_size({"width": 420, "height": 860})
    page.wait_for_function(f"(count) => ({NAMES})().length < count", arg=len(wide))
    settled(page)
    narrow = page.evaluate(NAMES)
    assert apart(narrow)
    assert len(narrow) >= 8
    page.set_viewport_size({"width": 1280, "height": 800})
    page.wait_for_function(f"(count) => ({NAMES})().length === count", arg=len(wide))


@pytest.mark.slow
@pytest.mark.parametrize("dimensions", [2, 3])
def test_names_of_classes_go_with_the_epoch(server: str, page: Page, dimensions: int) -> None:
    opened(page, server, f"run=newsgroups-cnn&epoch=9&dimensions={dimensions}")
    last = {name: box for name, *box in page.evaluate(NAMES)}
    assert "hockey" in last
    place = page.evaluate(f"() => String(({NAMES})().find(([name]) => name === 'hockey'))")
    slider = page.get_by_role("slider", name="Epoch").first
    slider.focus()
    page.keyboard.press("Home")
    expect(slider).to_have_attribute("aria-valuetext", "Epoch 0 (before training)")
    settled(page)
    page.wait_for_function(f"(place) => !({NAMES})().some((one) => String(one) === place)", arg=place)
    first = {name: box for name, *box in page.evaluate(NAMES)}
    assert len(first) >= 2
    assert any(first[name] != last[name] for name in first.keys() & last.keys())
    expect(page.locator(".nlpviz-failure:visible")).to_have_count(0)
