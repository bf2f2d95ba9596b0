"""The unit of sentiment: thresholds against all there are, a planted unit, and the file that keeps it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from nlpviz.analysis.inspection import sentiment_unit
from nlpviz.analysis.inspection.sentiment_unit import best_thresholds, find, read_off
from nlpviz.language.logit_difference import ask
from nlpviz.results.sentiment_unit import SentimentUnit
from nlpviz.results.units import Unit
from nlpviz.runs import Run, RunError
from nlpviz.runs.sentiment_unit import SENTIMENT_UNIT, write_sentiment_unit
from nlpviz.runs.sentiment_unit import sentiment_unit as kept
from nlpviz.stats.significance import wilson
from nlpviz.text.tokenizers import REVIEWS
from tests.language import write_language_run

FOUND = SentimentUnit("toy-reviews", 1, Unit("cell state", 0, 3), "mean", 0.25, "negative", "positive",
                      96, 40, 20, 0.75, 200, 150, 400)  # fmt: skip


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return write_language_run(tmp_path, REVIEWS, layers=1)


def test_thresholds_are_the_best_there_are() -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(size=(30, 12)).round(1).astype(np.float32)  # some values are equal
    labels = rng.integers(0, 2, 30)
    found = best_thresholds(values, labels)
    for column, threshold, above, accuracy in zip(values.T, *found, strict=True):
        said = np.where(column > threshold, above, 1 - above)
        assert (said == labels).mean() == pytest.approx(accuracy)
        every = [((column > one) == labels).mean() for one in np.unique(column)[:-1]]
        assert accuracy == pytest.approx(max(*every, *(1 - one for one in every)))


def test_a_unit_that_tells_the_labels_is_found(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    trained = ask(run).load()
    labels = np.arange(60) % 2

    def planted(_: object, texts: list[str], __: object = None) -> np.ndarray:
        values = np.random.default_rng(len(texts)).normal(size=(len(texts), 48)).astype(np.float32)
        values[:, 24 + 17] += 6.0 * (1 - labels[: len(texts)])  # in the mean, of a cell state, and large where negative
        return values

    monkeypatch.setattr(sentiment_unit, "read_off", planted)
    split = lambda count: (["x"] * count, labels[:count])  # noqa: E731
    found = find(trained, split(60), split(30), split(40), ("negative", "positive"), lambda _: None)
    assert (found.unit, found.reading, found.above) == (Unit("cell state", 0, 5), "mean", "negative")
    assert (found.searched, found.training, found.validation, found.test) == (48, 60, 30, 40)
    assert found.accuracy > 0.95
    assert found.interval == wilson(found.accuracy, 40)


def test_units_are_read_off_at_the_end_and_on_average(run: Run) -> None:
    trained = ask(run).load()
    texts = ["the film was good .", "", "bad", "she was in town " * 5]
    found = read_off(trained, texts)
    alone = read_off(trained, texts[2:3])
    assert found.shape == (4, 48)
    assert not found[1].any()
    np.testing.assert_allclose(found[2], alone[0], atol=1e-6)
    np.testing.assert_allclose(alone[0, :24], alone[0, 24:], atol=1e-6)  # of one word both are the same


def test_what_is_kept_is_read_again(run: Run) -> None:
    assert kept(run) is None
    written = write_sentiment_unit(run, replace(FOUND, run=run.name))
    assert kept(Run.open(run.folder)) == replace(FOUND, run=run.name)
    (written.folder / SENTIMENT_UNIT).write_text("{}", encoding="utf-8")
    with pytest.raises(RunError, match="is damaged or incomplete"):
        kept(written.save())
