"""Figures that are gone through step by step: by buttons and by the keyboard."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import settled

pytestmark = pytest.mark.slow


def test_backpropagation_is_stepped_by_buttons_and_keys(server: str, page: Page) -> None:
    # the heavy edges are those of the step that is shown: of the first one there are none
    heavy = "() => document.querySelector('.js-plotly-plot')._fullData[1].x.filter((x) => x !== null).length"
    page.goto(f"{server}/Training?view=backpropagation")
    settled(page)
    assert page.evaluate(heavy) > 0
    said = page.locator(".nlpviz-player output")
    expect(said).to_contain_text("15 of 15, backward")
    page.get_by_role("button", name="Previous step").click()
    expect(said).to_contain_text("14 of 15, backward")
    page.get_by_role("slider", name="Step").focus()
    page.keyboard.press("Home")
    expect(said).to_contain_text("0 of 15, given")
    page.wait_for_function(f"() => ({heavy})() === 0")
    page.keyboard.press("ArrowRight")
    expect(said).to_contain_text("1 of 15, forward: z₁ =")
    page.get_by_role("button", name="Next step").click()
    expect(said).to_contain_text("2 of 15, forward: z₂ =")
