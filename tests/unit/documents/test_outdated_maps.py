"""A map that stands in for another one is dimmed and says so; one that was asked for is neither."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from nlpviz.analysis.projections.words import WordMapSettings, word_maps
from nlpviz.figures.documents.maps import MapStyle, document_map
from nlpviz.figures.words.maps import word_map
from nlpviz.figures.words.panels import WordMapStyle, WordPanel
from nlpviz.results.documents import RunDocuments
from nlpviz.results.projection import Projection
from tests.words import toy_vectors

SAID = "Still the <PCA> map:\nt-SNE is not computed yet"
TOY = toy_vectors()


def of_words(dimensions: int, outdated: str) -> Any:
    (drawn,) = word_maps([TOY], [2], TOY.words[5:], WordMapSettings("pca", dimensions))
    return word_map([WordPanel(drawn, "Epoch 2", "chosen")], "PCA", WordMapStyle(outdated=outdated))


def of_documents(dimensions: int, outdated: str) -> Any:
    documents = RunDocuments(
        "toy", "Toy", ("negative", "positive"), 1, ("a", "b"), np.array([0, 1], np.int8), np.array([1, 9], np.int8),
        np.array([5, 6], np.int32), {1: np.array([[0.9, 0.1], [0.1, 0.9]], np.float32)},
    )  # fmt: skip
    chart = Projection("toy", "pca", 1, np.eye(2, dimensions, dtype=np.float32), 0.9, 0.5, 15, 0, "")
    return document_map([documents], [chart], "PCA", MapStyle(outdated=outdated))


@pytest.mark.parametrize("dimensions", [2, 3])
@pytest.mark.parametrize("draw", [of_words, of_documents])
def test_it_is_dimmed_and_says_so(draw: Any, dimensions: int) -> None:
    view = draw(dimensions, SAID)
    assert all(trace.opacity is not None and trace.opacity < 0.5 for trace in view.figure.data)
    (note,) = (note for note in view.figure.layout.annotations if "Still" in note.text)
    assert note.text == "Still the &lt;PCA&gt; map:<br>t-SNE is not computed yet"
    assert view.alt.endswith("Still the <PCA> map: t-SNE is not computed yet")


@pytest.mark.parametrize("dimensions", [2, 3])
@pytest.mark.parametrize("draw", [of_words, of_documents])
def test_one_that_was_asked_for_is_not(draw: Any, dimensions: int) -> None:
    view = draw(dimensions, "")
    assert all(trace.opacity is None for trace in view.figure.data)
    assert not any("Still" in note.text for note in view.figure.layout.annotations)
    assert "Still" not in view.alt
