"""A toy task in a browser: it trains while one watches, and stops when one says so."""

from __future__ import annotations

import itertools
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import settled

pytestmark = pytest.mark.slow

STEPS = re.compile(r"([\d,]+) of 1,000 training steps")


def steps(page: Page) -> int:
    """Return how many steps the page says were taken."""
    found = STEPS.search(page.get_by_text(STEPS).inner_text())
    assert found
    return int(found.group(1).replace(",", ""))


def test_it_trains_while_one_watches(server: str, page: Page) -> None:
    page.goto(f"{server}/Toy_tasks?view=live&task=binary-addition&length=4&cell=gru")
    settled(page)
    expect(page.get_by_role("heading", name="One sequence, processed by GRU")).to_be_visible()
    assert steps(page) == 0
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.get_by_text(re.compile(r"^([1-9]\d\d|1,000) of 1,000 training steps$"))).to_be_visible()
    if page.get_by_role("button", name="Pause").count():
        page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    settled(page)
    taken = steps(page)
    drawn = page.evaluate(
        "() => document.querySelector('.js-plotly-plot').calcdata.find((one) => one[0].trace.name === 'GRU').length"
    )
    assert drawn > 5, "the curve has grown"
    page.get_by_role("button", name="Step", exact=True).click()
    expect(page.get_by_text(f"{min(taken + 1, 1000):,} of 1,000 training steps")).to_be_visible()
    page.get_by_role("button", name="Reset").click()
    expect(page.get_by_text("0 of 1,000 training steps", exact=True)).to_be_visible()


NAMES = """() => {
  const plot = document.querySelector('.js-plotly-plot');
  const shown = plot._fullLayout.annotations.map((one, index) => [one, index]).filter(([one]) => one.align === 'left');
  return shown.filter(([one]) => one.visible).map(([one, index]) => {
    const { top, bottom, left, right } = plot.querySelector(`.annotation[data-index="${index}"] text`)
      .getBoundingClientRect();
    return { text: one.text, top, bottom, left, right, end: plot.getBoundingClientRect().right };
  });
}"""


@pytest.mark.parametrize(("width", "type_"), [(1280, ""), (1280, "&present=1"), (400, ""), (400, "&present=1")])
def test_names_at_lines_ends_cover_no_other(server: str, page: Page, width: int, type_: str) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{server}/Toy_tasks?view=curves&task=identical-halves{type_}")
    settled(page)
    names = sorted(page.evaluate(NAMES), key=lambda one: one["top"])
    assert len(names) == 10, "eight networks, chance and the shortcut"
    for above, below in itertools.pairwise(names):
        assert below["top"] - above["bottom"] > -3, (above, below)
    for one in names:
        assert one["right"] <= one["end"] + 1, f"{one['text']} is cut"
    assert page.locator(".js-plotly-plot .legend").count() == 0
