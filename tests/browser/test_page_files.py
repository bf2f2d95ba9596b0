"""A page of figures as one file: a still picture is painted, plotly.js is read after it, and everything is drawn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from nlpviz.figures.documents.density import density_map
from nlpviz.figures.page import Section, page_html
from nlpviz.results.density import DensityMap

pytestmark = pytest.mark.ci

NAMES = ("first", "</script><b>second")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The page of a map of 400 documents in two classes."""
    rng = np.random.default_rng(0)
    classes = rng.integers(0, 2, 400)
    points = (rng.normal(size=(400, 2)) + 6 * classes[:, None]).astype(np.float32)
    x, y = (np.linspace(points[:, axis].min(), points[:, axis].max(), 33) for axis in (0, 1))
    counts = [
        np.histogram2d(*points[classes == number].T[::-1], bins=[y, x])[0].astype(np.int64) for number in range(2)
    ]
    shown = DensityMap(
        name="map.parquet", run="toy-cnn", projector="pca", seed=0, fitted=400, perplexity=None, trustworthiness=0.9,
        measured=400, colored="label", class_names=NAMES, counts=np.stack(counts), x=x, y=y, sample=points[:100],
        sample_classes=classes[:100], sample_rows=np.arange(100),
    )  # fmt: skip
    view = density_map(shown)
    (tmp_path / "map.html").write_text(
        page_html("Map", [Section("", ["<p>400 documents</p>"], [view])], "drawn here"), encoding="utf-8"
    )
    return tmp_path / "map.html"


def test_the_still_picture_stands_where_the_map_is_drawn(file: Path, page: Page) -> None:
    page.add_init_script("""addEventListener("DOMContentLoaded", () => {  // plotly.js is read after two frames more
      const still = document.querySelector(".still image");
      window.before = [typeof Plotly, still.getBoundingClientRect().toJSON()];
    })""")
    page.goto(file.as_uri())
    expect(page.locator(".still")).to_have_count(0)
    expect(page.locator(".drawn .scatterlayer .trace")).to_have_count(2)
    expect(page.locator(".drawn .heatmaplayer image")).to_have_count(1)
    expect(page.locator(".drawn .legendtext").nth(1)).to_have_text(NAMES[1])
    library, still = page.evaluate("window.before")
    assert library == "undefined"
    drawn = page.locator(".drawn .heatmaplayer image").bounding_box()
    assert drawn is not None
    assert still["left"] == pytest.approx(drawn["x"], abs=24)  # a legend widens the margins
    assert still["width"] / still["height"] == pytest.approx(drawn["width"] / drawn["height"], rel=0.02)
