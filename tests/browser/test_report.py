"""A page that was taken away as one HTML file: it opens without a server, its figures alive."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import settled

pytestmark = pytest.mark.slow


WHERE = [
    "Explore?view=map&dimensions=3",
    "One_review?view=saliency&epoch=0&epoch=7",
]


@pytest.mark.parametrize("where", WHERE)
def test_a_page_taken_away_is_drawn_without_a_server(server: str, page: Page, tmp_path: Path, where: str) -> None:
    page.goto(f"{server}/{where}")
    settled(page)
    shown = page.locator(".nlpviz-figure").count()
    with page.expect_download() as taken:
        page.get_by_role("button", name="Download this page (HTML)").click()
    taken.value.save_as(tmp_path / "page.html")
    page.goto((tmp_path / "page.html").as_uri())
    expect(page.locator("figure")).to_have_count(shown)
    expect(page.locator("figure .drawn.js-plotly-plot")).to_have_count(shown)
    page.wait_for_function("() => [...document.querySelectorAll('.drawn')].every((one) => one.calcdata?.length)")
    expect(page.get_by_text("WebGL is not supported")).to_have_count(0)
    expect(page.locator("figcaption").first).to_contain_text("nlpviz")


def test_a_dark_page_is_printed_on_light_paper(server: str, page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    page.goto(f"{server}/One_review?view=saliency")
    settled(page)
    bar = page.locator(".nlpviz-plot .bars path").first
    on_screen = bar.evaluate("(one) => getComputedStyle(one).fill")
    page.emulate_media(media="print", color_scheme="dark")
    expect(page.locator(".stApp")).to_have_css("background-color", "rgb(255, 255, 255)")
    expect(page.locator(".stSidebar")).to_be_hidden()
    page.wait_for_function(
        "(before) => getComputedStyle(document.querySelector('.nlpviz-plot .bars path')).fill !== before", arg=on_screen
    )
    assert page.locator(".nlpviz-figure").first.evaluate("(one) => getComputedStyle(one).color") == "rgb(22, 24, 29)"
