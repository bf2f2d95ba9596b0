"""What every page must be, whatever it shows: painted, accessible, no wider than the window."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.conftest import settled

# What Streamlit itself gets wrong and a page cannot mend: selector -> why.
STREAMLITS_OWN: dict[str, str] = {
    "[data-testid=stFileUploaderDropzone]": "a section without a role of its own has a label; its button is in order",
}

PHONE = (420, 860)
WIDE: ViewportSize = {"width": 1280, "height": 800}

# How far the page, or the part of it that scrolls, reaches beyond the window.
OVERFLOW = """() => Math.max(...[document.documentElement, document.querySelector("[data-testid=stMain]")]
  .map(part => part.scrollWidth - part.clientWidth))"""


def assert_painted(page: Page) -> None:
    """Fail unless the page shows its question, no exception, and something in every chart and table."""
    expect(settled(page).locator("h1").first).to_be_visible()
    expect(page.get_by_test_id("stException")).to_have_count(0)
    expect(page.locator(".nlpviz-failure").filter(visible=True)).to_have_count(0)
    for chart in page.locator(".nlpviz-plot, [data-testid=stPlotlyChart]").all():
        expect(chart.locator(".main-svg").first).to_be_attached()
    for table in page.get_by_test_id("stDataFrame").filter(visible=True).all():
        expect(table.locator("canvas table")).to_be_attached()  # what a screen reader gets of it


def assert_accessible(page: Page) -> None:
    """Fail if axe finds fault with the page, in a window as high as all it has: it sees no contrast outside."""
    height = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
    page.set_viewport_size({"width": page.viewport_size["width"], "height": height})
    without = {"exclude": [[selector] for selector in STREAMLITS_OWN]}
    # of what is in order axe would else describe each element, too
    result = Axe().run(settled(page), context=without, options={"resultTypes": ["violations"]})
    assert result.violations_count == 0, result.generate_report()


def assert_fits(page: Page) -> None:
    """Fail unless the page is painted, and as wide as the window at most."""
    assert_painted(page)
    page.wait_for_function(f"() => ({OVERFLOW})() <= 0")


def assert_looks(page: Page, *, dark: bool = False, back: bool = True) -> None:
    """Fail unless the open page is in order in the light and on a phone, and in the dark if that is asked for.

    First in the width that the window has, then in the other one; with ``back`` it is wide again in the end. What
    stands out in the light does so in the dark: the themes' colours are tried without a browser.
    """
    width = page.viewport_size["width"]
    if width == PHONE[0]:
        assert_fits(page)
        assert_looks_wide(page, dark=dark)
    else:
        assert_looks_wide(page, dark=dark)
        page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        assert_fits(page)
        if back:
            page.set_viewport_size(WIDE)


def assert_looks_wide(page: Page, *, dark: bool) -> None:
    """Fail unless the open page is in order in a wide window, in the light, and in the dark if that is asked for."""
    page.set_viewport_size(WIDE)
    assert_painted(page)
    assert_bar_stays(page)
    assert_accessible(page)
    if dark:
        turn(page, "dark")
        assert_painted(page)
        assert_accessible(page)
        turn(page, "light")
    page.set_viewport_size(WIDE)


def assert_bar_stays(page: Page) -> None:
    """Fail unless the bar, if the page has one and is long enough, stays in sight where one scrolls down.

    On a tour it waits behind a chip.
    """
    main, bar = page.get_by_test_id("stMain"), page.locator(".st-key-nlpviz_bar")
    scrolled = main.evaluate("main => { main.scrollTo(0, main.scrollHeight); return main.scrollTop; }")
    behind_chip = page.locator(".nlpviz-stage-chip[aria-expanded=false]").count()
    if scrolled > 200 and bar.count() and not behind_chip:
        box = bar.bounding_box()
        assert box
        assert 0 <= box["y"] < 120
    main.evaluate("main => main.scrollTo(0, 0)")


def turn(page: Page, scheme: str) -> None:
    """Let the visitor's system prefer another theme, and wait until the page is in it."""
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    page.wait_for_function(
        "scheme => getComputedStyle(document.querySelector('.stApp') ?? document.body).colorScheme === scheme",
        arg=scheme,
    )
    settled(page)
