"""Ways through the app in a real browser: menu, views, Back and Forward, the palette, links, a reload."""

from __future__ import annotations

import re
from base64 import urlsafe_b64encode
from collections.abc import Callable
from typing import NamedTuple

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import settled, type_review
from tests.browser.looks import PHONE

TYPED = "a dreadful, boring waste of time"
SECRET = "only the two of us know this film"


class Seen(NamedTuple):
    """What a visitor sees of where they are: address, the tab's title, the question."""

    url: str
    title: str
    question: str


def seen(page: Page) -> Seen:
    settled(page)
    return Seen(page.url, page.title(), page.locator("h1").first.inner_text())


def opened(page: Page, url: str) -> Page:
    page.goto(url)
    return settled(page)


def choose(page: Page, key: str, option: str) -> None:
    page.locator(f".st-key-{key} input").click()
    page.get_by_role("option", name=option, exact=True).click()


def follow(page: Page, name: str) -> None:
    page.locator(".nlpviz-menu").get_by_role("link", name=name, exact=True).click()


def view(page: Page, title: str) -> None:
    page.locator(".st-key-nlpviz_views").get_by_role("radio", name=title, exact=True).click()


def epoch(page: Page, name: str) -> None:
    page.locator(".st-key-epochs").get_by_role("button", name=name, exact=True).click()


CHOICES: tuple[Callable[[Page], None], ...] = (
    lambda page: epoch(page, "2"),
    lambda page: view(page, "Attention"),
    lambda page: follow(page, "Explore"),
    lambda page: choose(page, "color", "rating"),
    lambda page: view(page, "Table"),
    lambda page: follow(page, "Overview"),
)


@pytest.mark.ci
def test_back_and_forward_go_through_what_was_chosen(server: str, page: Page) -> None:
    opened(page, f"{server}/One_review")
    way = [seen(page)]
    for make in CHOICES:
        make(page)
        expect(page).not_to_have_url(way[-1].url)
        way.append(seen(page))
    assert len({one.url for one in way}) > 4
    for before in reversed(way[:-1]):
        page.go_back()
        expect(page).to_have_url(before.url)
        expect(page).to_have_title(before.title)
        assert seen(page) == before
    for after in way[1:]:
        page.go_forward()
        expect(page).to_have_url(after.url)
        expect(page).to_have_title(after.title)
        assert seen(page) == after


@pytest.mark.ci
@pytest.mark.parametrize(
    ("start", "link", "end"),
    [
        ("/Words?view=map&word=king&words=200", "More neighbours", "view=neighbours.*word=king"),
        pytest.param("/Words?view=similarity", "Where do words lie on an axis", r"view=axes$", marks=pytest.mark.slow),
        pytest.param("/Translate?view=beam", "Which source words", "view=alignment", marks=pytest.mark.slow),
    ],
)
def test_a_link_to_another_view_of_the_page_stands_in_the_address(
    server: str, page: Page, start: str, link: str, end: str
) -> None:
    opened(page, f"{server}{start}")
    before = page.locator("h1").first.inner_text()
    page.locator(".stMain").get_by_role("link", name=re.compile(link)).click()
    expect(page).to_have_url(re.compile(end))
    expect(page.locator("h1").first).not_to_have_text(before)
    page.go_back()
    expect(page).to_have_url(f"{server}{start}")
    expect(page.locator("h1").first).to_have_text(before)
    settled(page)


# ------------------------------------------------------------------------------------------------------ the palette


def find(page: Page, typed: str, option: str) -> None:
    """Open the palette by its keys, and take one of what it finds."""
    page.keyboard.press("Control+k")
    field = page.get_by_role("combobox", name="Search pages, words, terms and themes")
    expect(field).to_be_focused()
    field.fill(typed)
    page.get_by_role("option").filter(has_text=option).first.click()
    expect(field).to_be_hidden()


def test_the_palette_leads_and_the_typed_text_stays(server: str, page: Page) -> None:
    opened(page, f"{server}/One_review")
    type_review(page, TYPED)
    find(page, "analog", "Words: Analogies")
    expect(page).to_have_url(re.compile(r"/Words\?view=analogies"))
    expect(page.locator("h1")).to_have_text("What is to woman as king is to man?")
    find(settled(page), "imdb-han", "HAN on IMDB")
    expect(page).to_have_url(re.compile(r"/Models\?run=imdb-han"))
    find(settled(page), "trustworthiness", "trustworthiness")
    expect(page).to_have_url(re.compile(r"/Glossary\?term=trustworthiness"))
    find(settled(page), "n-gr", "One review: N-grams")
    settled(page)
    expect(page.locator(".nlpviz-boxed")).to_have_text(TYPED)
    assert_palette_is_in_order(page)
    type_review(page, "A quiet, clever comedy.")
    find(settled(page), TYPED[:20], TYPED[:20])  # the text before it
    settled(page)
    expect(page).to_have_url(re.compile(r"text=own"))
    expect(page.locator(".nlpviz-text-chip")).to_contain_text(TYPED[:12])
    assert TYPED[:12] not in page.url


