"""The top n-grams and the summaries against the regions of each text by itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from nlpviz.analysis.inspection import top_ngrams as rankings
from nlpviz.analysis.inspection.filters import summaries
from nlpviz.analysis.inspection.regions import predictive_regions
from nlpviz.analysis.inspection.split import Split, read_split
from nlpviz.analysis.inspection.survey import document_regions, survey_run
from nlpviz.results.ngram_counts import NgramCounts
from nlpviz.results.regions import PredictiveRegions
from nlpviz.results.survey import DUPLICATE, UNCOUNTED
from nlpviz.runs import Run, RunError, TrainedModel, ngram_counts, open_run
from nlpviz.runs.documents import documents_of
from nlpviz.runs.surveys import REGIONS, filters, top_ngrams
from nlpviz.runs.surveys import document_regions as of_documents
from tests import toy

TEXTS = toy.read("test")


@pytest.fixture
def run(trained: Path) -> Run:  # noqa: ARG001 - the toy runs, in the place of trained/
    """The toy network's run."""
    return open_run("toy-cnn")


@pytest.fixture
def model(run: Run) -> TrainedModel:
    """The toy network at its best epoch."""
    return run.load()


@pytest.fixture
def split(run: Run) -> Split:
    """The toy test texts."""
    ids = [run.vocabulary.ids(text.split())[: run.max_length] for text in TEXTS.texts]
    return Split(TEXTS.ids, TEXTS.labels, ids)


def regions_of(model: TrainedModel, texts: Sequence[str]) -> list[PredictiveRegions]:
    """Return the regions of each text, one text at a time."""
    return [predictive_regions(model, text, 1) for text in texts]


def test_pooling_takes_what_it_takes_of_each_text_alone(model: TrainedModel, split: Split) -> None:
    taken = read_split(model, split.ids)
    for position, result in enumerate(regions_of(model, TEXTS.texts)):
        for branch, alone in zip(taken, result.branches, strict=True):
            np.testing.assert_allclose(branch.activations[position], alone.activations, atol=1e-5)
            np.testing.assert_allclose(branch.activations[position] * branch.weights[1], alone.amounts, atol=1e-5)


def test_board_is_what_the_texts_say_one_by_one(
    model: TrainedModel, split: Split, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rankings, "KEPT", 10_000)
    monkeypatch.setattr(rankings, "SUPPORTS", (1,))
    amounts: dict[tuple[int, str], dict[str, float]] = defaultdict(dict)
    for name, result in zip(TEXTS.ids, regions_of(model, TEXTS.texts), strict=True):
        for region in result.regions:
            if region.won and len(region.words) == region.size:
                of_text = amounts[region.size, region.ngram]
                of_text[name] = of_text.get(name, 0.0) + region.contribution
    labels = dict(zip(TEXTS.ids, TEXTS.labels, strict=True))
    rows = rankings.top_ngrams(read_split(model, split.ids), split, model.vocabulary, None)[1]
    assert {(row.size, row.ngram) for row in rows} == set(amounts)
    for row in rows:
        said = amounts[row.size, row.ngram]
        assert row.support == len(said)
        assert row.contribution == pytest.approx(np.mean(list(said.values())), abs=1e-5)
        right = [(labels[name] == 1) == (row.contribution > 0) for name in said]
        assert row.precision == pytest.approx(np.mean(right))
        strongest = max(said.values()) if row.contribution > 0 else min(said.values())
        assert said[row.example] == pytest.approx(strongest, abs=1e-5)
        assert row.seen == UNCOUNTED
        assert row.total == pytest.approx(row.contribution * row.support)


def test_board_keeps_the_strongest_each_way_and_finds_the_planted_words(
    model: TrainedModel, split: Split, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rankings, "KEPT", 3)
    monkeypatch.setattr(rankings, "SUPPORTS", (2, 20))
    counts = NgramCounts.count([text.split() for text in toy.read("train").texts], 3)
    rows = rankings.top_ngrams(read_split(model, split.ids), split, model.vocabulary, counts)[1]
    assert all(first.contribution >= second.contribution for first, second in pairwise(rows))
    words = [row for row in rows if row.size == 1 and row.support >= 20]
    assert words[0].ngram == "splendid"
    assert words[-1].ngram == "dreadful"
    assert words[0].precision == words[-1].precision == 1.0
    assert words[0].seen == sum(text.split().count("splendid") for text in toy.read("train").texts)
    unseen = [row for row in rows if row.size == 3 and row.seen == 0]
    assert len([row for row in unseen if row.contribution > 0]) >= 3
    assert all(counts.of(row.ngram.split()) == 0 for row in unseen)


def test_unknown_words_were_never_counted(model: TrainedModel) -> None:
    ids = [model.vocabulary.ids(["zzz", "splendid", "zzz", "splendid"])] * 4
    counts = NgramCounts.count([["splendid"]], 3)
    rows = rankings.top_ngrams(
        read_split(model, ids), Split("abcd", np.array([0, 1, 1, 1]), ids), model.vocabulary, counts
    )[1]
    assert {row.seen for row in rows if "<unk>" in row.ngram} == {UNCOUNTED}
    assert {row.seen for row in rows if row.ngram == "splendid"} <= {1}


