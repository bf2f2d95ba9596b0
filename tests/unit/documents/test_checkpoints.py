"""Two checkpoints' neighbours in common: over the documents that both runs keep."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from nlpviz.analysis.projections import checkpoints
from nlpviz.analysis.projections.checkpoints import nearest_documents, neighbours_in_common
from nlpviz.analysis.projections.quality import shared_neighbours
from nlpviz.analysis.projections.settings import NEIGHBOURS
from nlpviz.runs import Checkpoint, open_run
from nlpviz.runs.documents import documents_of, embeddings_of


class Some(NamedTuple):
    """Documents that only have ids."""

    ids: tuple[str, ...]


def test_two_seeds_of_the_committed_runs_agree_as_their_embeddings_do() -> None:
    seeds = [Checkpoint(run, run.best_epoch) for run in map(open_run, ("imdb-cnn", "imdb-cnn-seed-1"))]
    expected = shared_neighbours(*(embeddings_of(run, epoch) for run, epoch in seeds), NEIGHBOURS)
    asked: list[Checkpoint] = []

    def remembered(checkpoint: Checkpoint) -> NDArray[np.intp]:
        asked.append(checkpoint)
        return nearest_documents(checkpoint)

    assert neighbours_in_common(*seeds) == pytest.approx(expected)
    assert neighbours_in_common(*seeds, remembered) == pytest.approx(expected)
    assert asked == seeds
    assert 0.1 < expected < 0.9


def test_only_documents_that_both_keep_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second keeps the first 100 in reverse: the same vectors, so every neighbour among them is the same."""
    run = open_run("imdb-cnn")
    epoch, ids = run.best_epoch, documents_of(run).ids
    kept = {1: (ids, embeddings_of(run, epoch)), 2: (ids[99::-1], embeddings_of(run, epoch)[99::-1])}
    order = iter([1, 2])
    monkeypatch.setattr(checkpoints, "documents_of", lambda _run: Some(kept[next(order)][0]))
    vectors = iter([kept[1][1], kept[2][1]])
    monkeypatch.setattr(checkpoints, "embeddings_of", lambda _run, _epoch: next(vectors))
    assert neighbours_in_common(Checkpoint(run, epoch), Checkpoint(run, epoch)) == 1.0
