"""The desks of neighbours and of analogies in a real browser, on toy words whose relations are known."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import click_at, serving, settled
from tests.browser.looks import OVERFLOW, assert_looks
from tests.words import write_toy_run

pytestmark = pytest.mark.slow

ANSWER = ".st-key-nlpviz_takeaway"
ADDRESSES = (
    "/Words?word=king&epoch=0&epoch=2&vectors=input&vectors=output",
    "/Words?view=analogies&epoch=1&epoch=2&typed=in&method=3CosMul",
    "/Words?view=analogies&analogy=king+-+mann",
)


@pytest.fixture(scope="module")
def toys(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a server whose only run is one of toy words."""
    folder = tmp_path_factory.mktemp("trained")
    write_toy_run(folder)
    with serving(pytestconfig.rootpath, tmp_path_factory.mktemp("server") / "log.txt", folder) as url:
        yield url


@pytest.mark.parametrize("address", ADDRESSES)
def test_desks_are_in_order(toys: str, page: Page, address: str) -> None:
    page.goto(toys + address)
    assert_looks(page)


def test_a_word_is_completed_as_it_is_typed_and_an_unknown_one_has_spellings(toys: str, page: Page) -> None:
    page.goto(f"{toys}/Words")
    settled(page)
    field = page.get_by_role("combobox", name="Word", exact=True)
    field.click()
    field.press_sequentially("prin")
    expect(page.get_by_role("option", name="princess", exact=True)).to_be_visible()
    page.get_by_role("option", name="prince", exact=True).click()
    expect(page).to_have_url(re.compile("word=prince"))
    expect(page.locator(ANSWER)).to_contain_text("Nearest to prince: ")
    field.fill("queem")
    field.press("Enter")
    expect(page.get_by_text("'queem' is not among the")).to_be_visible()
    expect(field).to_have_value("queem")
    assert_looks(page)
    settled(page).get_by_role("button", name="queen", exact=True).click()
    expect(field).to_have_value("queen")
    expect(page.locator(ANSWER)).to_contain_text("Nearest to queen")


def test_a_bar_asks_for_its_word_by_mouse_and_by_keyboard(toys: str, page: Page) -> None:
    page.goto(f"{toys}/Words?word=paris")
    plot = settled(page).locator(".nlpviz-plot").first
    expect(plot.locator(".barlayer .point").first).to_be_attached()
    words = [text.strip() for text in plot.locator(".scatterlayer text").all_text_contents()]
    position = plot.locator(".barlayer .point").nth(1).bounding_box()
    click_at(page, position["x"] + 20, position["y"] + position["height"] / 2)
    expect(page).to_have_url(re.compile(f"word={words[1]}$"))
    page.goto(f"{toys}/Words?word=paris")
    expect(settled(page).locator(".nlpviz-plot .barlayer .point").first).to_be_attached()
    page.locator(".nlpviz-plot").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(f"word={words[0]}$"))


def test_an_analogy_is_typed_and_its_link_shows_the_same(toys: str, page: Page) -> None:
    page.goto(f"{toys}/Words?view=analogies")
    expect(settled(page).locator(ANSWER)).to_contain_text("man : king :: woman")
    field = page.get_by_role("textbox", name="Analogy")
    field.fill("Paris − france + Italy")
    field.press("Enter")
    expect(page.locator(ANSWER)).to_contain_text("rome")
    page.get_by_role("button", name="More").click()
    page.get_by_role("radio", name="Include", exact=True).click()
    page.keyboard.press("Escape")
    expect(page.get_by_text("With the input words excluded:")).to_be_visible()
    expect(page).to_have_url(re.compile("typed=in"))
    said = settled(page).locator(ANSWER).inner_text()
    page.goto(page.url)
    expect(settled(page).locator(ANSWER)).to_have_text(said)
    # far too much gets a sentence, and stays
    field = page.get_by_role("textbox", name="Analogy")
    for typed, why in (("word " * 300, "at most 1,000 characters"), ("x" * 2_000, "not 2,000")):
        field.fill(typed)
        field.press("Enter")
        expect(page.get_by_text(why)).to_be_visible()
        expect(field).to_have_value(typed)
        assert page.evaluate(OVERFLOW) <= 0
    field.fill("y" * 100_000)
    expect(field).to_have_value(re.compile("^[xy]{2000}$"))
