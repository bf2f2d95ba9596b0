"""What a visitor does: type a review, click a point, follow a link; and two of them at once."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage, click_at, settled, type_review

pytestmark = pytest.mark.ci

# Where the fifth point of the last trace with ids is drawn.
A_POINT = """() => {
  const plot = document.querySelector(".nlpviz-plot");
  const trace = plot._fullData.filter((each) => each.customdata).at(-1);
  const axis = (name) => plot._fullLayout[name[0] + "axis" + name.slice(1)];
  const [x, y, box] = [axis(trace.xaxis), axis(trace.yaxis), plot.getBoundingClientRect()];
  return [box.x + x._offset + x.d2p(trace.x[4]), box.y + y._offset + y.d2p(trace.y[4])];
}"""


def test_two_visitors_are_kept_apart_and_what_they_type_is_text(server: str, new_page: NewPage) -> None:
    first, second = new_page(), new_page()
    for page, text in ((first, "a wonderful, moving film"), (second, "an awful waste of time")):
        page.goto(f"{server}/One_review")
        settled(page)
        type_review(page, text)
    expect(first.locator(".nlpviz-text")).to_have_text("a wonderful, moving film")
    expect(second.locator(".nlpviz-text")).to_have_text("an awful waste of time")
    expect(first.get_by_text("positive", exact=True).first).to_be_visible()
    assert "wonderful" not in first.url
    markup = "<img src=x onerror=\"document.title='run'\"> <script>document.title='run'</script> **fine** 👨‍👩‍👧"
    type_review(second, markup)
    expect(second.locator(".nlpviz-text")).to_have_text(markup)
    assert second.title() == "Saliency · One review · nlpviz"
    type_review(second, "good and bad, " * 7143)  # a hundred thousand characters
    expect(second.get_by_text("more tokens, not shown").first).to_be_visible()
    expect(second.locator(".nlpviz-cut")).to_be_visible()


@pytest.mark.slow
def test_a_clicked_point_is_described_and_its_link_reproduces_it(server: str, page: Page) -> None:
    page.goto(f"{server}/Explore?map=tsne")
    settled(page)
    x, y = page.evaluate(A_POINT)
    click_at(page, x, y)
    expect(page).to_have_url(re.compile("text=test"))
    link = page.url
    (document,) = parse_qs(urlsplit(link).query)["text"]  # of points that lie close, the nearest
    described = page.locator('[class*="st-key-nlpviz_answer"]').filter(has_text=document)
    expect(described).to_be_visible()
    page.goto(f"{server}/")
    page.goto(link)
    settled(page)
    expect(described).to_be_visible()
    assert "map=tsne" in link
