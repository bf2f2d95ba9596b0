"""Maps of more documents than memory holds: read in blocks, placed, counted into cells, drawn."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from nlpviz.analysis.projections import FittedMap, large
from nlpviz.analysis.projections.density import OTHERS, density
from nlpviz.analysis.projections.large import LargeSettings, project_large
from nlpviz.analysis.projections.placing import placed_between, transform
from nlpviz.figures.documents.density import density_map
from nlpviz.figures.page import Section, page_html
from nlpviz.runs import RunError
from nlpviz.runs.files import vectors
from nlpviz.stats.principal_axes import Moments, principal_axes
from tests.unit.conftest import Printed

CENTRES = np.random.default_rng(1).normal(scale=8, size=(3, 12))


def mixture(count: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return points in three clusters, and which each of them belongs to."""
    rng = np.random.default_rng(seed)
    classes = rng.choice(3, count, p=[0.5, 0.3, 0.2])
    return (CENTRES[classes] + rng.normal(size=(count, 12))).astype(np.float32), classes


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Embeddings of 1,500 documents, in the form that ``embed`` writes."""
    points, classes = mixture(1500)
    columns = {
        "row": pa.array(np.arange(1500) * 2 + 2),
        "predicted": pa.array([f"<{number}>" for number in classes]),
        "embedding": vectors(points),
    }
    table = pa.table(columns).replace_schema_metadata({"nlpviz": json.dumps({"run": "toy-cnn"})})
    pq.write_table(table, tmp_path / "embeddings.parquet")
    return tmp_path / "embeddings.parquet"


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large, "_BLOCK", 400)


def test_axes_added_up_in_blocks_are_those_of_all_points() -> None:
    points = mixture(1000)[0].astype(np.float64) + 1e4  # far from zero, where squares lose their digits
    moments = Moments()
    for block in np.array_split(points, 7):
        moments.add(block)
    whole, added = principal_axes(points, 3), moments.axes(3)
    np.testing.assert_allclose(added.mean, whole.mean)
    np.testing.assert_allclose(added.axes, whole.axes, atol=1e-8)
    assert added.share == pytest.approx(whole.share)


def test_principal_components_of_a_file_are_those_of_its_points(file: Path, tmp_path: Path) -> None:
    about = project_large(file, tmp_path / "map.parquet", LargeSettings("pca"))
    table = pq.ParquetFile(tmp_path / "map.parquet").read()
    points = mixture(1500)[0]
    expected = principal_axes(points, 2).project(points)
    np.testing.assert_allclose(np.column_stack([table["x"], table["y"]]), expected, rtol=1e-4, atol=1e-4)
    assert table["row"].to_pylist()[:3] == [2, 4, 6]
    assert (about.run, about.fitted, about.perplexity) == ("toy-cnn", 1500, None)


def test_documents_beyond_the_sample_are_placed_in_their_own_cluster(file: Path, tmp_path: Path) -> None:
    told: list[float] = []
    settings = LargeSettings("tsne", sample=120, perplexity=10)
    about = project_large(file, tmp_path / "map.parquet", settings, lambda share, _: told.append(share))
    table, (_, classes) = pq.ParquetFile(tmp_path / "map.parquet").read(), mixture(1500)
    places = np.column_stack([table["x"], table["y"]])
    centres = np.array([np.median(places[classes == number], axis=0) for number in range(3)])
    nearest = np.linalg.norm(places[:, None] - centres, axis=2).argmin(axis=1)
    assert (nearest == classes).mean() > 0.99
    assert about.fitted == 120
    assert 0.6 < about.trustworthiness < 1
    assert told == sorted(told)
    assert told[-1] == 1


def test_a_document_of_the_map_is_placed_among_its_neighbours() -> None:
    points = mixture(90)[0]
    places = principal_axes(points, 2).project(points).astype(np.float32)
    placed = placed_between(FittedMap(points, places, points, 0, 5.0), points, 1.01)  # as narrow as can be
    assert np.linalg.norm(placed - places, axis=1).max() < 0.2 * places.std()
    far = placed_between(FittedMap(points, places, points, 0, 5.0), points[:1] + 1e4, 5.0)
    assert np.isfinite(far).all()


def test_a_text_amid_four_documents_is_placed_amid_them() -> None:
    turns = np.arange(12) * np.pi / 6
    circle = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    documents = np.concatenate([circle[::3], 20 * circle]).astype(np.float32)
    known = FittedMap(documents, documents + 7, documents, 0, 4.0)
    np.testing.assert_allclose(transform(known, np.zeros((1, 2), np.float32)), [[7, 7]], atol=1e-4)


def test_every_document_is_counted_in_the_cell_in_which_it_lies(file: Path, tmp_path: Path) -> None:
    project_large(file, tmp_path / "map.parquet", LargeSettings("pca"))
    shown, table = density(tmp_path / "map.parquet", cells=16, points=50), pq.read_table(tmp_path / "map.parquet")
    _, classes = mixture(1500)
    assert shown.class_names == ("<0>", "<1>", "<2>")  # the most frequent one first
    for number in range(3):
        own = classes == number
        expected = np.histogram2d(table["y"].to_numpy()[own], table["x"].to_numpy()[own], bins=[shown.y, shown.x])[0]
        np.testing.assert_array_equal(shown.counts[number], expected)
    assert (shown.documents, len(shown.sample)) == (1500, 50)
    rows = (shown.sample_rows - 2) // 2
    np.testing.assert_array_equal(classes[rows], shown.sample_classes)
    np.testing.assert_array_equal(shown.sample[:, 0], table["x"].to_numpy()[rows])


def test_rare_classes_of_many_are_counted_together(tmp_path: Path) -> None:
    count = 300
    names = [f"c{min(number // 10, 25):02d}" for number in range(count)]
    columns = {"label": pa.array(names), "embedding": vectors(mixture(count)[0])}
    pq.write_table(pa.table(columns), tmp_path / "in.parquet")
    project_large(tmp_path / "in.parquet", tmp_path / "map.parquet", LargeSettings("pca"))
    shown = density(tmp_path / "map.parquet")
    assert len(shown.class_names) == 20
    assert shown.class_names[0] == "c25"
    assert shown.class_names[-1] == OTHERS
    assert shown.counts.sum(axis=(1, 2))[-1] == 70
    assert shown.documents == count


def test_the_figure_shows_each_cell_in_the_colour_of_its_class(file: Path, tmp_path: Path) -> None:
    project_large(file, tmp_path / "map.parquet", LargeSettings("pca"))
    shown = density(tmp_path / "map.parquet", cells=32)
    view = density_map(shown)
    cells, *points = view.figure.data
    empty = shown.counts.sum(axis=0) == 0
    assert np.isnan(cells.z[empty]).all()
    np.testing.assert_array_equal(np.floor(cells.z[~empty]), shown.leading[~empty])
    assert [trace.name for trace in points] == ["&lt;0&gt;", "&lt;1&gt;", "&lt;2&gt;"]
    assert "1,500 documents" in view.alt
    assert "<0>" in view.alt
    assert sum(view.table["documents, <0>"]) == shown.counts[0].sum()
    page = page_html("map", [Section("", (), [view])], view.caption)
    assert "&lt;0&gt;" in page
    assert "aria-label" in page
    assert 'src="http' not in page


@pytest.mark.parametrize(
    ("columns", "settings", "sentence"),
    [
        ({"x": pa.array([1.0] * 50)}, LargeSettings(), "has no column 'embedding'"),
        ({"embedding": vectors(mixture(39)[0])}, LargeSettings(), "there are only 39"),
        ({"embedding": vectors(mixture(50)[0])}, LargeSettings("umap"), "Unknown projector 'umap'"),
    ],
)
def test_what_cannot_be_mapped_is_refused(
    tmp_path: Path, columns: dict[str, pa.Array], settings: LargeSettings, sentence: str
) -> None:
    pq.write_table(pa.table(columns), tmp_path / "in.parquet")
    with pytest.raises(RunError, match=sentence):
        project_large(tmp_path / "in.parquet", tmp_path / "out.parquet", settings)
    with pytest.raises(RunError, match="is not a map of a large corpus"):
        density(tmp_path / "in.parquet")


@pytest.mark.usefixtures("trained")
def test_project_makes_a_map_of_a_file_and_its_page(printed: Printed, file: Path, tmp_path: Path) -> None:
    out, html = tmp_path / "map.parquet", tmp_path / "map.html"
    facts = printed.json("project", str(file), "--method", "pca", "--out", str(out), "--html", str(html))
    assert (facts["documents"], facts["classes"], facts["projector"]) == (1500, 3, "pca")
    assert 0 < html.stat().st_size < 10_000_000
    again = tmp_path / "again.html"
    assert printed("project", str(out), "--html", str(again)) == f"documents 1500  classes 3  html {again}\n"
    assert "already exists" in printed.refused("project", str(file), "--out", str(out))
    assert "--html needs a file" in printed.refused("project", "toy-cnn", "--html", str(html))
    assert "--dimensions needs a run" in printed.refused(
        "project", str(file), "--dimensions", "3", "--out", "x.parquet"
    )
    assert "No output file was given" in printed.refused("project", str(file))
