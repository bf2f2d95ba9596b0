"""Attention in a real browser, on toy runs: clicks that link its pictures, sentences that fold, themes, a phone."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect
from safetensors.torch import load_file, save_file

from nlpviz.runs import Run
from nlpviz.runs.weights import FROZEN
from tests.browser.conftest import click_at, serving, settled, type_review
from tests.browser.looks import assert_looks

pytestmark = pytest.mark.slow

HAN, TRANSFORMER = "toy-han", "toy-transformer-encoder"
CONTEXT = "sentence_attention.context"
# The middle of a point or a cell of a figure, by the key of its element.
POINT = """([key, trace, place]) => {
  const plot = document.querySelector(`.st-key-${key} .nlpviz-plot`);
  const { x, y } = plot._fullData.filter((one) => one.customdata)[trace];
  const { xaxis, yaxis } = plot._fullLayout;
  const box = plot.getBoundingClientRect();
  return [box.x + xaxis._offset + xaxis.c2p(x[place]), box.y + yaxis._offset + yaxis.c2p(y[place])];
}"""
CELL = """([key, row, column]) => {
  const plot = document.querySelector(`.st-key-${key} .nlpviz-plot`);
  const { xaxis, yaxis } = plot._fullLayout;
  const box = plot.getBoundingClientRect();
  return [box.x + xaxis._offset + xaxis.c2p(column), box.y + yaxis._offset + yaxis.c2p(row)];
}"""


@pytest.fixture(scope="module")
def attentive(
    pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory, toy_attentive: Path
) -> Iterator[str]:
    """The URL of a server whose runs are toy runs with attention."""
    folder = tmp_path_factory.mktemp("attentive") / "trained"
    shutil.copytree(toy_attentive, folder)
    _sharpen(Run.open(folder / HAN))
    with serving(pytestconfig.rootpath, tmp_path_factory.mktemp("server") / "log.txt", folder) as url:
        yield url


def _sharpen(run: Run) -> None:
    """Let a network be choosy about sentences: toy texts have one each, so that it learnt nothing about them."""
    weights = load_file(run.folder / FROZEN)
    weights[CONTEXT] *= 40
    save_file(weights, run.folder / FROZEN)
    run.save()


def click(page: Page, key: str, where: str, *at: int) -> None:
    """Click a point or a cell of the figure called ``key``, once Plotly has found it under the mouse."""
    page.locator(f".st-key-{key} .nlpviz-plot").scroll_into_view_if_needed()
    x, y = page.evaluate(where, [key, *at])
    click_at(page, x, y)


def asked(page: Page, parameter: str) -> list[str]:
    """Return what the address says of a parameter."""
    return parse_qs(urlsplit(page.url).query).get(parameter, [])


def test_words_rows_and_heads_are_clicked_and_link_the_pictures(attentive: str, page: Page) -> None:
    page.goto(f"{attentive}/One_review?view=attention&run={TRANSFORMER}")
    assert_looks(page, dark=True)
    settled(page)
    click(page, "attention_lines", POINT, 1, 2)  # to the right: what attends to it
    expect(page).to_have_url(re.compile("attended=to-3"))
    settled(page)
    expect(page.locator('[class*="st-key-nlpviz_answer"]').filter(has_text="is attended to most by")).to_be_visible()
    expect(page.locator(".st-key-attention_matrix .shapelayer path")).to_have_count(1)
    click(page, "attention_matrix", CELL, 4, 2)
    expect(page).to_have_url(re.compile("attended=from-5"))
    settled(page)
    click(page, "attention_grid", CELL, 3, 3)
    expect(page).to_have_url(re.compile("layer=1"))
    settled(page)
    assert (asked(page, "layer"), asked(page, "head"), asked(page, "attended")) == (["1"], ["1"], ["from-5"])
    page.goto(f"{attentive}/One_review?view=attention&run={TRANSFORMER}&epoch=0&epoch=3")
    assert_looks(page)


def test_a_clicked_sentence_stands_out_and_folded_ones_open_by_keyboard(attentive: str, page: Page) -> None:
    page.goto(f"{attentive}/One_review?view=attention&run={HAN}&epoch=0&epoch=3")
    assert_looks(page)
    page.goto(f"{attentive}/One_review?view=attention&run={HAN}")
    settled(page)
    page.locator(".st-key-attention_sentences .nlpviz-plot").scroll_into_view_if_needed()
    bar = page.locator(".st-key-attention_sentences .barlayer .point").nth(1)
    box = bar.bounding_box()
    assert box
    click_at(page, box["x"] + 3, box["y"] + box["height"] / 2)
    expect(page).to_have_url(re.compile("sentence=2"))
    settled(page)
    expect(page.locator(".nlpviz-sentence-selected")).to_have_count(1)
    text = (
        "<img src=x onerror=\"document.title='run'\"> A splendid film. **We** <script>alert(1)</script> were. It was."
    )
    type_review(page, text)
    assert "".join(page.locator(".nlpviz-sentence .nlpviz-text").all_text_contents()) == text
    assert page.title() == "Attention · One review · nlpviz"
    assert asked(page, "text") == ["own"]  # that there is one, and no word of it
    summary = page.locator(".nlpviz-fold summary").first
    words = page.locator(".nlpviz-fold .nlpviz-text").first
    expect(words).to_be_hidden()
    summary.focus()
    page.keyboard.press("Enter")
    expect(words).to_be_visible()
