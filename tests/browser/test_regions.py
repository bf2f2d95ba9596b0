"""What visitors do with regions and filters: click a bar, step through by keyboard, follow a link, share it."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import click_at, settled, type_review

pytestmark = pytest.mark.slow

# The middle of the bar at a position of the first panel.
A_BAR = """(place) => {
  const plot = document.querySelector(".nlpviz-plot");
  const bars = plot._fullData.find((trace) => trace.type === "bar");
  const { xaxis, yaxis } = plot._fullLayout;
  const box = plot.getBoundingClientRect();
  return [box.x + xaxis._offset + xaxis.d2p(bars.x[place] / 2), box.y + yaxis._offset + yaxis.d2p(bars.y[place])];
}"""
ID_OF_A_BAR = """(place) => {
  const plot = document.querySelector(".nlpviz-plot");
  return plot._fullData.find((trace) => trace.type === "bar").customdata[place];
}"""


def click_bar(page: Page, position: int) -> str:
    """Click a bar of the first figure and return its id."""
    page.locator(".nlpviz-plot").first.scroll_into_view_if_needed()
    name = str(page.evaluate(ID_OF_A_BAR, position))  # afterwards the figure is drawn again
    x, y = page.evaluate(A_BAR, position)
    click_at(page, x, y)
    return name


def asked(page: Page, parameter: str) -> list[str]:
    """Return what the address says of a parameter."""
    return parse_qs(urlsplit(page.url).query).get(parameter, [])


def test_a_clicked_bar_stands_out_in_the_text_and_its_link_reproduces_it(server: str, page: Page) -> None:
    page.goto(f"{server}/One_review?view=n-grams&size=2")
    settled(page)
    region = click_bar(page, 2)
    expect(page).to_have_url(re.compile(f"region={region}"))
    settled(page)
    chosen = page.locator(".nlpviz-box-selected")
    expect(chosen).to_have_count(1)
    words, link = chosen.inner_text(), page.url
    page.goto(f"{server}/")
    page.goto(link)
    settled(page)
    expect(page.locator(".nlpviz-box-selected")).to_have_text(words)


def test_regions_are_reached_by_keyboard_and_lead_to_their_filters(server: str, page: Page) -> None:
    page.goto(f"{server}/One_review?view=n-grams")
    settled(page)
    page.locator(".nlpviz-plot").first.focus()
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("region="))
    assert asked(page, "region") == [settled(page).evaluate(ID_OF_A_BAR, 2)]
    text = "<img src=x onerror=\"document.title='run'\"> <script>document.title='run'</script> **fine** 👨‍👩‍👧 awful"
    type_review(page, text)
    expect(page.locator(".nlpviz-boxed")).to_have_text(text)
    expect(page.locator(".nlpviz-box-for").filter(has_text="awful").first).to_be_visible()
    assert page.title() == "N-grams · One review · nlpviz"
    link = page.get_by_role("link").filter(has_text=re.compile(r"\d-\d+: .* = "))
    name = link.first.inner_text().split(":")[0].split()[-1]
    link.first.click()
    expect(page.locator("h1")).to_have_text("What does each filter detect?")
    settled(page)
    expect(page.locator(".st-key-nlpviz_takeaway").filter(has_text=f"Filter {name} ")).to_be_visible()


def test_a_clicked_ngram_of_the_board_is_described(server: str, page: Page) -> None:
    page.goto(f"{server}/Inside_the_model?size=3")
    settled(page)
    ngram = click_bar(page, 3).partition(" ")[2]
    expect(page.locator('[class*="st-key-nlpviz_answer"]').filter(has_text=f"“{ngram}”")).to_be_visible()
    settled(page)
    assert asked(page, "ngram") == [f"3 {ngram}"]
