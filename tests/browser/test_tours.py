"""A tour in a real browser: arrow keys lead on, reveal and back, a field keeps its own, and large type is larger."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import settled
from tests.browser.looks import assert_looks

pytestmark = pytest.mark.slow

TOUR = "how-words-became-vectors"
WHERE = "/Words?view=map&run=enwiki-skipgram&tour=" + TOUR


def asked(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def press(page: Page, key: str, step: str) -> None:
    page.keyboard.press(key)
    expect(page.locator(".st-key-nlpviz_tour_way")).to_contain_text(f"· {step} of 7")
    settled(page)
    assert asked(page)["step"] == [step]


def test_arrow_keys_lead_through_a_tour(server: str, page: Page) -> None:
    page.goto(f"{server}{WHERE}")
    bar = page.locator(".st-key-nlpviz_tour")
    expect(bar).to_contain_text("· 1 of 7")
    settled(page)
    press(page, "ArrowRight", "2")
    assert asked(page)["view"] == ["neighbours"]
    expect(bar).to_contain_text("Which word is nearest")
    page.get_by_role("button", name="Controls").click()
    page.locator(".st-key-word input").click()
    page.keyboard.press("ArrowRight")  # moves the cursor in the field
    page.locator("h1").click()
    assert asked(page)["step"] == ["2"]
    assert "guess" not in asked(page)
    page.keyboard.press("ArrowRight")
    expect(bar).to_contain_text("The answer is bad.")
    settled(page)
    assert asked(page)["guess"] == ["0"]
    press(page, "ArrowRight", "3")
    press(page, "ArrowLeft", "2")
    expect(bar.get_by_role("link", name="excellent")).to_be_visible()  # asked anew
    bar.get_by_role("link", name="excellent").click()
    expect(bar).to_contain_text("You predicted excellent. The answer is bad.")
    settled(page)
    page.go_back()
    expect(bar).to_contain_text("Which word is nearest")


# How much of the first picture is over the bar, and whether what one chooses with is hidden.
ON_STAGE = """() => {
  const picture = document.querySelector(".stMainBlockContainer :is(.nlpviz-figure, .nlpviz-text, .nlpviz-schematic)");
  const { top, bottom, height } = picture.getBoundingClientRect();
  const foot = document.querySelector("[data-testid=stBottom]").getBoundingClientRect().top;
  const controls = document.querySelector(".st-key-nlpviz_bar");
  return [(Math.min(foot, bottom) - Math.max(0, top)) / Math.min(height, foot), controls.offsetHeight];
}"""


@pytest.mark.parametrize("present", ["", "&present=1"])
def test_a_step_shows_its_picture_on_a_projector_and_controls_wait_behind_a_chip(
    server: str, page: Page, present: str
) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{server}/Inside_the_model?view=top-n-grams&run=imdb-cnn&tour=what-a-cnn-learnt{present}")
    for number in range(2, 9):
        settled(page)
        page.wait_for_function(f"() => {{ const [share, bar] = ({ON_STAGE})(); return share >= 0.7 && bar === 0; }}")
        if page.locator(".st-key-nlpviz_tour_next").get_by_role("link", name="Reveal").count():
            page.keyboard.press("ArrowRight")
            expect(page.locator(".st-key-nlpviz_tour_next")).not_to_contain_text("Reveal")
            settled(page)
        page.keyboard.press("ArrowRight")
        expect(page.locator(".st-key-nlpviz_tour_way")).to_contain_text(f"· {number} of 8")
    expect(page.get_by_role("link", name="Next tour: What does an LSTM remember?")).to_be_visible()
    page.get_by_role("button", name="Controls").click()
    expect(page.locator(".st-key-nlpviz_bar")).to_be_visible()
    page.get_by_role("button", name="Try your own review").click()
    expect(page).to_have_url(re.compile("/One_review"))
    expect(settled(page).locator(".st-key-nlpviz_tour_way")).to_have_count(0)
    assert "tour" not in asked(page)


@pytest.mark.parametrize(
    ("where", "heads", "figure"),
    [
        ("/Inside_the_model?view=top-n-grams&run=imdb-cnn&epoch=0&epoch=1&epoch=7&size=1&list=short"
         "&tour=what-a-cnn-learnt&step=3&guess=0", ["Epoch 0", "Epoch 1", "Epoch 7"], "board_2"),
        ("/Inside_the_model?view=filters&run=imdb-cnn&tour=what-a-cnn-learnt&step=7", ["Filter 3-15"], "filters"),
        ("/Explore?view=map&run=imdb-cnn&map=tsne&epoch=0&tour=can-a-map-be-believed&step=2&guess=0",
         ["How trustworthy are the maps, epoch by epoch?"], "quality"),
    ],
)  # fmt: skip
def test_what_a_figure_shows_is_said_in_sight_over_it(
    server: str, page: Page, where: str, heads: list[str], figure: str
) -> None:
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(f"{server}{where}&present=1")
    settled(page).locator(f".st-key-{figure} [data-drawn]").wait_for()
    for head in heads:
        place = page.locator(".stMainBlockContainer :is(p, h2)", has_text=head).first
        in_sight = "place => { const { top } = place.getBoundingClientRect(); return top > -1 && top < 200; }"
        page.wait_for_function(in_sight, arg=place.element_handle())
    box = page.locator(f".st-key-{figure}").bounding_box()
    bar = page.get_by_test_id("stBottom").bounding_box()
    assert box
    assert bar
    assert min(box["y"] + box["height"], bar["y"]) - box["y"] >= 0.7 * box["height"]


def test_large_type_is_larger_in_pages_and_figures(server: str, page: Page) -> None:
    sizes = []
    for end in ("", "&present=1"):
        page.goto(f"{server}/Words?view=neighbours{end}")
        settled(page)
        page.locator("[data-drawn]").first.wait_for()
        sizes.append([
            page.locator(place).first.evaluate("(node) => parseFloat(getComputedStyle(node).fontSize)")
            for place in ("h1", ".stMainBlockContainer .stMarkdown p", ".js-plotly-plot .main-svg text")
        ])  # fmt: skip
    assert all(large > 1.2 * small for small, large in zip(*sizes, strict=True))


def test_a_step_is_in_order_in_the_dark_in_the_light_and_on_a_phone(server: str, page: Page) -> None:
    where = "view=n-grams&run=imdb-cnn&epoch=0&text=not-nearly-enough&tour=what-a-cnn-learnt&step=5"
    page.goto(f"{server}/One_review?{where}")
    assert_looks(page, dark=True)
