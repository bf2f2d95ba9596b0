"""What a page says of ratings: numbers of the predictions, and no more than a paired test does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from nlpviz.figures.regions.top_ngrams import NgramQuery
from nlpviz.results.predictions import MaskedPredictions, Predicted, Predictions
from nlpviz.results.survey import RankedNgram
from nlpviz.runs import open_run
from nlpviz.runs.documents import documents_of
from nlpviz.runs.predictions import masked_predictions, write_predictions
from nlpviz.runs.without_ratings import without_ratings
from nlpviz.ui.documents.ratings import turned_table
from nlpviz.ui.regions.ratings import ratings_said, ratings_table


def found(lost: int, gained: int, count: int = 1_000) -> MaskedPredictions:
    """Return predictions of which ``lost`` are right with ratings only, ``gained`` without; a fifth never are."""
    labels = np.arange(count) % 2
    before, after = labels.copy(), labels.copy()
    after[:lost] = 1 - labels[:lost]
    before[lost : lost + gained] = 1 - labels[lost : lost + gained]
    before[-count // 5 :] = after[-count // 5 :] = 1 - labels[-count // 5 :]
    sure = np.full(count, 0.8, dtype=np.float32)
    ids = tuple(map(str, range(count)))
    plain = Predictions("toy", 1, ids, labels.astype(np.int16), Predicted(before.astype(np.int16), sure))
    rated = (np.arange(count) < lost + gained).astype(np.int16)
    return MaskedPredictions(plain, Predicted(after.astype(np.int16), sure), rated)


def said(result: MaskedPredictions) -> str:
    sentence, pieces = ratings_said(result, ("bad", "good"))
    return sentence.format(title="the net", **pieces)


def test_a_difference_is_said_with_its_interval() -> None:
    text = said(found(60, 10))
    assert text.startswith("the net sees an explicit rating in 70 of 1,000 test reviews. ")
    assert "is **74.00%** rather than 79.00% (−5.00 percentage points)" in text
    table = ratings_table(ratings_said(found(60, 10), ("bad", "good"))[1], 2)
    assert table["Value"] == ["35", "35", "70", "−5.00", "−6.62 to −3.36"]


@pytest.mark.parametrize(("lost", "gained"), [(0, 0), (5, 5), (12, 7), (7, 12)])
def test_a_difference_that_no_test_can_tell_is_not_said_to_be_one(lost: int, gained: int) -> None:
    text = said(found(lost, gained))
    assert "makes no significant difference" in text
    assert "points" not in text
    assert "**" not in text


@pytest.mark.parametrize(("lost", "gained"), [(30, 5), (5, 30)])
def test_the_sign_is_that_of_the_change(lost: int, gained: int) -> None:
    assert f"{'−' if lost > gained else '+'}2.50 percentage points" in said(found(lost, gained))


def row(ngram: str, rated: float) -> RankedNgram:
    return RankedNgram(len(ngram.split()), ngram, 1.0, 50, 0.9, 3, "test/1", rated)


ROWS = [row("7/10", 1.0), row("a 7", 0.7), row("4", 0.5), row("good", 0.0)]


def test_the_board_leaves_out_what_stands_in_ratings_more_often_than_not() -> None:
    query = NgramQuery(None, 30, "mean", ratings=False)
    ranking = query.rank("toy", 1, ROWS)
    assert [one.ngram for one in ranking.rows] == ["4", "good"]
    assert ranking.left_out == 2
    assert replace(query, ratings=True).rank("toy", 1, ROWS)[2:5] == (tuple(ROWS), "mean", 0)
    assert replace(query, words="7").rank("toy", 1, ROWS)[2:5] == ((), "mean", 1), "only what is asked for is counted"


@pytest.mark.usefixtures("trained")
def test_reviews_that_turn_are_those_of_the_maps() -> None:
    run = open_run("toy-cnn")
    stored = masked_predictions(run)
    kept = documents_of(run).ids
    classes = stored.masked.classes.copy()
    place = stored.plain.ids.index(kept[3])
    classes[place] = 1 - classes[place]
    outside = next(position for position, name in enumerate(stored.plain.ids) if name not in kept)
    classes[outside] = 1 - classes[outside]
    masked = Predicted(classes, stored.masked.probabilities)
    by_epoch = {run.best_epoch: stored.plain.predicted}
    write_predictions(run.folder, stored.plain.ids, stored.plain.labels, by_epoch, masked, stored.rated)
    result = without_ratings(run.save())
    assert result.ids == kept
    assert np.flatnonzero(result.turned).tolist() == [3]
    table = turned_table(run, result)
    assert table["Review"] == [kept[3]]
    assert table["Predicted"] != table["Without ratings"]
    before, after = table["P(positive)"][0], table["P(positive) without ratings"][0]
    assert (before > 0.5) != (after > 0.5), "both are of the same class"