FIRST = {
    "attention": "One review: Attention", "heatmap": "One review: Attention", "overfitting": "Models: Training",
    "my own review": "One review: Saliency", "counterfactual": "One review: Edit", "t-sne": "Explore: Map",
    "king": "Words near “king”", "king queen": "How similar are “king queen”?",
    "paris : france :: tokyo": "paris : france :: tokyo", "dark": "Dark theme",
    "what does an lstm": "What does an LSTM remember?",
    "temperature": "Language models: Sampling", "beam": "Translate: Beam", "imdb-han": "HAN on IMDB",
    "trustworthiness": "trustworthiness", "vanishing": "Recurrent networks: Memory", "word2vec": "Words: Neighbours",
}  # fmt: skip
"""What is typed, and what the palette finds first."""


def test_what_is_found_first(server: str, page: Page) -> None:
    opened(page, f"{server}/Glossary")
    page.keyboard.press("Control+k")
    field = page.get_by_role("combobox", name="Search pages, words, terms and themes")
    found = {}
    for typed in FIRST:
        field.fill(typed)
        found[typed] = page.get_by_role("option").first.locator("span").inner_text()
    assert found == FIRST


def test_the_palette_leads_to_a_word_a_tour_and_a_theme(server: str, page: Page) -> None:
    opened(page, f"{server}/Glossary")
    find(page, "king", "Words near “king”")
    expect(page).to_have_url(re.compile(r"/Words\?.*word=king"))
    find(settled(page), "what does an lstm", "What does an LSTM remember?")
    expect(page).to_have_url(re.compile(r"tour=what-an-lstm-remembers"))
    find(settled(page), "dark", "Dark theme")
    expect(page.locator(".stApp")).to_have_css("background-color", "rgb(14, 17, 23)")
    find(settled(page), "light", "Light theme")
    expect(page.locator(".stApp")).to_have_css("background-color", "rgb(255, 255, 255)")


def assert_palette_is_in_order(page: Page) -> None:
    """Fail unless axe finds no fault with it, it says that nothing is found, and closes where it was opened."""
    before = page.url
    page.locator(".st-key-nlpviz_search button").click()
    field = page.get_by_role("combobox", name="Search pages, words, terms and themes")
    expect(field).to_be_focused()
    result = Axe().run(page, context=".nlpviz-palette")
    assert result.violations_count == 0, result.generate_report()
    field.fill("<img src=x onerror=alert(1)> qqqq")
    expect(page.get_by_text("No results.")).to_be_visible()
    page.keyboard.press("Enter")
    expect(field).to_be_visible()
    page.keyboard.press("Escape")
    expect(field).to_be_hidden()
    assert page.url == before


# ------------------------------------------------------------------------------------- what the browser alone knows


@pytest.mark.ci
def test_a_text_in_the_fragment_is_shown_and_no_request_has_it_and_a_damaged_one_is_none(
    server: str, page: Page
) -> None:
    packed = urlsafe_b64encode(SECRET.encode()).decode().rstrip("=")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.url} {request.headers} {request.post_data}"))
    opened(page, f"{server}/One_review?text=own#text={packed}")
    expect(page.locator(".nlpviz-text").first).to_have_text(SECRET)
    assert asked
    assert not [one for one in asked if packed in one or "two of us" in one]
    assert "two" not in page.url.partition("#")[0]
    for damaged in ("%FF", "_w", "A" * 100_001, "<b>"):
        page.evaluate("damaged => { location.hash = `text=${damaged}`; }", damaged)
        expect(settled(page).get_by_test_id("stException")).to_have_count(0)
        expect(page.locator(".nlpviz-text").first).to_be_visible()


# ----------------------------------------------------------------------------------------------------- on a phone


@pytest.mark.ci
@pytest.mark.parametrize("viewport", [PHONE])
def test_the_menu_of_a_phone_closes_after_a_choice(server: str, page: Page) -> None:
    opened(page, server)
    menu = page.locator(".nlpviz-menu")
    expect(menu).not_to_be_in_viewport()
    page.get_by_test_id("stExpandSidebarButton").click()
    expect(menu).to_be_in_viewport()
    follow(page, "Glossary")
    expect(page.locator("h1")).to_have_text("What do the terms mean?")
    expect(menu).not_to_be_in_viewport()
