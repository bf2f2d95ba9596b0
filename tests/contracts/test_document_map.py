"""The figure of maps: its panels, its words, its table, and what stands on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from nlpviz.analysis.projections import MapSettings, compute
from nlpviz.figures.documents.maps import COLORINGS, MapStyle, document_map
from nlpviz.figures.documents.quality import quality_by_epoch
from nlpviz.networks.architectures import Architecture, architectures
from nlpviz.results.projection import Projection
from nlpviz.runs import Run
from nlpviz.runs.documents import documents_of, probabilities_of, run_documents

ALL = (0, 1, 2, 3)


@pytest.fixture(scope="module")
def run(toy_runs: Callable[[Architecture], Run]) -> Run:
    """The toy CNN: epochs 0 to 3, sixty documents."""
    return toy_runs(architectures()["cnn"])


@pytest.fixture(scope="module")
def maps(run: Run) -> tuple[Projection, ...]:
    """The PCA maps of all its epochs."""
    return compute(run, MapSettings("pca", 2, ALL))


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_panels_stand_in_rows_of_two_and_never_overlap(run: Run, maps: tuple[Projection, ...], count: int) -> None:
    layout = document_map([run_documents(run)], maps[:count], "PCA", MapStyle()).figure.layout
    boxes = [(*layout[f"xaxis{n}"].domain, *layout[f"yaxis{n}"].domain) for n in range(1, count + 1)]
    assert len({box[2] for box in boxes}) == -(-count // 2), "rows"
    assert all(0 <= low < high <= 1 for box in boxes for low, high in (box[:2], box[2:]))
    for number, (left, right, low, high) in enumerate(boxes):
        for other in boxes[:number]:
            assert right <= other[0] or left >= other[1] or high <= other[2] or low >= other[3]


def test_all_panels_have_the_same_axes(run: Run, maps: tuple[Projection, ...]) -> None:
    layout = document_map([run_documents(run)], maps, "PCA", MapStyle()).figure.layout
    for axis in "xy":
        assert len({layout[f"{axis}axis{n}"].range for n in range(1, 5)}) == 1


def test_axes_have_room_for_maps_that_are_not_drawn(run: Run, maps: tuple[Projection, ...]) -> None:
    documents = [run_documents(run)]
    alone, framed = (document_map(documents, maps[:1], "PCA", MapStyle(), more) for more in ((), maps))
    everything = document_map(documents, maps, "PCA", MapStyle())
    assert framed.figure.layout.xaxis.range == everything.figure.layout.xaxis.range != alone.figure.layout.xaxis.range
    assert maps[0].comparable.rstrip(".") in framed.caption
    assert maps[0].comparable.rstrip(".") not in alone.caption


@pytest.mark.parametrize("color", COLORINGS)
def test_sample_draws_and_lists_its_documents_alone(run: Run, color: str) -> None:
    charts = compute(run, MapSettings("pca", 2, (0, 3), sample=45, seed=2))
    view = document_map([run_documents(run)], charts, "PCA", MapStyle(color=color))
    assert charts[0].members is not None
    ids = [documents_of(run).ids[position] for position in charts[0].members]
    assert list(view.table["id"]) == ids
    np.testing.assert_array_equal(view.table["P(positive), epoch 3"], probabilities_of(run, 3)[charts[0].members, 1])
    drawn = [one for trace in view.figure.data if trace.customdata is not None for one in trace.customdata]
    assert sorted(drawn) == sorted(2 * ids)
    assert "a sample of 45" in view.caption
    assert "45 test texts" in view.alt


def test_chosen_document_is_ringed_in_every_panel(run: Run, maps: tuple[Projection, ...]) -> None:
    view = document_map([run_documents(run)], maps, "PCA", MapStyle(selected=documents_of(run).ids[9]))
    rings = [trace for trace in view.figure.data if trace.name == "selected"]
    for ring, chart in zip(rings, maps, strict=True):
        assert (ring.x[0], ring.y[0]) == tuple(chart.coordinates[9])


@pytest.mark.parametrize("dimensions", [2, 3])
def test_own_review_is_a_mark_of_another_shape_in_every_panel_and_in_sight(run: Run, dimensions: int) -> None:
    charts = compute(run, MapSettings("pca", dimensions, (0, 3)))
    far = float(max(np.abs(chart.coordinates).max() for chart in charts)) * 3
    style = MapStyle(placed=((far,) * dimensions, (0.0,) * dimensions))
    view = document_map([run_documents(run)], charts, "PCA", style)
    stars = [trace for trace in view.figure.data if trace.name == "your text"]
    assert [star.x[0] for star in stars] == pytest.approx([far, 0.0])
    others = {trace.marker.symbol for trace in view.figure.data if trace.customdata is not None}
    assert {star.marker.symbol for star in stars}.isdisjoint(others)
    limits = view.figure.layout.xaxis.range if dimensions == 2 else view.figure.layout.scene.xaxis.range
    assert limits[1] > far
    assert f"A {stars[0].marker.symbol} marks your text" in view.alt


def test_markup_in_the_name_of_a_run_is_shown_as_it_is(run: Run, maps: tuple[Projection, ...]) -> None:
    bold = replace(run, name="<b>toy")
    charts = (maps[3], replace(maps[3], run="<b>toy"))
    view = document_map([run_documents(run), run_documents(bold)], charts, "PCA", MapStyle())
    written = "".join(note.text for note in view.figure.layout.annotations)
    assert "&lt;b&gt;toy" in written
    assert "<b>toy" not in written
    assert "<b>toy aligned to toy-cnn (Procrustes)" in view.caption


def test_quality_lines_are_in_the_order_of_the_epochs(maps: tuple[Projection, ...]) -> None:
    view = quality_by_epoch(maps[::-1], "PCA")
    assert list(view.table["epoch"]) == list(ALL)
    for name, measure in {"label purity": "purity", "silhouette": "silhouette"}.items():
        assert list(view.table[name]) == [getattr(chart, measure) for chart in maps]
    assert f"silhouette {maps[0].silhouette:.2f} at epoch 0, {maps[3].silhouette:.2f} at epoch 3" in view.alt
