"""A damaged run costs a sentence; every other run and page goes on working."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nlpviz.runs import open_run
from nlpviz.runs.documents import DOCUMENTS, MAPS
from nlpviz.runs.run import HISTORY, MANIFEST, VOCABULARY, weights_file
from nlpviz.runs.sharing import copied
from tests.pages.conftest import Page, shown

RUN = "imdb-cnn"
PLACES = (
    ("Overview", ""),
    ("Explore", "map"),
    ("Explore", "table"),
    ("One review", "saliency"),
    ("Models", "training"),
)


@pytest.fixture
def trained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of runs that a test may damage: a sound one, and a copy of it to break."""
    folder = tmp_path / "trained"
    copied(open_run(RUN), folder / RUN)
    copied(open_run(RUN), folder / "broken")
    monkeypatch.setenv("NLPVIZ_TRAINED", str(folder))
    return folder


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize("damage", ["bit", "truncated", "missing", "format", "field", "nonsense"])
def test_damage(page: Page, trained: Path, damage: str) -> None:
    broken = trained / "broken"
    manifest = json.loads((broken / MANIFEST).read_text(encoding="utf-8"))
    best = weights_file(manifest["best_epoch"])
    if damage == "bit":
        for file in (best, VOCABULARY, DOCUMENTS, MAPS, HISTORY):
            flip(broken / file)
    elif damage == "truncated":
        (broken / best).write_bytes((broken / best).read_bytes()[:1000])
    elif damage == "missing":
        (broken / DOCUMENTS).unlink()
    elif damage == "format":
        (broken / MANIFEST).write_text(json.dumps(manifest | {"format": 99}), encoding="utf-8")
    elif damage == "field":
        (broken / MANIFEST).write_text(json.dumps({"format": manifest["format"]}), encoding="utf-8")
    else:
        (broken / MANIFEST).write_text("{", encoding="utf-8")
    listed = damage in ("bit", "truncated", "missing")
    for name, view, run in (("One review", "saliency", RUN), *((*place, "broken") for place in PLACES)):
        app = page(name, view=view, run=run)
        assert not app.exception, f"{name} with {run}"
        assert "Traceback" not in shown(app)
        assert listed or "broken" in shown(app), f"{name}: what is wrong with a run is said"


def test_a_missing_column(page: Page, trained: Path) -> None:
    import pyarrow.parquet as pq

    from nlpviz.runs import Run

    path = trained / "broken" / DOCUMENTS
    pq.write_table(pq.read_table(path).drop_columns(["rating"]), path)
    Run.open(trained / "broken").save()
    app = page("Explore", run="broken")
    assert not app.exception
    assert "lacks the column rating" in shown(app)


def test_no_run_at_all(page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "nothing"))
    for name, view in PLACES:
        app = page(name, view=view)
        assert not app.exception
        assert "no trained run" in shown(app)
