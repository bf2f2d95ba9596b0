"""The first screen in a real browser: a review is typed, its words colour, and Play takes words and map along."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import settled

pytestmark = pytest.mark.slow

FROM_ITS_STAR = """() => {
    const label = [...document.querySelectorAll(".textpoint text")].find((one) => one.textContent == "your review");
    const star = label.closest(".trace").querySelector(".point");
    const [words, mark] = [label, star].map((one) => one.getBoundingClientRect());
    return `${Math.round(words.x - mark.x)}, ${Math.round(words.y - mark.y)}`;
}"""

OWN = "A wonderful, moving film. I laughed, I cried."


def test_a_review_is_typed_and_followed_through_the_training(server: str, page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(server)
    settled(page)
    box = page.get_by_role("textbox", name="Type or paste a film review")
    verdict = page.locator("[data-moment]:not([hidden]) .nlpviz-verdict")
    expect(verdict).to_contain_text("negative")
    for shown in (box, verdict, page.get_by_role("button", name="Play training")):
        expect(shown).to_be_in_viewport(ratio=1)
    box.fill(OWN)
    box.press("Control+Enter")
    expect(verdict).to_contain_text("positive")
    settled(page)
    beside = page.evaluate(FROM_ITS_STAR)
    page.locator(".nlpviz-player input").first.focus()
    page.keyboard.press("Home")
    expect(verdict).to_contain_text("before training")
    assert page.evaluate(FROM_ITS_STAR) == beside
    assert OWN.split(maxsplit=1)[1] not in page.url
    page.get_by_role("link", name="Explain this prediction").click()
    expect(page.locator("h1")).to_have_text("Which words moved this prediction?")
    settled(page)
    expect(page.locator(".nlpviz-text").first).to_contain_text("wonderful")


def test_the_text_box_comes_first_on_a_phone(server: str, page: Page) -> None:
    page.set_viewport_size({"width": 400, "height": 800})
    page.goto(server)
    settled(page)
    expect(page.get_by_role("textbox", name="Type or paste a film review")).to_be_in_viewport(ratio=1)
    expect(page.locator(".nlpviz-verdict:visible")).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 400
