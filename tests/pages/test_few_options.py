"""How many options a select box may have: Streamlit puts all that match into the page at the first letter typed.

Measured in Chromium on two cores, the longest task after the first letter: 50 options 50 ms, 200 options 120 ms, 500
options 180 ms, 1,000 options 430 ms, 10,000 options 3 s. As the views open, test_anything.py counts them.
"""

from __future__ import annotations

import pytest

from tests.pages.conftest import Page, too_long

LONG_REVIEW = " ".join(f"word{number} is not bad ." for number in range(400))  # 2,000 tokens


@pytest.mark.parametrize("view", ["saliency", "n-grams", "network", "attention"])
def test_no_select_box_holds_a_long_review(page: Page, view: str) -> None:
    app = page("One review", view=view)
    app.text_area(key="text").set_value(LONG_REVIEW).run()
    assert not app.exception
    assert not too_long(app)
