"""What pages call a document of a run's corpus."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from nlpviz.runs import Run
from nlpviz.ui.classes import document


def run_on(**corpus: str) -> Run:
    """Return a run as far as its corpus."""
    return cast("Run", SimpleNamespace(corpus=corpus))


def test_a_document_is_called_what_its_corpus_says_and_a_text_where_that_is_not_known() -> None:
    assert document(run_on(name="imdb")) == "review"
    assert document(run_on(name="one that is gone")) == "text"


def test_a_manifest_without_a_corpus_is_not_taken_for_one_that_is_gone() -> None:
    with pytest.raises(KeyError):
        document(run_on())
