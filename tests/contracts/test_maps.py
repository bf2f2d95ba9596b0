"""Maps of a run: which may be asked for, what they hold, how a text gets onto them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from nlpviz.analysis.projections import (
    NEIGHBOURS,
    Fitting,
    MapSettings,
    Projector,
    check,
    compute,
    project_run,
    projectors,
    write_maps,
)
from nlpviz.analysis.projections.quality import label_purity, silhouette, trustworthiness
from nlpviz.analysis.projections.texts import embed_text, fitted_map, neighbours_of, place_text
from nlpviz.networks.architectures import Architecture, architectures
from nlpviz.results.projection import displacement
from nlpviz.runs import Run, RunError
from nlpviz.runs.documents import MAPS, documents_of, embeddings_of, probabilities_of, projections_of
from nlpviz.runs.files import write_table
from tests import toy

PCA, TSNE = MapSettings("pca", 2, (0, 3)), MapSettings("tsne", 2, (0, 3))


@pytest.fixture(scope="module")
def run(toy_runs: Callable[[Architecture], Run]) -> Run:
    """The toy CNN: epochs 0 to 3, sixty documents."""
    return toy_runs(architectures()["cnn"])


# -------------------------------------------------------------------------------------------------- what may be asked


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"projector": "umap"}, f"Unknown projector 'umap'; choose from {', '.join(projectors())}."),
        ({"dimensions": 4}, "A map has 2 or 3 dimensions, not 4."),
        ({"epochs": ()}, "The run 'toy-cnn' has no checkpoints with document embeddings to map."),
        ({"epochs": (0, 9)}, "The run 'toy-cnn' has no stored epoch 9; stored epochs: 0, 1, 2, 3."),
        ({"seed": -1}, "The seed must be between 0 and 4,294,967,295, not -1."),
        ({"seed": 2**32}, "The seed must be between 0 and 4,294,967,295, not 4294967296."),
        ({"sample": 61}, "A sample of 61 is too large for a map: the run stores only 60 documents."),
        ({"sample": 3}, "A sample of 3 is too small for a map: the minimum is 40."),
        ({"sample": -5}, "A sample of -5 is too small for a map: the minimum is 40."),
        ({"perplexity": 20.0}, "The perplexity 20 is too large for 60 documents: the maximum is 19."),
        ({"perplexity": 14.0, "sample": 41}, "The perplexity 14 is too large for 41 documents: the maximum is 13."),
        ({"perplexity": 0.5}, "The perplexity must be a finite number of at least 1, not 0.5."),
        ({"perplexity": float("nan")}, "The perplexity must be a finite number of at least 1, not nan."),
        ({"perplexity": float("inf")}, "The perplexity must be a finite number of at least 1, not inf."),
        ({"projector": "pca", "perplexity": 5.0}, "PCA has no perplexity; omit it."),
    ],
)
def test_settings_that_no_map_can_have(run: Run, changes: dict[str, object], sentence: str) -> None:
    for refused in (check, compute):
        with pytest.raises(RunError) as told:
            refused(run, replace(TSNE, **changes))  # type: ignore[arg-type]
        assert str(told.value) == sentence


def test_perplexity_is_filled_in(run: Run) -> None:
    assert check(run, TSNE).perplexity == pytest.approx(59 / 3), "thirty neighbours are too many of sixty documents"
    assert check(run, replace(TSNE, perplexity=7.0)).perplexity == 7.0
    assert check(run, PCA).perplexity is None


# ------------------------------------------------------------------------------------------------- what a map holds


def test_numbers_are_those_of_the_space_and_of_the_map(run: Run) -> None:
    labels = documents_of(run).labels
    for one in compute(run, TSNE):
        points = embeddings_of(run, one.epoch)
        assert one.purity == label_purity(points, labels, NEIGHBOURS)
        assert one.silhouette == silhouette(points, labels)
        assert one.trustworthiness == trustworthiness(points, one.coordinates, NEIGHBOURS)
        assert (one.members, one.alone, one.seed) == (None, False, 0)


def test_maps_pass_from_mixed_to_separated(run: Run, projector: Projector) -> None:
    before, after = compute(run, MapSettings(projector.name, 2, (0, 3)))
    labels = documents_of(run).labels
    assert label_purity(before.coordinates, labels, NEIGHBOURS) < 0.75
    assert label_purity(after.coordinates, labels, NEIGHBOURS) > 0.9
    assert after.silhouette > before.silhouette + 0.2


@pytest.mark.parametrize("dimensions", [2, 3])
def test_alone_is_the_projector_on_one_epoch(run: Run, projector: Projector, dimensions: int) -> None:
    for one in compute(run, MapSettings(projector.name, dimensions, (1, 3), alone=True)):
        (expected,) = projector.project([embeddings_of(run, one.epoch)], Fitting(0, dimensions))
        np.testing.assert_array_equal(one.coordinates, expected)
        assert one.alone
        assert one.reference == one.epoch
        assert one.comparable.startswith("Each epoch was fitted independently")


def test_epochs_need_not_follow_each_other_and_one_will_do(run: Run, projector: Projector) -> None:
    assert [one.epoch for one in compute(run, MapSettings(projector.name, 2, (0, 2)))] == [0, 2]
    (one,) = compute(run, MapSettings(projector.name, 2, (1,)))
    assert f"{one.reference}" in one.comparable or projector.name != "pca"


def test_sample_is_drawn_by_the_seed(run: Run) -> None:
    first, again, other = (compute(run, replace(PCA, sample=40, seed=seed))[0].members for seed in (1, 1, 2))
    assert first is not None
    assert again is not None
    assert other is not None
    assert first.tolist() == again.tolist() == sorted(set(first.tolist()))
    assert len(first) == 40
    assert first.tolist() != other.tolist()
    assert compute(run, replace(PCA, sample=60))[0].members is None


def test_map_of_a_sample_is_of_its_documents(run: Run) -> None:
    for one in compute(run, replace(PCA, sample=45)):
        assert one.members is not None
        (_, expected) = projectors()["pca"].project(
            [embeddings_of(run, 3)[one.members], embeddings_of(run, one.epoch)[one.members]], Fitting(0, 2)
        )
        np.testing.assert_array_equal(one.coordinates, expected)
        assert one.purity == label_purity(
            embeddings_of(run, one.epoch)[one.members], documents_of(run).labels[one.members], NEIGHBOURS
        )


def test_seed_and_perplexity_change_the_map(run: Run) -> None:
    first, same, seed, perplexity = (
        compute(run, replace(TSNE, epochs=(3,), **changes))[0].coordinates  # type: ignore[arg-type]
        for changes in ({}, {}, {"seed": 1}, {"perplexity": 5.0})
    )
    np.testing.assert_array_equal(first, same)
    assert np.abs(first - seed).max() > 0
    assert np.abs(first - perplexity).max() > np.abs(first - seed).max()


def test_progress_ends_at_one_and_raising_stops_it(run: Run) -> None:
    shares: list[float] = []
    compute(run, replace(TSNE, alone=True), lambda share, _: shares.append(share))
    assert shares == sorted(shares)
    assert shares[-1] > 0.95

    class StopError(Exception):
        pass

    assert np.diff([0, *shares]).max() < 0.2, "told often enough to be stopped soon; benchmarks/at_once.py times it"
    stopped: list[float] = []

    def stop(share: float, _doing: str) -> None:
        stopped.append(share)
        if share > 0.2:
            raise StopError

    with pytest.raises(StopError):
        compute(run, TSNE, stop)
    assert [share > 0.2 for share in stopped] == [False] * (len(stopped) - 1) + [True], "it went on"


def test_all_maps_are_written_and_read_back(run: Run, tmp_path: Path) -> None:
    shutil.copytree(run.folder, tmp_path / run.name)
    copy = Run.open(tmp_path / run.name)
    maps = list(project_run(copy, seed=4))
    stored = {
        (one.projector, one.dimensions, one.epoch, one.alone): one for one in projections_of(write_maps(copy, maps))
    }
    assert len(stored) == len(maps) == len(projectors()) * 2 * len(copy.epochs) * 2
    ways = {f"{name}.{dimensions}d.{epoch:02d}" for name, dimensions, epoch, _ in stored}
    assert set(pq.read_schema(copy.folder / MAPS).names) == ways | {f"{way}.alone" for way in ways}
    for one in maps:
        read = stored[one.projector, one.dimensions, one.epoch, one.alone]
        np.testing.assert_allclose(read.coordinates, one.coordinates, rtol=1e-3, atol=1e-3 * one.spread)
        assert (read.silhouette, read.perplexity, read.reference) == (one.silhouette, one.perplexity, one.reference)
        assert (read.seed, read.comparable) == (4, one.comparable)


def test_what_is_being_computed_is_said(run: Run) -> None:
    said: list[str] = []
    for _ in islice(project_run(run, say=said.append), len(run.epochs) + 1):
        pass
    assert said == [
        "PCA, 2-D, comparable: 60 documents, 4 epochs",
        "PCA, 2-D, independent epochs: 60 documents, 4 epochs",
    ]


def test_maps_of_another_version_are_refused_in_a_sentence(run: Run, tmp_path: Path) -> None:
    shutil.copytree(run.folder, tmp_path / run.name)
    copy = write_maps(Run.open(tmp_path / run.name), compute(run, PCA))
    table = pq.read_table(copy.folder / MAPS)
    about = json.loads(table.schema.metadata[b"nlpviz"])
    strange = {column: {**facts, "curvature": 1} for column, facts in about.items()}
    write_table(copy.folder / MAPS, {name: table[name] for name in table.column_names}, json.dumps(strange))
    with pytest.raises(
        RunError, match=r"was written by another version\. Run `python -m nlpviz project toy-cnn` to re"
    ):
        _ = projections_of(copy.save())


def test_alike_epochs_stay_nearer_than_maps_of_other_seeds(run: Run) -> None:
    """The last two epochs of the toy are alike: what moves between them is less than the map's own size."""
    before, after = compute(run, replace(TSNE, epochs=(2, 3)))
    assert displacement(before, after) < 0.5


