"""Markup that is typed into any field of any view stays text: no dialog, no element of it, no script run.

That nothing is asked of another host is held by every test of a browser.
"""

from __future__ import annotations

from playwright.sync_api import Dialog, Page, expect

from tests.browser.conftest import settled

MARKUP = (
    '"><img src=x class=injected onerror=window.ran=1> <script class=injected>window.ran=1</script> '
    "</span><style class=injected>*{display:none}</style> [a](javascript:window.ran=1) "
    "<svg class=injected onload=window.ran=1> king"
)


def assert_markup_stays_text(page: Page) -> None:
    """Fail if markup that is typed into any field of the open page becomes more than text."""
    opened: list[str] = []

    def note(dialog: Dialog) -> None:
        opened.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", note)
    settled(page)
    for opener in page.locator(".nlpviz-text-chip, .stPopover button").filter(visible=True).all():
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
