"""Show me the code in a real browser: shown as text, and taken away as a notebook that says the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import export, settled, type_review
from tests.browser.looks import assert_accessible

pytestmark = pytest.mark.slow

TYPED = "not <b>bad</b>, $quite 'good'"


def test_code_is_shown_and_taken_away_as_a_notebook(server: str, page: Page, tmp_path: Path) -> None:
    page.goto(f"{server}/One_review?view=saliency")
    settled(page)
    type_review(page, TYPED)
    figure = page.locator(".nlpviz-figure", has=page.locator(".nlpviz-corner")).first
    export(figure, "Code")
    written = figure.locator(".nlpviz-code pre")
    expect(written).to_contain_text(f"text = {TYPED!r}")
    assert written.locator("b").count() == 0
    with page.expect_download() as taken:
        figure.get_by_role("button", name="Download a notebook").click()
    assert taken.value.suggested_filename.endswith(".ipynb")
    taken.value.save_as(tmp_path / "taken.ipynb")
    notebook = json.loads((tmp_path / "taken.ipynb").read_text(encoding="utf-8"))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    words, code = notebook["cells"]
    assert (words["cell_type"], code["cell_type"]) == ("markdown", "code")
    assert code["source"] == written.inner_text()
    assert set(code) == {"cell_type", "id", "metadata", "execution_count", "outputs", "source"}, (
        "what the format asks for"
    )
    assert_accessible(page)


def test_where_there_is_no_code_none_is_offered(server: str, page: Page) -> None:
    page.goto(f"{server}/One_review?view=saliency&show=matrix")
    settled(page)
    figure = page.locator(".nlpviz-figure", has=page.locator(".nlpviz-corner")).first
    figure.locator(".nlpviz-corner-open").click()
    expect(figure.get_by_role("button", name="Table:")).to_be_visible()
    expect(figure.get_by_role("button", name="Code:")).to_have_count(0)
