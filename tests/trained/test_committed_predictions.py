"""What committed classifiers predict for every test document: as their manifests say, and with ratings masked."""

from __future__ import annotations

import numpy as np
import pytest

from nlpviz.data import corpora
from nlpviz.results.survey import RankedNgram
from nlpviz.run_kinds.comparison import comparisons
from nlpviz.runs import Run, list_runs
from nlpviz.runs.documents import documents_of, probabilities_of
from nlpviz.runs.predictions import PREDICTIONS, RATINGS_MASKED, masked_predictions, predictions_of
from nlpviz.runs.surveys import REGIONS, top_ngrams
from nlpviz.text.ratings import rating_spans
from tests.promises import for_each

RUNS = [run for run in list_runs()[0].values() if run.kind in ("classifier", "baseline")]
RATED = [run for run in RUNS if run.corpus["name"] == "imdb"]


def test_every_classifier_keeps_its_predictions() -> None:
    assert RUNS
    assert all(PREDICTIONS in run.files for run in RUNS)
    for corpus in {run.corpus["name"] for run in RUNS}:
        same = {predictions_of(run).ids for run in RUNS if run.corpus["name"] == corpus}
        assert len(same) == 1, "of the same documents in the same order"


@for_each(RUNS)
def test_predictions_are_as_accurate_as_the_manifest_says(run: Run) -> None:
    stored = predictions_of(run)
    assert len(stored.ids) == len(set(stored.ids)) == run.metrics["test"]["documents"]
    assert stored.right.mean() == pytest.approx(run.metrics["test"]["accuracy"], abs=2 / len(stored.ids))
    assert (run.folder / PREDICTIONS).stat().st_size < 700_000


@for_each([run for run in RUNS if run.epochs])
def test_predictions_are_those_of_the_kept_documents(run: Run) -> None:
    stored, kept = predictions_of(run), documents_of(run)
    place = {name: position for position, name in enumerate(stored.ids)}
    positions = [place[name] for name in kept.ids]
    np.testing.assert_array_equal(stored.labels[positions], kept.labels)
    answers = probabilities_of(run, run.best_epoch)
    np.testing.assert_allclose(stored.predicted.probabilities[positions], answers.max(axis=1), atol=2e-3)


@for_each(RATED)
def test_what_ratings_are_worth_is_what_the_predictions_say(run: Run) -> None:
    found, metrics = masked_predictions(run), run.metrics[RATINGS_MASKED]
    assert metrics["accuracy"] == pytest.approx(found.right.mean())
    assert metrics["rated"] == (found.rated > 0).sum()
    assert metrics["lost"] == (found.plain.right & ~found.right).sum()
    assert metrics["gained"] == (found.right & ~found.plain.right).sum()
    assert not found.turned[found.rated == 0].any(), "only a text with a rating is read again"
    assert f"{metrics['accuracy']:.2%}" in (run.folder / "README.md").read_text(encoding="utf-8")
    change = 100 * (metrics["gained"] - metrics["lost"]) / metrics["documents"]
    signed = f"{change:+.2f}".replace("-", "−")
    assert f"changes accuracy by {signed} percentage points" in (run.folder / "README.md").read_text(encoding="utf-8")


@for_each([run for run in RUNS if run not in RATED])
def test_nothing_is_said_of_ratings_where_texts_state_none(run: Run) -> None:
    assert RATINGS_MASKED not in run.metrics
    assert masked_predictions(run) is None
    assert "rating" not in (run.folder / "README.md").read_text(encoding="utf-8")


@for_each(RATED)
def test_networks_read_the_same_ratings(run: Run) -> None:
    """An eighth to a sixth of the reviews state one; only what lies beyond a network's cut is missed."""
    rated = masked_predictions(run).rated > 0
    assert 0.125 < rated.mean() < 0.175


@for_each([run for run in RATED if REGIONS in run.files])
def test_ngrams_of_ratings_are_known_as_such(run: Run) -> None:
    rows = {row.ngram: row for row in top_ngrams(run, run.best_epoch) if row.support >= 30}
    assert all(rows[ngram].of_rating for ngram in ("7/10", "8/10", "4/10", "3/10", ". 4/10") if ngram in rows)
    assert any(row.of_rating for row in rows.values())
    assert not any(row.of_rating for row in rows.values() if plain(row))


def plain(row: RankedNgram) -> bool:
    """Return whether an n-gram has no digit, no asterisk and no word of a scale."""
    words = set(row.ngram.split())
    return not any(sign.isdigit() or sign == "*" for sign in row.ngram) and not words & {"star", "stars", "out", "of"}


def test_a_classifier_is_compared_with_every_other_one() -> None:
    shown = comparisons(RUNS)["imdb"]
    assert len(shown.runs) == len(RATED)
    assert list(shown.accuracies) == sorted(shown.accuracies, reverse=True)
    assert all(found.difference >= 0 for found in shown.pairs.values())
    for (first, second), found in shown.pairs.items():
        assert found.difference == pytest.approx(shown.accuracies[first] - shown.accuracies[second])
        assert found.significant == (not found.interval.low <= 0 <= found.interval.high) or 0.03 < found.p < 0.07


@pytest.mark.slow
def test_ratings_are_counted_in_the_texts_themselves() -> None:
    corpus = corpora()["imdb"]
    test = corpus.read("test")
    baseline = next(run for run in RATED if not run.epochs)  # it reads whole texts
    stated = [bool(rating_spans(text)) for text in test.texts]
    np.testing.assert_array_equal(masked_predictions(baseline).rated > 0, stated)
