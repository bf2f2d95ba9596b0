"""What is drawn of an assessment is what was computed; names of classes, words and slices are escaped."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from nlpviz.analysis.inspection.assessment import assess
from nlpviz.analysis.inspection.errors import ErrorCollector, slices_by_column
from nlpviz.figures.assessment.classes import class_bars
from nlpviz.figures.assessment.lengths import text_lengths
from nlpviz.figures.assessment.reliability import reliability_diagram
from nlpviz.figures.assessment.slices import slice_dots
from nlpviz.figures.assessment.words import grouped, word_bars
from nlpviz.results.assessment import Assessment
from nlpviz.results.errors import ConfidentError, ErrorWords
from nlpviz.results.own_texts import ClassCount, TextsReport

MARKUP = '<b>x</b><a href="x">'
CLASSES = ("ham", MARKUP, "eggs")


def assessed(sure: float = 1.0) -> Assessment:
    """Return an assessment of 300 texts, its probabilities as ``sure`` as is right or more so."""
    rng = np.random.default_rng(0)
    logits = rng.normal(size=(300, 3), scale=2)
    true = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    labels = np.array([rng.choice(3, p=row) for row in true])
    said = np.exp(sure * logits)
    return assess(("toy-cnn", 2, "mine.csv"), CLASSES, said / said.sum(axis=1, keepdims=True), labels)


def words(planted: float) -> ErrorWords:
    """Return the words of 200 texts, of which those with markup are misclassified with a probability of ``planted``."""
    rng, collector, right = np.random.default_rng(0), ErrorCollector(), []
    for row in range(200):
        some = [str(rng.choice(list("abcd"))), *([MARKUP] if row % 5 == 0 else [])]
        right.append(bool(rng.random() > (planted if row % 5 == 0 else 0.1)))
        collector.add(some, ConfidentError(row, "", 0, int(not right[-1]), 0.9))
    return collector.words(np.array(right))


def test_reliability_is_drawn_bin_by_bin() -> None:
    shown = assessed()
    view = reliability_diagram(shown)
    _, dots, bars = view.figure.data
    bins = shown.calibration.bins
    assert list(dots.x) == [one.confidence for one in bins]
    assert list(dots.y) == [one.accuracy for one in bins]
    np.testing.assert_allclose(np.add(dots.y, dots.error_y.array), [one.interval.high for one in bins])
    np.testing.assert_allclose(np.subtract(dots.y, dots.error_y.arrayminus), [one.interval.low for one in bins])
    assert sum(bars.y) == 300
    assert view.table["accuracy"] == list(dots.y)
    assert view.name == "toy-cnn-mine-csv-reliability"
    assert "toy-cnn, epoch 2, on 300 texts of mine.csv" in view.caption
    assert shown.calibration_said in view.alt


@pytest.mark.parametrize(
    ("sure", "verdict"), [(1.0, "no larger than expected by chance"), (5.0, "larger than expected by chance")]
)
def test_the_error_is_said_to_be_one_only_where_chance_does_not_explain_it(sure: float, verdict: str) -> None:
    assert f", {verdict} (" in assessed(sure).calibration_said


def test_classes_are_ranked_and_escaped() -> None:
    shown = assessed()
    view = class_bars(shown)
    bars, precision, recall = view.figure.data
    assert list(bars.x) == sorted((one.f1 for one in shown.classes), reverse=True)
    assert view.table["precision"] == list(precision.x)
    assert view.table["recall"] == list(recall.x)
    assert "<b>" not in str(view.figure)
    assert view.figure.layout.shapes[0].x0 == shown.macro_f1


def test_slices_that_a_test_tells_apart_are_filled() -> None:
    right = np.arange(300) % 10 > 0
    right[:60] = False
    values = [MARKUP] * 60 + ["b", "c"] * 120
    found = slices_by_column("author", values, right)
    view = slice_dots(found, assessed())
    (dots,) = view.figure.data
    assert list(dots.x) == [one.accuracy for one in found.slices]
    filled = {name: symbol == "circle" for name, symbol in zip(view.table["slice"], dots.marker.symbol, strict=True)}
    assert filled[MARKUP]
    assert view.alt.count("significantly different") == sum(filled.values())
    assert "<b>" not in str(view.figure)
    assert "by author" in view.caption


def test_words_that_go_with_errors() -> None:
    found = words(0.8)
    view = word_bars(found, assessed())
    assert next(heading for heading, _ in grouped(found)) == "more errors than in other texts"
    bars, labels = view.figure.data
    assert bars.x[0] == pytest.approx(100 * found.words[0].share)
    assert "<b>x" not in str(labels.text)
    assert view.table["word"][0] == MARKUP
    assert "more errors than in other texts: <b>x" in view.alt


def test_no_word_is_said_to_go_with_errors_where_chance_explains_it() -> None:
    found = words(0.1)
    ((heading, few),) = grouped(found)
    assert heading.startswith("no word is significant")
    assert len(few) == 5
    assert "no word is significant" in word_bars(found, assessed()).alt
    nothing = replace(found, words=())
    assert "No word occurs in at least 5 texts" in word_bars(nothing, assessed()).alt


@pytest.mark.parametrize("lengths", [[7], [1, 1, 2], [0, 3], list(range(1, 40)), [5, 80_000], [2, 3, 4, 600, 601]])
def test_every_text_is_in_one_bar_of_its_length(lengths: list[int]) -> None:
    report = TextsReport(
        files=("mine.csv",), format="CSV", guesses=(), rows=len(lengths), split="", scripts=(), notes=(), bad=(),
        bad_count=0, classes=(ClassCount("ham", len(lengths), 0, 0),), lengths=np.array(lengths), empty=0, repeated=0,
        in_both=0, nearly_in_both=0, rare=(),
    )  # fmt: skip
    view = text_lengths(report)
    counts = dict(zip(view.table["words"], view.table["texts"], strict=True))
    assert sum(counts.values()) == len(lengths)
    assert list(view.figure.data[0].y) == list(counts.values())
    for name, count in counts.items():
        first, _, last = str(name).replace(",", "").partition("–")
        assert count == sum(int(first) <= length <= int(last or first) for length in lengths)
    assert f"maximum {max(lengths):,}." in view.alt
