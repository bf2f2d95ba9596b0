"""A loop drawn on the map of training in a real browser: it lists what lies inside, and a click is still a click."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import click_at, settled

pytestmark = pytest.mark.slow

FIGURE = "document.querySelector('.js-plotly-plot')"
OUTLINES = f"() => ({FIGURE}?._fullLayout?.shapes ?? []).filter((one) => one.type === 'path').length"
# Where the point lies that is the most variable one, apart from most others, and what it is called.
POINT = f"""() => {{
  const {{ _fullLayout: {{ xaxis, yaxis }}, _fullData: [{{ x, y, customdata }}] }} = {FIGURE};
  const at = x.indexOf(Math.max(...x));
  const {{ left, top }} = {FIGURE}.getBoundingClientRect();
  return [left + xaxis._offset + xaxis.d2p(x[at]), top + yaxis._offset + yaxis.d2p(y[at]), customdata[at]];
}}"""


def test_a_loop_lists_what_lies_inside_and_a_link_draws_it_again(server: str, page: Page) -> None:
    page.goto(f"{server}/Explore?view=training-dynamics&run=imdb-cnn&part=held-out")
    settled(page)
    box = page.locator(".js-plotly-plot").first.bounding_box()
    assert box is not None
    corners = [(0.12, 0.2), (0.12, 0.8), (0.6, 0.8), (0.6, 0.2), (0.14, 0.2)]
    places = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in corners]
    page.mouse.move(*places[0])
    page.mouse.down()
    for place in places[1:]:
        page.mouse.move(*place, steps=6)
    page.mouse.up()
    said = page.get_by_text(re.compile(r"Inside the loop: [\d,]+ of 2,500 reviews"))
    expect(said).to_be_visible()
    expect(page).to_have_url(re.compile("loop=0"))
    settled(page)
    assert page.evaluate(OUTLINES) == 1
    words = said.inner_text()
    page.reload()
    expect(said).to_have_text(words)
    settled(page)
    assert page.evaluate(OUTLINES) == 1
    left, top, name = page.evaluate(POINT)
    click_at(page, left, top)
    expect(page.get_by_text(re.compile(rf"{re.escape(name)}\)?, labelled "))).to_be_visible()
    page.get_by_role("button", name="Clear the loop").click()
    expect(page.get_by_text("Draw a loop around points on the map")).to_be_visible()
