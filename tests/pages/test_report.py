"""A page as one HTML file: what it says and draws is in it, escaped, and says where it comes from."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest

from nlpviz.ui import page_parts, report
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


def without_library(html: str) -> str:
    """Return a file without plotly.js."""
    return re.sub(r'<script type="text/plain" id="plotly">.*?</script>', "", html, flags=re.DOTALL)


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
    app = page("One review", view="saliency", epoch=["0", "7"], trust="open")
    ((name, write),) = offered
    assert name == "nlpviz-one-review-saliency.html"
    html = write()
    assert html.count("<figure ") == figures(app) > 1
    assert html.count('class="nlpviz-text') == 2
    assert "<h1>Which words moved this prediction?</h1>" in html
    assert "CNN on IMDB: <strong>positive</strong>" in unescape(html)
    assert "<footer>One review: Saliency (epoch 0 7) · nlpviz" in html
    assert "default-src &#x27;none&#x27;" in html or "default-src 'none'" in html


def test_what_is_folded_is_not_in_it(page: Page, offered: list[tuple[str, Any]]) -> None:
    def headings(**address: str) -> list[str]:
        page("One review", view="saliency", **address)
        return re.findall("<h3>(.*?)</h3>", without_library(offered[-1][1]()))

    folded, open_ = headings(), headings(trust="open")
    assert len(open_) == len(folded) + 1
    assert set(folded) < set(open_)
    assert any(heading.startswith("How far to trust these scores") for heading in open_)


def test_a_typed_text_is_in_it_as_text(page: Page, offered: list[tuple[str, Any]]) -> None:
    app = page("One review", view="saliency")
    app.text_area(key="text").set_value(HOSTILE).run()
    assert not app.exception
    html = offered[-1][1]()
    bare = without_library(html)
    assert "<b>film" not in bare
    assert "alert" in bare
    assert "<script>alert" not in bare
    assert "What you type" not in bare, "what stands in the text's box is a control"


def test_what_is_said_is_written_only_when_the_file_is_asked_for(
    page: Page, offered: list[tuple[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []
    monkeypatch.setattr(page_parts, "html_of", lambda body: written.append(body) or "")
    page("One review", view="saliency")
    assert not written
    offered[-1][1]()
    assert written


def test_a_page_that_draws_nothing_offers_nothing(page: Page, offered: list[tuple[str, Any]]) -> None:
    assert not page("Glossary").exception
    assert not offered


def test_what_a_page_says_is_in_the_order_of_the_page(page: Page, offered: list[tuple[str, Any]]) -> None:
    app = page("Explore", view="training-dynamics")
    assert not app.exception
    html = without_library(offered[-1][1]())
    places = [
        html.index(said)
        for said in (
            "<h1>Which texts did the network learn at once, forget, or never get right?</h1>",
            "<p>Each point is a text",
            "<h2>One text, moment by moment</h2>",
            "<h2>Which labels are most suspect?</h2>",
            '<th scope="col">Mean confidence</th>',
            "<h3>How to read this</h3>",
            "<strong>Suspects</strong>",
        )
    ]
    assert places == sorted(places)
    assert "the first 100 of" in html, "of what a figure shows of thousands"
    assert "Search" not in html, "neither menu nor controls"


def test_the_time_machine_is_taken_along_with_all_its_epochs(page: Page, offered: list[tuple[str, Any]]) -> None:
    app = page("One review", view="time-machine", run="imdb-lstm")
    assert not app.exception
    html = without_library(offered[-1][1]())
    played = [json.loads(one) for one in re.findall(r'class="frames">(.*?)</script>', html, re.DOTALL)]
    assert [[frame["value"] for frame in one["frames"]] for one in played] == [["0", "1", "2", "14"]] * len(played)
    assert [bool(one.get("follows")) for one in played] == [False, True, True, True]
    assert html.count("data-moment=") == 2 * 4


def test_another_visitors_page_is_not_heard(page: Page, offered: list[tuple[str, Any]]) -> None:
    first = page("One review", view="saliency")
    second = page("Words", view="neighbours")
    assert not [*first.exception, *second.exception]
    assert "Which words are near a word?" not in offered[0][1]()
    assert "Which words moved" not in offered[1][1]()


def test_two_runs_are_offered_beside_each_other(page: Page, offered: list[tuple[str, Any]]) -> None:
    app = page("Models", view="compare", run="imdb-cnn", beside="imdb-lstm")
    assert not app.exception
    files = dict(offered)
    html = files["imdb-cnn-imdb-lstm.html"]()
    assert html.count('<th scope="row">fingerprint</th>') == 2
    assert "<h2>Accuracy on the same test documents</h2>" in html


def test_a_file_looks_like_the_page(page: Page, offered: list[tuple[str, Any]]) -> None:
    assert not page("One review", view="n-grams").exception
    bare = without_library(offered[-1][1]())
    for rule in (r"\.nlpviz-legend \.nlpviz-box \{", r"@font-face\{font-family:\"Source Sans\"", "@media print"):
        assert re.search(rule, bare), "boxes and swatches, the font, light paper"
    assert "font-src data:" in bare
    assert '<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">' in bare
    assert "\\text" not in bare
    text, columns = bare.index('class="nlpviz-text'), bare.index('<div class="columns">')
    assert columns < text < bare.index("<figure "), "beside each other, as on the page"


def test_a_table_in_markdown_is_written_without_its_signs(page: Page, offered: list[tuple[str, Any]]) -> None:
    assert not page("Words", view="map").exception
    bare = without_library(offered[-1][1]())
    assert "\\-" not in re.sub("<script.*?</script>", "", bare, flags=re.DOTALL)
