"""The built documentation: links lead somewhere, nothing is fetched, its search finds things. `make docs` builds it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest
from playwright.sync_api import Page, Request, expect

SITE = Path(__file__).resolve().parents[2] / "build" / "docs" / "html"

pytestmark = pytest.mark.skipif(not (SITE / "index.html").exists(), reason="`make docs` builds it")


class Links(HTMLParser):
    """The addresses and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, _tag: str, attributes: list[tuple[str, str | None]]) -> None:
        named = dict(attributes)
        self.anchors |= {named["id"]} if named.get("id") else set()
        self.targets += [address for key in ("href", "src") if (address := named.get(key))]


@pytest.fixture(scope="module")
def pages() -> dict[Path, Links]:
    """Every page of the site."""
    return {file: Links(file.read_text(encoding="utf-8")) for file in SITE.rglob("*.html")}


def dead_links(pages: dict[Path, Links]) -> Iterator[str]:
    """Yield the links within the site that lead nowhere."""
    for file, links in pages.items():
        for target in links.targets:
            address, _, anchor = target.partition("#")
            if re.match(r"\w+:", address):
                continue
            path = (file.parent / unquote(address.partition("?")[0])).resolve() if address else file
            if not path.exists() or (anchor and path in pages and anchor not in pages[path].anchors | {"top"}):
                yield f"{file.relative_to(SITE)}: {target}"


def test_links_lead_somewhere(pages: dict[Path, Links]) -> None:
    assert len(pages) > 180
    assert list(dead_links(pages)) == []


def test_each_view_has_its_picture(pages: dict[Path, Links]) -> None:
    views = [file for file in pages if file.parent.name == "views" and file.stem != "index"]
    assert len(views) >= 60
    assert [file.stem for file in views if f"../_images/{file.stem}.webp" not in pages[file].targets] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_needs_no_other_host(page: Page, scheme: str) -> None:
    fetched: list[str] = []

    def note(request: Request) -> None:
        fetched.append(request.url)

    page.on("request", note)
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 400, "height": 800})
    page.goto((SITE / "views" / "one-review-saliency.html").as_uri())
    expect(page.locator("math").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    assert [url for url in fetched if not url.startswith("file:")] == []


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("AOPC", "How far to trust an explanation"),
        ("CSV", "Train on your own texts"),
        ("imdb-cnn", "CNN on IMDB"),
        ("METHOD", "Contributing"),
    ],
)
def test_the_search_finds_what_a_newcomer_looks_for(page: Page, words: str, found: str) -> None:
    page.goto(f"{(SITE / 'search.html').as_uri()}?q={words}")
    expect(page.locator("#search-results")).to_contain_text(found)
