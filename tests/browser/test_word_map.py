"""The word map, the matrix, the axes and own vectors in a real browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from nlpviz.word_vectors.formats import write_text
from tests.browser.conftest import NewPage, click_at, export, settled, type_review
from tests.browser.looks import PHONE, assert_fits
from tests.words import toy_vectors

pytestmark = pytest.mark.ci

PLOT = "document.querySelector('.nlpviz-plot')"
RANGE = f"() => {PLOT}._fullLayout.xaxis.range.map((end) => +end)"
NAMED = f"""(name) => ({PLOT}._fullData.find((trace) => trace.name.startsWith(name))?.customdata ?? []).length"""
PLACE = f"""(word) => {{
  const plot = {PLOT};
  for (const trace of plot._fullData) {{
    const index = [...(trace.customdata ?? [])].indexOf(word);
    if (index < 0) continue;
    const box = plot.querySelector(".plot .bg, .bglayer .bg, .draglayer .nsewdrag").getBoundingClientRect();
    const [x, y] = [plot._fullLayout.xaxis, plot._fullLayout.yaxis];
    return [box.x + x.d2p(trace._length ? trace.x[index] : 0), box.y + y.d2p(trace.y[index])];
  }}
  return null;
}}"""
LABELS = """() => [...document.querySelectorAll('.nlpviz-plot .annotation text')].map((text) => {
  const box = text.getBoundingClientRect();
  return [box.left, box.top, box.right, box.bottom, text.textContent];
})"""


def opened(page: Page, server: str, name: str, query: str = "") -> Page:
    """Return a page of words, drawn."""
    page.goto(f"{server}/{name}?{query}")
    return settled(page)


def overlaps(labels: list[tuple[float, float, float, float, str]]) -> list[tuple[str, str]]:
    """Return the labels that cover each other by more than a pixel."""
    return [
        (one[4], other[4])
        for position, one in enumerate(labels)
        for other in labels[position + 1 :]
        if min(one[2], other[2]) - max(one[0], other[0]) > 1 and min(one[3], other[3]) - max(one[1], other[1]) > 1
    ]


def test_a_word_is_chosen_by_a_click_by_its_name_and_by_arrow_and_enter(server: str, page: Page) -> None:
    opened(page, server, "Words", "view=map&pairs=none&words=200")
    word = page.evaluate(f"() => {PLOT}._fullData[0].customdata[0]")
    x, y = page.evaluate(PLACE, word)
    click_at(page, x, y)
    page.wait_for_function(f"() => ({NAMED})('nearest to') > 0")
    settled(page)
    expect(page).to_have_url(re.compile("word="))
    expect(page.get_by_text(re.compile("among all .* words"))).to_be_visible()
    box = page.locator(".st-key-word input")
    box.click()
    box.fill("children")
    box.press("Enter")
    page.wait_for_function(f"() => ({NAMED})('children') === 1")
    settled(page)
    expect(page).to_have_url(re.compile("word=children"))
    page.locator(".nlpviz-plot").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page).not_to_have_url(re.compile("word=children"))
    expect(page).to_have_url(re.compile("word="))


@pytest.mark.slow  # as on the map of documents
def test_zoom_survives_another_epoch_and_a_chosen_word(server: str, page: Page) -> None:
    opened(page, server, "Words", "view=map&pairs=none&epoch=1&epoch=10")
    whole = page.evaluate(RANGE)
    page.locator(".nlpviz-plot").first.hover()
    page.locator(".nlpviz-plot [data-title='Zoom in']").first.click()
    page.wait_for_function(f"(whole) => ({RANGE})()[0] > whole", arg=whole[0])
    near = page.evaluate(RANGE)
    page.locator(".st-key-word_epochs").get_by_role("button", name="0", exact=True).click()
    settled(page)
    page.wait_for_function(f"() => {PLOT}._fullLayout.xaxis3 !== undefined")
    assert page.evaluate(RANGE) == pytest.approx(near)


@pytest.mark.slow
@pytest.mark.parametrize("query", ["word=king&pairs=family", "word=king&pairs=family&epoch=0&epoch=1"])
def test_labels_do_not_cover_each_other(server: str, page: Page, query: str) -> None:
    opened(page, server, "Words", f"view=map&{query}")
    assert_apart(page)
    page.evaluate(f"() => {{ window.wide = String(({LABELS})()); }}")
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.wait_for_function(f"() => String(({LABELS})()) !== window.wide")
    assert_fits(page)
    settled(page)
    assert_apart(page)


def assert_apart(page: Page) -> None:
    """Fail if labels of the map cover each other."""
    labels = page.evaluate(LABELS)
    assert len(labels) > 10
    covered = overlaps([label for label in labels if not label[4].startswith(("Epoch", "best", "before", "trust"))])
    assert not covered


@pytest.mark.slow  # without a browser: tests/pages/test_word_map.py
def test_a_tsne_map_is_made_while_pca_is_shown(server: str, page: Page) -> None:
    listed = "one,two,three,four,five,six,seven,eight,red,green,blue,black,white,king,queen,prince"
    opened(page, server, "Words", f"view=map&map=tsne&words=typed&list={listed}&pairs=none")
    expect(page.locator(".nlpviz-caption").first).to_contain_text("t-SNE perplexity 5, seed 0")
    expect(page.get_by_role("progressbar")).to_have_count(0)


@pytest.mark.slow  # without a browser: tests/pages/test_word_map.py
def test_a_review_is_placed_and_stays_out_of_the_address(server: str, page: Page) -> None:
    opened(page, server, "Words", "view=map&pairs=none")
    type_review(page, "An awful, dull and pointless film.")
    expect(page.get_by_text(re.compile("review’s 6 words are in the vocabulary"))).to_be_visible()
    page.wait_for_function(f"() => {PLOT}._fullData.some((trace) => trace.name === 'your text')")
    assert "awful" not in page.url


@pytest.mark.slow
def test_a_typed_list_is_a_matrix_whose_link_opens_it_and_typed_poles_are_axes(server: str, page: Page) -> None:
    opened(page, server, "Words", "view=similarity")
    page.locator(".stPopover").get_by_role("button", name="Words").click()
    page.get_by_label("Words, separated by commas").fill("king, queen, man, woman")
    page.keyboard.press("Control+Enter")
    page.keyboard.press("Escape")
    page.wait_for_function(f"() => {PLOT}._fullData[0].x.length === 4")
    expect(page).to_have_url(re.compile("list=king"))
    again = opened(page, server, "Words", page.url.partition("?")[2])
    assert again.evaluate(f"() => {PLOT}._fullData[0].x.length") == 4
    page.locator(".st-key-nlpviz_views").get_by_role("radio", name="Axes", exact=True).click()
    expect(page).to_have_url(re.compile("view=axes"))
    settled(page).get_by_role("textbox", name="Horizontal axis").fill("good, great | bad")
    page.keyboard.press("Enter")
    expect(page.get_by_text("good, great →")).to_be_visible()
    expect(page).to_have_url(re.compile("x=good"))
    page.get_by_role("textbox", name="Horizontal axis").fill("good | good")
    page.keyboard.press("Enter")
    expect(page.get_by_text("The two poles are identical")).to_be_visible()
    expect(page.get_by_role("textbox", name="Horizontal axis")).to_have_value("good | good")


@pytest.mark.slow
def test_own_vectors_are_uploaded_survive_a_reload_and_are_removed(
    server: str, new_page: NewPage, tmp_path: Path
) -> None:
    write_text(tmp_path / "mine.txt", toy_vectors())
    page, another = new_page(), new_page()
    opened(page, server, "Your_texts", "view=word-vectors")
    page.locator("input[type=file]").set_input_files(tmp_path / "mine.txt")
    expect(page.get_by_text("Read as word2vec text")).to_be_visible()
    settled(page)
    opened(another, server, "Your_texts", "view=word-vectors")
    expect(another.get_by_text("Choose a file to begin.")).to_be_visible()
    page.bring_to_front()
    page.reload()
    expect(page.get_by_role("button", name="Remove mine")).to_be_visible()
    settled(page)
    page.locator(".stMain").get_by_role("link", name=re.compile("Map$")).click()
    expect(page.get_by_role("heading", name="Where do words lie on the map, and how did it form?")).to_be_visible()
    expect(page).to_have_url(re.compile("run=mine"))
    settled(page)
    assert page.evaluate(f"() => {PLOT}._fullData.flatMap((trace) => [...(trace.customdata ?? [])]).includes('queen')")
    expect(page.locator(".nlpviz-caption").first).to_contain_text("mine")
    page.get_by_role("link", name="Your texts", exact=True).click()
    page.locator(".st-key-own_remove_mine button").click()  # the map has a button "Remove mine", too
    expect(page.get_by_text("Choose a file to begin.")).to_be_visible()
    page.get_by_role("link", name="Words", exact=True).click()
    settled(page)
    expect(page.get_by_test_id("stException")).to_have_count(0)


@pytest.mark.slow  # what is under a figure: test_plotly_view.py
@pytest.mark.parametrize(("name", "view"), [("Words", "map"), ("Words", "similarity"), ("Words", "axes")])
def test_what_is_drawn_can_be_taken_away(server: str, page: Page, name: str, view: str) -> None:
    opened(page, server, name, f"view={view}")
    with page.expect_download() as got:
        export(page, "CSV")
    assert got.value.path().read_text(encoding="utf-8-sig").startswith('"word"') or got.value.path().stat().st_size > 50
