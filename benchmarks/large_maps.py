"""How long does a map of 1,000,000 documents take, to compute and to paint?

Embeddings are drawn from a mixture of 20 normal distributions in 100 dimensions and read from Parquet. t-SNE is fitted
on 5,000 of them and the others are placed. The page of the map, with plotly.js in it, is opened from the disk in
Chromium. A still picture of the map is painted first, and it can be moved and pointed at once plotly.js has been read:
each is the second frame after the cells are there. The peer is the page that draws one point per document by WebGL;
a page of two points says what plotly.js itself takes.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import numpy as np
import plotly.graph_objects as go
import pyarrow as pa
import pyarrow.parquet as pq
from playwright.sync_api import Browser

from benchmarks import SEED, Benchmark, Row
from benchmarks.browser import chromium, cold_tab
from nlpviz.analysis.projections.density import density
from nlpviz.analysis.projections.large import LargeSettings, project_large
from nlpviz.figures.documents.density import density_map
from nlpviz.figures.page import Section, page_html
from nlpviz.figures.view import FigureView
from nlpviz.runs.files import vectors

DOCUMENTS, DIMENSIONS, CLASSES, BLOCK = 1_000_000, 100, 20, 50_000
ROUNDS = 5
PAINT, BYTES = 2_000.0, 10.0  # ms, MB
PEER, ALONE = "one point per document", "a page of two points"
PAINTED = """async (cells) => {
  const frame = () => new Promise(requestAnimationFrame);
  while (!document.querySelector(cells)) await frame();
  await document.querySelector(cells).decode?.();
  await frame();
  await frame();
  return performance.now();
}"""
STILL, ALIVE = ".still image", ".js-plotly-plot .heatmaplayer image, .js-plotly-plot .gl-canvas"


def measure() -> Iterator[Row]:
    """Yield the seconds of both projectors, then the milliseconds and the size of the page."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _write_embeddings(folder / "embeddings.parquet")
        taken = {projector: _seconds(folder, projector) for projector in ("pca", "tsne")}
        what = f"a map of {DOCUMENTS:,} embeddings of {DIMENSIONS} numbers"
        yield Row(f"{what}, t-SNE of a sample, the rest placed on it", "s", (taken["tsne"],), "PCA", (taken["pca"],))
        pages = {which: folder / f"{which}.html" for which in ("ours", "peer", "alone")}
        shown = density(folder / "tsne.parquet")
        view = density_map(shown)
        pages["ours"].write_text(page_html("map", [Section("", (), [view])], view.caption), encoding="utf-8")
        pages["peer"].write_text(_points(folder / "tsne.parquet"), encoding="utf-8")
        two = go.Figure(go.Scattergl(x=[0, 1], y=[0, 1], mode="markers"), {"height": 400})
        alone = FigureView(two, alt="Two points", table={"x": [0, 1]}, caption="drawn here", name="two")
        pages["alone"].write_text(page_html("two", [Section("", (), [alone])], alone.caption), encoding="utf-8")
        with chromium() as browser:
            still = _painted(browser, pages["ours"], STILL)
            alive = {which: _painted(browser, page, ALIVE) for which, page in pages.items()}
        sizes = {which: page.stat().st_size / 1e6 for which, page in pages.items()}
    yield Row("density page of that map, rendered", "ms", still, PEER, alive["peer"], PAINT)
    yield Row("the same, until interactive", "ms", alive["ours"], ALONE, alive["alone"])
    yield Row("its size, including plotly.js", "MB", (sizes["ours"],), PEER, (sizes["peer"],), BYTES)


def _write_embeddings(path: Path) -> None:
    rng = np.random.default_rng(SEED)
    centres = rng.normal(scale=2, size=(CLASSES, DIMENSIONS)).astype(np.float32)
    schema = pa.schema([("label", pa.string()), ("embedding", pa.list_(pa.float32(), DIMENSIONS))])
    with pq.ParquetWriter(path, schema, compression="none", use_dictionary=["label"]) as writer:
        for _ in range(0, DOCUMENTS, BLOCK):
            classes = rng.integers(0, CLASSES, BLOCK)
            points = centres[classes] + rng.standard_normal((BLOCK, DIMENSIONS), dtype=np.float32)
            labels = pa.array([f"class {number}" for number in classes])
            writer.write_table(pa.table([labels, vectors(points)], schema=schema))


def _seconds(folder: Path, projector: str) -> float:
    started = perf_counter()
    about = project_large(folder / "embeddings.parquet", folder / f"{projector}.parquet", LargeSettings(projector))
    seconds = perf_counter() - started
    print(f"  {projector}: {seconds:.1f} s, trustworthiness {about.trustworthiness:.3f}", flush=True)
    return seconds


def _points(path: Path) -> str:
    """Return the peer's page."""
    table = pq.ParquetFile(path).read(["x", "y"])
    places = {axis: table[axis].to_numpy() for axis in ("x", "y")}
    figure = go.Figure(go.Scattergl(mode="markers", marker={"size": 2, "opacity": 0.3}, **places))
    return str(figure.to_html(include_plotlyjs=True))


def _painted(browser: Browser, page: Path, cells: str) -> tuple[float, ...]:
    """Return the milliseconds from opening a page to the painting of ``cells``, each time in a tab of its own."""
    taken = []
    for _ in range(ROUNDS):
        with cold_tab(browser) as tab:
            tab.goto(page.as_uri(), wait_until="commit")
            taken.append(float(tab.evaluate(PAINTED, cells)))
    return tuple(taken)


BENCHMARK = Benchmark("large-maps", "How long does a map of a million documents take?", measure, "documents")
