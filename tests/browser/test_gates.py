"""Gates in a real browser, on toy runs: a click on a cell or on a word of the text chooses unit and word."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from nlpviz.analysis.inspection.gates import read_course
from nlpviz.analysis.inspection.states import read_states
from nlpviz.runs import Run
from tests.browser.conftest import click_at, serving, settled, type_review
from tests.browser.looks import assert_fits

pytestmark = pytest.mark.slow

TEXT = "the splendid film was watched by people in the dreadful town"
# The middle of a cell of the heatmap.
CELL = """([row, column]) => {
  const plot = document.querySelector(".st-key-gates_part .nlpviz-plot");
  const { xaxis, yaxis } = plot._fullLayout;
  const box = plot.getBoundingClientRect();
  return [box.x + xaxis._offset + xaxis.c2p(column), box.y + yaxis._offset + yaxis.c2p(row)];
}"""


@pytest.fixture(scope="module")
def folder(toy_classifiers: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the toy QRNN and the toy Skip RNN."""
    into = tmp_path_factory.mktemp("recurrent") / "trained"
    for architecture in ("qrnn", "skip-rnn"):
        made = toy_classifiers(architecture)
        shutil.copytree(made, into / made.name)
    return into


@pytest.fixture(scope="module")
def recurrent(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory, folder: Path) -> Iterator[str]:
    """The URL of a server whose runs these are."""
    with serving(pytestconfig.rootpath, tmp_path_factory.mktemp("server") / "log.txt", folder) as url:
        yield url


def asked(page: Page, parameter: str) -> list[str]:
    """Return what the address says of a parameter."""
    return parse_qs(urlsplit(page.url).query).get(parameter, [])


def test_clicks_choose_a_unit_and_a_word(recurrent: str, page: Page, folder: Path) -> None:
    page.goto(f"{recurrent}/Recurrent_networks?view=gates&run=toy-qrnn&part=cell+state")
    settled(page)
    type_review(page, TEXT)
    states = read_states(Run.open(folder / "toy-qrnn").load(), TEXT)
    (course,) = read_course([states], "cell state", 0, 1)

    page.locator(".st-key-gates_part .nlpviz-plot").scroll_into_view_if_needed()
    click_at(page, *page.evaluate(CELL, [20, 6]))
    expect(page.get_by_text(f"and word 7, people, unit {course.order[20] + 1} computes")).to_be_visible()
    settled(page)
    assert (asked(page, "unit"), asked(page, "at")) == ([str(course.order[20] + 1)], ["7"])

    page.locator(".nlpviz-text [data-id='10']").click()
    expect(page.get_by_text("and word 10, dreadful, unit")).to_be_visible()
    settled(page)
    assert asked(page, "at") == ["10"]
    expect(page.locator(".nlpviz-read-chosen")).to_have_text("dreadful")

    page.go_back()
    expect(page.get_by_text("and word 7, people, unit")).to_be_visible()


def test_equations_stay_within_a_phone(recurrent: str, page: Page) -> None:
    page.set_viewport_size({"width": 420, "height": 860})
    page.goto(f"{recurrent}/Recurrent_networks?view=gates&run=toy-skip-rnn&text=slow-start")
    assert_fits(page)
    expect(page.locator(".st-key-nlpviz_equations .katex-display")).to_have_count(8)
