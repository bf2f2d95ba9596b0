"""Markup that is typed into any field of any view stays text: no dialog, no element of it, no script run.

That nothing is asked of another host is held by every test of a browser.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Dialog, Page, expect

from tests.browser.conftest import address, settled

MARKUP = (
    '"><img src=x class=injected onerror=window.ran=1> <script class=injected>window.ran=1</script> '
    "</span><style class=injected>*{display:none}</style> [a](javascript:window.ran=1) "
    "<svg class=injected onload=window.ran=1> king"
)


@pytest.mark.slow  # what pages make of such texts is tried without a browser always (tests/pages/test_anything.py)
def test_markup_stays_text(server: str, page: Page, page_view: tuple[Path, Path | None]) -> None:
    opened: list[str] = []

    def note(dialog: Dialog) -> None:
        opened.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", note)
    page.goto(server + address(*page_view))
    settled(page)
    for opener in page.locator(".stPopover button").filter(visible=True).all():
        opener.click()
        typed_everywhere(page)
        page.keyboard.press("Escape")
    typed_everywhere(page)
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.locator(".injected")).to_have_count(0)
    expect(page.locator("a[href^='javascript']")).to_have_count(0)
    assert page.evaluate("window.ran") is None
    assert not opened


def typed_everywhere(page: Page) -> None:
    """Type the markup into each field that can be seen."""
    fields = page.locator("textarea, input[type=text]:not([role=combobox]), .nlpviz-completion input")
    for number in range(fields.filter(visible=True).count()):
        field = fields.filter(visible=True).nth(number)
        if not field.is_visible() or field.is_disabled():
            continue
        field.fill(MARKUP)
        field.press("Control+Enter" if field.evaluate("field => field.tagName") == "TEXTAREA" else "Enter")
        settled(page)
