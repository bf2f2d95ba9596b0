"""What a visitor does: type a review, click a point, follow a link; and two of them at once."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage, click_at, settled, type_review

# Where the fifth point of the last trace with ids is drawn.
A_POINT = """() => {
  const plot = document.querySelector(".nlpviz-plot");
  const trace = plot._fullData.filter((each) => each.customdata).at(-1);
  const axis = (name) => plot._fullLayout[name[0] + "axis" + name.slice(1)];
  const [x, y, box] = [axis(trace.xaxis), axis(trace.yaxis), plot.getBoundingClientRect()];
  return [box.x + x._offset + x.d2p(trace.x[4]), box.y + y._offset + y.d2p(trace.y[4])];
}"""


def test_two_visitors_are_kept_apart(server: str, new_page: NewPage) -> None:
    first, second = new_page(), new_page()
    for page, text in ((first, "a wonderful, moving film"), (second, "an awful waste of time")):
        page.goto(f"{server}/One_review")
        settled(page)
        type_review(page, text)
    expect(first.locator(".nlpviz-text")).to_have_text("a wonderful, moving film")
    expect(second.locator(".nlpviz-text")).to_have_text("an awful waste of time")
    expect(first.get_by_text("positive", exact=True).first).to_be_visible()
    assert "wonderful" not in first.url


def test_typed_markup_is_shown_and_never_run(server: str, page: Page) -> None:
    text = "<img src=x onerror=\"document.title='run'\"> <script>document.title='run'</script> **fine** 👨‍👩‍👧"
    page.goto(f"{server}/One_review")
    settled(page)
    type_review(page, text)
    expect(page.locator(".nlpviz-text")).to_have_text(text)
    assert page.title() == "Saliency · One review · nlpviz"


def test_a_hundred_thousand_characters(server: str, page: Page) -> None:
    page.goto(f"{server}/One_review")
    settled(page)
    type_review(page, "good and bad, " * 7143)
    expect(page.get_by_text("more tokens, not shown").first).to_be_visible()
    expect(page.locator(".nlpviz-cut")).to_be_visible()


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
