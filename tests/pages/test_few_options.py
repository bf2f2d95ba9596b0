"""How many options a select box may have: Streamlit puts all that match into the page at the first letter typed.

Measured in Chromium on two cores, the longest task after the first letter: 50 options 50 ms, 200 options 120 ms, 500
options 180 ms, 1,000 options 430 ms, 10,000 options 3 s.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import Page

MOST = 400
LONG_REVIEW = " ".join(f"word{number} is not bad ." for number in range(400))  # 2,000 tokens


def test_no_select_box_holds_more_than_a_browser_takes_at_once(page_file: Path) -> None:
    app = AppTest.from_file(page_file, default_timeout=60).run()
    assert not app.exception
    assert {box.key: len(box.options) for box in [*app.selectbox, *app.multiselect] if len(box.options) > MOST} == {}


@pytest.mark.parametrize("view", ["saliency", "n-grams", "network", "attention"])
def test_nor_does_one_of_a_long_review(page: Page, view: str) -> None:
    app = page("One review", view=view)
    app.text_area(key="text").set_value(LONG_REVIEW).run()
    assert not app.exception
    assert {box.key: len(box.options) for box in app.selectbox if len(box.options) > MOST} == {}
