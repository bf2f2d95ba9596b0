"""The figure of the cascade: a row a layer, from the top down, beside what chance leaves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from nlpviz.figures.attribution.randomisation import cascade
from nlpviz.results.randomisation import Randomisation

RESULT = Randomisation(
    "toy", 3, "truth", True, "good", 120, 101, ("output layer", "convolution 1 of 1", "word vectors"),
    np.array([0.8, 0.4, -0.1]), np.array([0.9, 0.5, 0.05]), 7,
)  # fmt: skip


def test_each_layer_has_its_row_and_its_number() -> None:
    view = cascade(RESULT, "Truth")
    signs, without = view.figure.data
    assert list(signs.y) == ["none", *RESULT.layers]
    assert list(signs.x) == [1, 0.8, 0.4, -0.1]
    assert list(without.x) == [1, 0.9, 0.5, 0.05]
    assert view.figure.layout.yaxis.autorange == "reversed", "the top layer stands at the top"
    (band,) = view.figure.layout.shapes
    assert (band.x0, band.x1) == pytest.approx((-0.196, 0.196))
    assert view.table["rank correlation"] == [1, 0.8, 0.4, -0.1]
    assert "output layer +0.80, convolution 1 of 1 +0.40, word vectors −0.10" in view.alt
    assert "one draw, seed 7" in view.caption
    assert "101 different words" in view.caption


def test_scores_without_signs_have_one_line() -> None:
    (only,) = cascade(replace(RESULT, signed=False), "Truth").figure.data
    assert only.name == "ranks"


def test_a_layer_without_an_order_is_a_gap() -> None:
    view = cascade(replace(RESULT, signed=False, scores=np.array([0.8, np.nan, 0.1])), "Truth")
    assert view.json["data"][0]["x"] in ([1.0, 0.8, None, 0.1],)
