"""The schematic of the network in a browser: the filter slides, stops, and can be put at a place by the keyboard."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import settled, type_review

pytestmark = pytest.mark.ci


def test_the_filter_slides_and_stops_and_another_one_is_chosen(server: str, page: Page) -> None:
    page.goto(f"{server}/One_review?view=network")
    schematic = settled(page).locator(".nlpviz-schematic")
    place, said = schematic.get_by_label("Filter position"), schematic.locator("output")
    taken = said.inner_text()
    schematic.get_by_role("button", name="Slide the filter").click()
    schematic.get_by_role("button", name="Stop").click()
    expect(schematic.get_by_role("button", name="Slide the filter")).to_be_visible()
    place.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(place).to_have_value("1")
    assert said.inner_text() != taken
    filters = page.locator(".nlpviz-schematic-filters button")
    expect(filters.nth(0)).to_have_attribute("aria-pressed", "true")
    before = page.locator(".nlpviz-schematic-strip").inner_html()
    filters.nth(1).click()
    expect(filters.nth(1)).to_have_attribute("aria-pressed", "true")
    assert page.locator(".nlpviz-schematic-strip").inner_html() != before


def test_a_saved_page_has_the_schematic(server: str, page: Page, tmp_path: Path) -> None:
    page.goto(f"{server}/One_review?view=network")
    settled(page)
    type_review(page, "a </script><b>truly</b> dull film")
    with page.expect_download() as started:
        page.get_by_role("button", name="Download this page (HTML)").click()
    started.value.save_as(tmp_path / "network.html")
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.goto((tmp_path / "network.html").as_uri())
    said = page.locator(".nlpviz-schematic output")
    taken = said.inner_text()
    page.get_by_label("Filter position").focus()
    page.keyboard.press("Home")
    expect(said).not_to_have_text(taken)
    expect(page.locator(".nlpviz-schematic-word").filter(has_text="dull")).to_have_count(1)
    assert not faults
