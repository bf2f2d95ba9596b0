"""The pages on translation, on translators of pairs of one's own: in any languages, with their own examples or none."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from nlpviz.data import corpus_named
from nlpviz.data.parallel import ParallelTexts
from tests import translators
from tests.own_pairs import KEPT, PLAIN
from tests.pages import conftest as pages
from tests.pages.conftest import shown

Open = Callable[..., AppTest]
VIEWS = ("alignment", "beam", "sentences", "bleu")
GENERAL = "toy-en-fr-general"


@pytest.fixture
def opened(
    own_pairs: Path, toy_translator: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Open:
    """Return what opens a view of Translate on both runs of one's own, beside a translator of a published corpus."""
    shutil.copytree(own_pairs / "runs", tmp_path / "runs")
    shutil.copytree(toy_translator("general"), tmp_path / "runs" / GENERAL)
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "runs"))
    monkeypatch.setenv("NLPVIZ_CACHE", str(tmp_path))
    monkeypatch.delenv("NLPVIZ_DATA", raising=False)
    return lambda view="", **address: pages.opened("Translate", view=view, **address).run()


def plain(app: AppTest) -> str:
    return "\n".join([shown(app), *(header.value for header in app.header)]).replace("\\", "")


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("run", [KEPT, PLAIN])
def test_every_view_opens(opened: Open, view: str, run: str) -> None:
    app = opened(view, run=run, languages=f"{run}.nl-fr" if run == KEPT else f"{run}.source-target")
    assert not app.exception
    assert "English" not in plain(app) + "".join(area.label for area in app.text_area)
    assert "German" not in plain(app)
    if view != "bleu":
        assert app.selectbox(key="translator").value == run


def test_test_sentences_that_are_kept_are_examples(opened: Open) -> None:
    app = opened("alignment", run=KEPT)
    texts = corpus_named(KEPT).read("test")
    assert isinstance(texts, ParallelTexts)
    area = app.text_area[0]
    assert area.label == "Type a sentence in Dutch"
    assert area.value in texts.texts["nl"]
    (offered,) = (box for box in app.selectbox if box.label == "Sentence")
    assert len(offered.options) == 20 + 1
    assert "There are no examples" not in plain(app)


def test_without_kept_texts_a_page_says_why_there_are_none(opened: Open) -> None:
    app = opened("alignment", run=PLAIN)
    why = "the run was trained on your own pairs without --keep-texts, so it stores no sentences"
    assert f"The text contains no words. Type a sentence. There are no examples: {why}" in plain(app)
    app.text_area[0].set_value(translators.SENTENCE).run()
    assert not app.exception
    assert app.text_area[0].label == "Type a sentence in the source language"
    assert "Log-probability" in plain(app)
    phrases = opened("sentences", run=PLAIN)
    assert phrases.text_area[0].value == ""
    assert why in plain(phrases)


def test_bleu_compares_runs_of_one_corpus_alone(opened: Open) -> None:
    app = opened("bleu", languages=f"{KEPT}.nl-fr")
    assert "Dutch to French (kept-pairs)" in [*app.selectbox(key="languages").options]
    said = plain(app)
    assert "BLEU of the untranslated source sentences" in app.table[0].value.iloc[:, 0].tolist()
    assert "(paired bootstrap)" not in said
    assert "Multi30k" not in said
    assert "as in published figures for Multi30k" in plain(opened("bleu", languages="en-fr"))