def test_where_no_filter_answers_there_are_no_ngrams(model: TrainedModel, split: Split) -> None:
    silent = [replace(one, activations=np.zeros_like(one.activations)) for one in read_split(model, split.ids[:2])]
    assert rankings.top_ngrams(silent, split, model.vocabulary, None) == {1: ()}


def test_dossiers_by_hand(model: TrainedModel, split: Split) -> None:
    taken = read_split(model, split.ids)
    result = summaries(model, taken)
    activations = np.concatenate([branch.activations for branch in taken], axis=1)
    assert [one.position for one in result] == list(range(activations.shape[1]))
    assert [one.id for one in result[:2]] == [f"{taken[0].size}-0", f"{taken[0].size}-1"]
    with np.errstate(invalid="ignore", divide="ignore"):
        correlations = np.nan_to_num(np.corrcoef(activations.T))
    np.fill_diagonal(correlations, 0)
    weights = model.module.output.weight[0].tolist()
    for one in result:
        column = activations[:, one.position]
        assert one.weight == pytest.approx(weights[one.position])
        assert one.alive == pytest.approx((column > 0).mean())
        assert one.mean == pytest.approx(column.mean(), abs=1e-6)
        assert one.correlation == pytest.approx(max(correlations[one.position].max(), 0), abs=1e-4)
        assert correlations[one.position, one.twin] == pytest.approx(correlations[one.position].max(), abs=1e-4)
        assert one.dead == (not column.any())
        assert one.duplicate == (one.correlation >= DUPLICATE)
        assert sum(said.support for said in one.ngrams) <= (column > 0).sum()
        if one.ngrams:
            assert one.ngrams[0].activation == pytest.approx(column.max())
        assert all(first.activation >= second.activation for first, second in pairwise(one.ngrams))


def test_a_filter_that_answers_nothing_is_dead(model: TrainedModel, split: Split) -> None:
    branch = model.module.convolutions[1]
    branch.weight[4], branch.bias[4] = 0.0, -1.0
    branch.weight[6], branch.bias[6] = branch.weight[5], branch.bias[5]
    result = {one.id: one for one in summaries(model, read_split(model, split.ids))}
    size = branch.weight.shape[2]
    dead, twin = result[f"{size}-4"], result[f"{size}-6"]
    assert dead.dead
    assert dead.ngrams == ()
    assert not dead.duplicate
    assert twin.duplicate
    assert result[f"{size}-5"].twin == twin.position


def test_strongest_regions_of_each_document(model: TrainedModel, split: Split) -> None:
    result = document_regions(read_split(model, split.ids), model.vocabulary, np.ones(len(split.ids), dtype=int))
    for said, alone in zip(result, regions_of(model, TEXTS.texts), strict=True):
        sums: dict[tuple[int, str], float] = defaultdict(float)
        for region in alone.regions:
            sums[region.size, region.ngram] += region.contribution
        best = sorted((amount for amount in sums.values() if amount > 0), reverse=True)[:3]
        worst = sorted(amount for amount in sums.values() if amount < 0)[:3]
        assert [amount for _, amount in said.pro] == pytest.approx(best, abs=1e-5)
        assert [amount for _, amount in said.contra] == pytest.approx(worst, abs=1e-5)


def test_survey_is_written_and_read_back(run: Run, split: Split) -> None:
    again = survey_run(run, split, ngram_counts("toy"))
    assert again.files == run.files, "the same as when the run was made"
    for epoch in run.epochs:
        trained = run.load(epoch)
        taken = read_split(trained, split.ids)
        expected = rankings.top_ngrams(taken, split, run.vocabulary, ngram_counts("toy"))[1]
        assert [row._replace(contribution=0, precision=0) for row in top_ngrams(run, epoch)] == [
            row._replace(contribution=0, precision=0) for row in expected
        ]
        assert [row.contribution for row in top_ngrams(run, epoch)] == pytest.approx(
            [row.contribution for row in expected]
        )
        assert [one.id for one in filters(run, epoch)] == [one.id for one in summaries(trained, taken)]
        assert filters(run, epoch)[3].ngrams[0].ngram == summaries(trained, taken)[3].ngrams[0].ngram
    assert set(of_documents(run)) == set(documents_of(run).ids)
    strongest = of_documents(run)[documents_of(run).ids[0]]
    planted = toy.PLANTED[documents_of(run).labels[0]]
    assert any(planted in ngram for ngram, _ in (strongest.pro if documents_of(run).labels[0] else strongest.contra))


def test_what_was_not_surveyed_says_how(run: Run) -> None:
    with pytest.raises(RunError, match="has no stored epoch 9"):
        top_ngrams(run, 9)
    (run.folder / REGIONS).unlink()
    with pytest.raises(RunError, match="python -m nlpviz survey toy-cnn"):
        top_ngrams(run.save(), 0)