# ------------------------------------------------------------------------------------------------------ a typed text


def test_text_is_embedded_as_its_document_was(run: Run) -> None:
    trained = run.load(3)
    for row in range(0, 60, 7):
        point = embed_text(trained, toy.find(documents_of(run).ids[row]))
        np.testing.assert_allclose(point.embedding, embeddings_of(run, 3)[row], atol=0.05)
        assert not point.embedding.flags.writeable
        assert not point.probabilities.flags.writeable
        assert point.probabilities[-1] == pytest.approx(probabilities_of(run, 3)[row, 1], abs=1e-4)
        assert neighbours_of(run, 3, point)[0] == row


@pytest.mark.parametrize("settings", [PCA, TSNE, replace(PCA, sample=50), replace(TSNE, alone=True)])
def test_text_is_placed_where_its_document_lies(run: Run, settings: MapSettings) -> None:
    for one in compute(run, settings):
        trained, missed = run.load(one.epoch), []
        known = np.arange(60) if one.members is None else one.members
        for row in range(0, len(known), 7):
            placed = place_text(run, one, embed_text(trained, toy.find(documents_of(run).ids[known[row]])))
            missed.append(np.linalg.norm(placed - one.coordinates[row]))
        assert np.median(missed) < 0.15 * one.spread


def test_pca_places_on_the_very_axes(run: Run) -> None:
    for one in compute(run, replace(PCA, dimensions=3)):
        known = fitted_map(run, one)
        transform = projectors()["pca"].transform
        assert transform is not None
        np.testing.assert_allclose(transform(known, known.embeddings), one.coordinates, atol=1e-5)


@pytest.mark.parametrize("text", ["", "   ", "\n"])
def test_text_without_a_word_is_refused(run: Run, text: str) -> None:
    with pytest.raises(RunError, match="There are no words to place"):
        embed_text(run.load(3), text)


def test_projector_without_a_way_to_place_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    (one,) = compute(run, replace(PCA, epochs=(3,)))
    unable = {"pca": replace(projectors()["pca"], transform=None)}
    monkeypatch.setattr("nlpviz.analysis.projections.texts.projectors", lambda: unable)
    with pytest.raises(RunError, match="PCA cannot add new texts"):
        place_text(run, one, embed_text(run.load(3), "a splendid film"))
