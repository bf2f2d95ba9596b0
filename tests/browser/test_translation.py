"""The pages on translation in a real browser, on a network that learnt a toy pair of languages in seconds."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests import translators
from tests.browser.conftest import click_at, serving, settled
from tests.browser.looks import assert_looks

pytestmark = pytest.mark.slow

TRANSLATION = ".st-key-nlpviz_translation"


@pytest.fixture(scope="module")
def toys(
    pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory, toy_translator: Callable[[str], Path]
) -> Iterator[str]:
    """The URL of a server whose only run is a toy translator with local attention."""
    folder = tmp_path_factory.mktemp("translating") / "trained"
    shutil.copytree(toy_translator("local-p"), folder / "toy-en-fr-local-p")
    with serving(pytestconfig.rootpath, tmp_path_factory.mktemp("server") / "log.txt", folder) as url:
        yield url


def typed(page: Page, sentence: str = translators.SENTENCE) -> Page:
    """Return ``page`` with a sentence in its field."""
    settled(page).locator(".nlpviz-text-chip").click()
    field = page.get_by_label("Type a sentence in English")
    field.fill(sentence)
    field.press("Control+Enter")
    expect(page.locator(".nlpviz-text-chip")).to_contain_text(sentence.split(maxsplit=1)[0])
    expect(field).to_be_hidden()
    return settled(page)


def test_sentences_and_bleu_are_in_order(toys: str, page: Page) -> None:
    page.goto(f"{toys}/Translate?view=sentences")
    assert_looks(page)
    page.locator(".st-key-nlpviz_views").get_by_role("radio", name="BLEU", exact=True).click()
    expect(page).to_have_url(re.compile("view=bleu"))
    assert_looks(page)


def test_a_click_in_the_lines_lets_a_word_stand_out_and_a_bar_goes_on_from_another(toys: str, page: Page) -> None:
    page.goto(f"{toys}/Translate?others=epochs")
    assert_looks(page, dark=True)
    page.goto(f"{toys}/Translate")
    typed(page)
    before = page.locator(TRANSLATION).inner_text()
    lines = page.locator(".nlpviz-plot").nth(1)
    lines.focus()
    page.keyboard.press("ArrowDown")  # the first source word
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=re.compile(r", word \d+$"))).to_be_visible()  # no longer the least sure
    bars = settled(page).locator(".nlpviz-plot").nth(3)
    bars.scroll_into_view_if_needed()
    position = bars.locator(".barlayer .point").nth(1).bounding_box()
    assert position is not None
    click_at(page, position["x"] + 1, position["y"] + position["height"] / 2)
    expect(page.get_by_role("button", name="Remove the prefix")).to_be_visible()
    expect(page.locator(TRANSLATION)).not_to_have_text(before)
    assert translators.SENTENCE not in page.url


def test_a_word_of_the_tree_begins_another_translation(toys: str, page: Page) -> None:
    page.goto(f"{toys}/Translate?view=beam&beam=6")
    assert_looks(page)
    page.goto(f"{toys}/Translate?view=beam")
    tree = typed(page).locator(".nlpviz-plot").first
    tree.focus()
    page.keyboard.press("ArrowDown")  # the first of the pruned words
    page.keyboard.press("Enter")
    field = page.get_by_label("Forced prefix (French)")
    expect(field).to_have_value(re.compile(r"^\w+ "))
    begun = field.input_value()
    expect(page.locator("[class*=st-key-nlpviz_answer]").first).to_contain_text(begun)
