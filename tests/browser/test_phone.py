"""Figures on a phone: nothing in them collides, and nothing is cut off."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.looks import PHONE, assert_fits

pytestmark = pytest.mark.slow

# Whether two of the texts that a selector finds lie over each other, with those texts.
COLLIDING = """(selector) => {
  const texts = [...document.querySelectorAll(selector)].filter((text) => text.textContent.trim());
  const boxes = texts.map((text) => text.getBoundingClientRect());
  const over = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 4;
  return boxes.flatMap((box, at) => boxes.slice(at + 1).flatMap((other, next) =>
    over(box, other) ? [[texts[at].textContent, texts[at + 1 + next].textContent]] : []));
}"""
# The texts of the first figure that reach over its edges.
CUT = """() => {
  const { left, right } = document.querySelector(".nlpviz-plot").getBoundingClientRect();
  return [...document.querySelectorAll(".nlpviz-plot text")]
    .filter((text) => text.textContent.trim())
    .map((text) => [text.textContent, text.getBoundingClientRect()])
    .filter(([, box]) => box.width > 0 && (box.left < left - 1 || box.right > right + 1)).map(([text]) => text);
}"""


@pytest.fixture
def viewport() -> tuple[int, int]:
    return PHONE


def test_the_panels_of_a_training_stand_under_each_other_and_in_a_row_again(server: str, page: Page) -> None:
    page.goto(f"{server}/Models?view=training")
    assert_fits(page)
    page.wait_for_function(
        "() => { const { yaxis, yaxis2 } = document.querySelector('.nlpviz-plot')._fullLayout;"
        " return yaxis._offset + yaxis._length < yaxis2._offset; }"
    )
    ticks = ".nlpviz-plot :is(.ytick, .y2tick, .xtick, .x2tick, .annotation) text"
    assert page.evaluate(COLLIDING, ticks) == []
    page.set_viewport_size({"width": 1280, "height": 800})  # and in a row again
    page.wait_for_function(
        "() => { const { yaxis, yaxis2 } = document.querySelector('.nlpviz-plot')._fullLayout;"
        " return yaxis._offset === yaxis2._offset && yaxis._length === yaxis2._length; }"
    )


def test_no_value_of_the_top_ngrams_is_cut_off(server: str, page: Page) -> None:
    page.goto(f"{server}/Inside_the_model")
    assert_fits(page)
    assert page.evaluate(CUT) == []


def test_words_of_the_beam_do_not_collide(server: str, page: Page) -> None:
    page.goto(f"{server}/Translate?view=beam")
    assert_fits(page)
    assert page.evaluate(COLLIDING, ".nlpviz-plot .textpoint text") == []
    assert page.evaluate(CUT) == []


def test_numbers_of_the_comparison_do_not_collide(server: str, page: Page) -> None:
    page.goto(f"{server}/Models?view=compare")
    assert_fits(page)
    assert page.evaluate(COLLIDING, ".nlpviz-plot .textpoint text") == []
