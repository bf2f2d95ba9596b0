"""The gallery of tours and reports: each file opens without a server, its figures alive, and asks for nothing."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest
from playwright.sync_api import Page, expect

from nlpviz.ui.tour_stories import Tour, TourPlace, TourQuestion, TourStep

pytestmark = pytest.mark.ci

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
NGRAMS = TourPlace("One review", "n-grams", {"run": ("imdb-cnn",), "text": ("submarine",)})
MAP = TourPlace("Explore", "map", {"run": ("imdb-cnn",)}, "quality")
ELSEWHERE = re.compile(r"(?:src|href)=[\"']?(?:https?:)?//|url\([\"']?(?:https?:)?//")


@pytest.fixture(scope="module")
def gallery() -> SimpleNamespace:
    """What docs/gallery.py defines."""
    return SimpleNamespace(**runpy.run_path(str(Path(__file__).parents[2] / "docs" / "gallery.py")))


@pytest.fixture(scope="module")
def folder(gallery: SimpleNamespace, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A gallery of one tour and one report, whose words are hostile."""
    asked = TourQuestion(HOSTILE, (HOSTILE, "no"), 0, f"**Yes**: {HOSTILE}", MAP)
    tour = Tour("toy", HOSTILE, HOSTILE, (TourStep(NGRAMS, f"*See*: {HOSTILE}", asked), TourStep(MAP, "The end.")))
    folder = tmp_path_factory.mktemp("gallery")
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("NLPVIZ_DATA", raising=False)
        patch.setenv("NLPVIZ_CACHE", str(tmp_path_factory.mktemp("cache")))
        gallery.write(folder, [tour], [gallery.Report(("imdb-cnn",), HOSTILE, (NGRAMS,))])
    return folder


def without_library(file: Path) -> str:
    """Return a file without plotly.js and fonts."""
    html = re.sub(r'<script type="text/plain" id="plotly">.*?</script>', "", file.read_text("utf-8"), flags=re.DOTALL)
    return re.sub(r"base64,[\w+/=]+", "", html)


def test_files_name_no_other_host_and_keep_words_as_words(folder: Path) -> None:
    files = sorted(folder.iterdir())
    assert [file.name for file in files] == ["index.html", "report-imdb-cnn.html", "tour-toy.html"]
    for file in files:
        html = without_library(file)
        found = [found[0] for found in ELSEWHERE.finditer(html)]
        assert not found, f"{file.name} fetches from another host"
        assert "default-src 'none'" in html
        assert "onerror=alert(2)&gt;" in html
        assert "<script>alert" not in html
        assert "<img" not in html


def test_the_first_page_leads_to_the_files(folder: Path, page: Page) -> None:
    page.goto((folder / "index.html").as_uri())
    expect(page.get_by_role("heading", level=3)).to_have_text([HOSTILE, "CNN on IMDB"])
    assert page.locator(".hero path").count() == 4
    page.get_by_role("link", name="CNN on IMDB").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("CNN on IMDB")
    expect(page.locator("figure .drawn.js-plotly-plot")).to_have_count(page.locator("figure").count())
    page.get_by_role("link", name="nlpviz gallery").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("What small language networks")


@pytest.mark.parametrize("color_scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [(1280, 720), (400, 800)])
def test_an_answer_is_drawn_when_it_is_unfolded(
    folder: Path, page: Page, color_scheme: str, viewport: tuple[int, int]
) -> None:
    page.goto((folder / "tour-toy.html").as_uri())
    figures = page.locator("figure")
    drawn = page.locator("figure .drawn.js-plotly-plot")
    folded = page.locator("details.folded figure")
    assert folded.count() == 1
    expect(drawn).to_have_count(figures.count() - 1)
    expect(page.get_by_text("The answer:")).to_be_hidden()
    page.get_by_text("Show the answer").click()
    expect(drawn).to_have_count(figures.count())
    width = folded.locator(".main-svg").first.bounding_box()
    assert width is not None
    assert width["width"] > viewport[0] / 2
    ink = page.locator(".drawn text").first.evaluate("(one) => getComputedStyle(one).fill")
    assert (min(map(int, re.findall(r"\d+", ink)[:3])) > 100) == (color_scheme == "dark")
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport[0]


def test_a_step_shows_what_is_under_the_heading_of_its_figure(gallery: SimpleNamespace) -> None:
    parts = gallery.shown(MAP).parts
    beginning, quality = gallery.picture(parts), gallery.picture(parts, "quality")
    assert [one.figures[0].name for one in quality if one.figures] == ["imdb-cnn-pca-2d-quality"]
    assert "<h2>" in quality[0].texts[0]
    assert len([one for one in beginning if one.figures]) == 1
