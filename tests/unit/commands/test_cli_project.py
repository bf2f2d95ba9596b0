"""``project`` with the toy run: all maps are stored, those that were asked for are printed."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from filelock import FileLock

from nlpviz.analysis.projections import MapSettings, compute, projectors
from nlpviz.runs import Run, open_run
from nlpviz.runs.documents import MAPS, documents_of, projections_of
from tests.unit.conftest import Printed

pytestmark = pytest.mark.usefixtures("trained")


@pytest.mark.ci
def test_all_maps_are_written_into_the_run(printed: Printed) -> None:
    whole = open_run("toy-cnn")
    run = replace(whole, epochs=(1, 3), best_epoch=3).save()
    (run.folder / MAPS).unlink()
    facts = printed.json("project", "toy-cnn", "--seed", "3")
    assert (facts["run"], facts["seed"]) == ("toy-cnn", 3)
    listed = {(fact["projector"], fact["dimensions"], fact["epoch"], fact["alone"]) for fact in facts["maps"]}
    assert listed == {
        (name, size, epoch, alone)
        for name in projectors()
        for size in (2, 3)
        for epoch in (1, 3)
        for alone in (False, True)
    }
    assert all(0.5 < fact["trustworthiness"] <= 1 for fact in facts["maps"])
    assert all(-1 <= fact["silhouette"] <= 1 for fact in facts["maps"])
    charts = projections_of(Run.open(run.folder))
    assert {(chart.projector, chart.dimensions, chart.epoch, chart.alone) for chart in charts} == listed
    assert {chart.seed for chart in charts} == {3}


def test_maps_that_were_asked_for_are_printed_and_change_nothing(printed: Printed, tmp_path: Path) -> None:
    before = open_run("toy-cnn")
    table = tmp_path / "maps.csv"
    arguments = ["project", "toy-cnn", "--method", "tsne", "--epoch", "3", "--epoch", "0", "--perplexity", "5"]
    facts = printed.json(*arguments, "--sample", "50", "--seed", "2", "--output", str(table))
    expected = compute(before, MapSettings("tsne", 2, (0, 3), perplexity=5, seed=2, sample=50))
    assert [fact["epoch"] for fact in facts["maps"]] == [0, 3]
    assert {fact["perplexity"] for fact in facts["maps"]} == {5}
    assert len(set(facts["documents"])) == 50
    assert set(facts["documents"]) <= set(documents_of(before).ids)
    for fact, projection in zip(facts["maps"], expected, strict=True):
        np.testing.assert_allclose(fact["places"], projection.coordinates, atol=1e-3)
    with table.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 100
    assert [row["id"] for row in rows[:50]] == facts["documents"]
    assert float(rows[0]["x"]) == pytest.approx(facts["maps"][0]["places"][0][0], abs=1e-3)
    assert open_run("toy-cnn") == before


def test_progress_is_told_aside(printed: Printed) -> None:
    lines = printed(
        "project", "toy-cnn", "--method", "tsne", "--epoch", "3", "--alone", "--dimensions", "3"
    ).splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("projector tsne  dimensions 3  epoch 3  alone True  perplexity ")
    assert "%  " in printed.error


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ("--method umap", "Unknown projector 'umap'; choose from pca, tsne."),
        ("--method tsne --perplexity 500", "too large for 60 documents: the maximum is 19."),
        ("--method tsne --perplexity 0.5", "at least 1, not 0.5"),
        ("--method tsne --perplexity nan", "at least 1, not nan"),
        ("--method pca --perplexity 5", "PCA has no perplexity; omit it."),
        ("--sample 61", "A sample of 61 is too large for a map: the run stores only 60 documents."),
        ("--sample 3", "A sample of 3 is too small"),
        ("--sample -1", "A sample of -1 is too small"),
        ("--epoch 9", "has no stored epoch 9; stored epochs: 0, 1, 2, 3."),
        ("--dimensions 4", "A map has 2 or 3 dimensions, not 4."),
        ("--dimensions 0", "A map has 2 or 3 dimensions, not 0."),
        ("--seed -1", "The seed must be between"),
        ("--seed 99999999999", "The seed must be between"),
    ],
)
def test_what_no_map_can_be_made_of_is_refused(printed: Printed, options: str, sentence: str) -> None:
    assert sentence in printed.refused("project", "toy-cnn", *options.split(), "--json")


def test_a_folder_is_no_table(printed: Printed, tmp_path: Path) -> None:
    assert "cannot be written" in printed.refused(
        "project", "toy-cnn", "--method", "pca", "--output", str(tmp_path), "--json"
    )


def test_two_at_once_are_one_too_many(printed: Printed, trained: Path) -> None:
    (trained / ".unfinished").mkdir(exist_ok=True)
    with FileLock(trained / ".unfinished" / "toy-cnn.maps.lock"):
        assert "being computed by another process" in printed.refused("project", "toy-cnn")
        assert printed("project", "toy-cnn", "--method", "pca"), "maps that are only printed need not wait"
