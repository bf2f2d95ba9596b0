"""Every page and every view in a real browser: painted, quiet, accessible, in the light, in the dark and on a phone.

The pages are those on the disk: a new one is tested as soon as its file is there. One tab walks through them by the
menu and by the control over the views: a page that is opened by its address costs the browser all of Streamlit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Error, Page, expect

from tests.browser.conftest import Server, address, settled, title, watched
from tests.browser.first_look import faults
from tests.browser.hostile import assert_markup_stays_text
from tests.browser.looks import WIDE, assert_looks, assert_painted, turn
from tests.conftest import drawn, views_of_pages

View = tuple[Path, Path | None]
# What `make test` opens: each sort of figure, text and table once. Those of the first row are tried in the dark, too.
IN_THE_DARK = (
    "/Explore?view=map", "/One_review?view=saliency", "/Trees?view=one-sentence", "/Training?view=optimisers",
    "/Language_models?view=next-word", "/Captions?view=scenes", "/Words?view=analogies", "/Models?view=training",
)  # fmt: skip
FEW = ("/", "/Inside_the_model?view=calibration", "/Translate?view=alignment", "/Your_texts?view=train")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Walk through the views of one page after the other; in `make test` through a few of them."""
    if "walk" not in metafunc.fixturenames:
        return
    few = {*IN_THE_DARK, *FEW} if metafunc.config.getoption("width") == "test" else None
    walks: dict[Path, list[View]] = {}
    for place in views_of_pages(metafunc.config.rootpath):
        if few is None or address(*place) in few:
            walks.setdefault(place[0], []).append(place)
    metafunc.parametrize("walk", walks.values(), ids=[file.stem for file in walks])


class Walker(NamedTuple):
    """A tab that walks through the app, and what it has reported since somebody looked."""

    page: Page
    server: Server
    troubles: list[str]

    @contextmanager
    def noting(self, where: str, found: list[str]) -> Iterator[None]:
        """Add to ``found`` what goes wrong in the browser and on the server meanwhile; then go on with a new page."""
        logged = self.server.log.stat().st_size
        try:
            yield
            settled(self.page)
        except (AssertionError, Error) as error:
            self.troubles.append(str(error))
        new = self.server.log.read_bytes()[logged:].decode(errors="replace")
        self.troubles.extend([new] if "Traceback" in new else [])
        found.extend(f"{where}: {trouble}" for trouble in self.troubles)
        if self.troubles:
            self.start()
        self.troubles.clear()

    def start(self) -> None:
        """Open the app anew, as a visitor of whom it knows nothing."""
        self.page.set_viewport_size(WIDE)
        if self.page.url.startswith(self.server.url):
            self.page.evaluate("sessionStorage.clear()")
        self.page.goto(self.server.url)
        turn(self.page, "light")

    def go(self, page_file: Path, view: Path | None) -> None:
        """Go to a view, by one click on its page and one on itself."""
        there = re.compile(f"^{re.escape(self.server.url + address(page_file))}(\\?.*)?$")
        if not there.match(self.page.url):
            self.page.set_viewport_size(WIDE)  # a phone has its menu behind a button
            menu = self.page.locator(".nlpviz-menu")
            menu.get_by_role("link", name=title(page_file), exact=True).click()
            expect(self.page).to_have_url(there)
            settled(self.page)  # the page that is left may have a view of the same name
        if view is not None:
            control = self.page.locator(".st-key-nlpviz_views")
            control.get_by_role("radio", name=title(view), exact=True).click()
        question = (view or page_file).read_text(encoding="utf-8").splitlines()[0].removeprefix('"""')
        expect(self.page.locator("h1").first).to_have_text(question)


@pytest.fixture(scope="module")
def walker(profile: BrowserContext, main_server: Server) -> Iterator[Walker]:
    """The tab that all walks of a process share."""
    troubles: list[str] = []
    page = watched(profile.new_page(), troubles)
    walker = Walker(page, main_server, troubles)
    walker.start()
    yield walker
    page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
    page.close()


def test_views_are_in_order_in_the_light_on_a_phone_and_some_in_the_dark(
    walker: Walker, walk: list[View], pytestconfig: pytest.Config
) -> None:
    """What views make of hostile texts is tried without a browser always (tests/pages/test_anything.py).

    At full width all views are tried in the dark, in CI a third of them beside the few.
    """
    found: list[str] = []
    for place in walk:
        where = address(*place)
        with walker.noting(where, found):
            walker.go(*place)
            found.extend(f"{where}: {fault}" for fault in faults(walker.page, where))
            dark = where in IN_THE_DARK or drawn(pytestconfig, f"{where} in the dark")
            if dark:
                turn(walker.page, "dark")
                found.extend(f"{where}, in the dark: {fault}" for fault in faults(walker.page, where))
                turn(walker.page, "light")
            assert_looks(walker.page, dark=dark, back=False)
        if drawn(pytestconfig, where) and drawn(pytestconfig, f"{where} with markup"):  # in CI a ninth of them
            with walker.noting(f"{where} with markup", found):
                assert_markup_stays_text(walker.page)
            walker.start()
    assert not found, "\n\n".join(found)


def test_chosen_view_is_readable_under_the_mouse(walker: Walker, pytestconfig: pytest.Config) -> None:
    walker.go(*next(place for place in views_of_pages(pytestconfig.rootpath) if place[1]))
    walker.page.set_viewport_size(WIDE)
    views = walker.page.locator(".st-key-nlpviz_views")
    views.get_by_role("radio", checked=True).hover()
    expect(views.locator("[data-selected][data-hovered]")).to_be_visible()
    result = Axe().run(walker.page, context={"include": [[".st-key-nlpviz_views"]]})
    assert result.violations_count == 0, result.generate_report()


def test_every_place_is_a_view(pytestconfig: pytest.Config) -> None:
    assert {*IN_THE_DARK, *FEW} <= {address(*place) for place in views_of_pages(pytestconfig.rootpath)}


# A server of its own; tests/browser/test_first_visitors.py asks fresh servers for all views, without a browser.
@pytest.mark.parametrize(
    "which",
    [pytest.param(-1, marks=pytest.mark.ci), *(pytest.param(place, marks=pytest.mark.slow) for place in (0, 5))],
)
def test_first_visit_may_be_a_deep_link(fresh_server: str, page: Page, pytestconfig: pytest.Config, which: int) -> None:
    file = sorted((pytestconfig.rootpath / "pages").glob("*.py"))[which]
    page.goto(fresh_server + address(file))
    assert_painted(page)
    # Streamlit's own menu: a first visit that goes past the frame would show it
    expect(page.get_by_test_id("stSidebarNav")).to_have_count(0)
