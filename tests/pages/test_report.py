"""A page as one HTML file: what it says and draws is in it, escaped, and says where it comes from."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest

from nlpviz.ui import report
from tests.pages.conftest import Page, figure

HOSTILE = "not </script><script>alert(1)</script> *bad* <b>film</b>"


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Callable[[], str]]]:
    """What pages offer: the name of each file, and what writes it."""
    found: list[tuple[str, Callable[[], str]]] = []

    def noting(label: str, *, data: Callable[[], str], file_name: str, **more: Any) -> None:
        assert label
        assert more["on_click"] == "ignore", "the page does not run again"
        found.append((file_name, data))

    monkeypatch.setattr(report.st, "download_button", noting)
    return found


def figures(app: Any) -> int:
    """Return how many figures a page shows."""
    count = 0
    try:
        while figure(app, count):
            count += 1
    except IndexError:
        return count
    return count


def test_a_page_is_written_with_its_words_and_figures(page: Page, offered: list[tuple[str, Any]]) -> None:
    app = page("One review", view="saliency", epoch=["0", "7"])
    ((name, write),) = offered
    assert name == "nlpviz-one-review-saliency.html"
    html = write()
    assert html.count("<figure ") == figures(app) > 1
    assert html.count('class="nlpviz-text') == 2
    assert "<h1>Which words moved this prediction?</h1>" in html
    assert "Epoch 7: positive" in unescape(html)
    assert "<footer>One review: Saliency (epoch 0 7) · nlpviz" in html
    assert "default-src &#x27;none&#x27;" in html or "default-src 'none'" in html


def test_a_typed_text_is_in_it_as_text(page: Page, offered: list[tuple[str, Any]]) -> None:
    app = page("One review", view="saliency")
    app.text_area(key="text").set_value(HOSTILE).run()
    assert not app.exception
    html = offered[-1][1]()
    without_library = re.sub(r'<script type="text/plain" id="plotly">.*?</script>', "", html, flags=re.DOTALL)
    assert "<b>film" not in without_library
    assert "alert" in without_library
    assert "<script>alert" not in without_library


def test_a_page_that_draws_nothing_offers_nothing(page: Page, offered: list[tuple[str, Any]]) -> None:
    assert not page("Glossary").exception
    assert not offered


@pytest.mark.parametrize(
    ("markdown", "read"),
    [("**a** *b* `c`", "a b c"), (r"\*a\* \\ \`b", r"*a* \ `b"), ("-\u2060>", "->"), ("", ""), ("\\", "")],
)
def test_an_answer_is_written_as_it_is_read(markdown: str, read: str) -> None:
    assert report._unescaped(markdown) == read
