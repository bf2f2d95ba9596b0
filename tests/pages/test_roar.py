"""The view of networks retrained without important words: it says what the tests of the kept trainings allow."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from nlpviz.results.roar import RANDOM, WHOLE, WORD_LIST, Roar, cells
from nlpviz.runs import Run, open_run
from nlpviz.runs.roar import write_roar
from nlpviz.runs.sharing import copied
from tests.pages.conftest import Page, figure, numbers, said

RUN, PAGE = "imdb-cnn-static", {"name": "Inside the model", "view": "retrained-without"}
SHARE = {WHOLE: 0.9, RANDOM: 0.8, "saliency": 0.7, "regions": 0.8, WORD_LIST: 0.85}


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Roar:
    """Trainings whose numbers are known, kept with a copy of the run."""
    copied(open_run(RUN), tmp_path / "runs" / RUN)
    asked = cells(("saliency", "regions", WORD_LIST), 2, (0.1, 0.3))
    right = np.array([np.arange(1000) < 1000 * SHARE[cell.order] for cell in asked])
    ids = tuple(f"test/{number}" for number in range(1000))
    found = Roar(RUN, 3, ids, asked, right, 4000, 800, 150, 2, 600.0, "cpu: 1 thread")
    write_roar(Run.open(tmp_path / "runs" / RUN), found)
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "runs"))
    return found


def test_the_sentence_is_what_tests_tell(page: Page, kept: Roar) -> None:
    app = page(**PAGE)
    assert not app.exception
    words = said(app)
    assert "Masking 30% of words by Saliency, L2 norm leaves 70.0% accuracy; random masking leaves 80.0%." in words
    assert "With nothing masked, shortened training reaches 90.0% accuracy on 1,000 test reviews" in words
    less = (
        "In 2 of 6 comparisons, an order costs significantly more accuracy than random words; in 2, it costs "
        "significantly less."
    )
    assert less in words
    assert "paired difference is −10.0 percentage points" in words
    assert app.dataframe[0].value.iloc[0].tolist() == ["10%", "Saliency, L2 norm", "70.0%", "85.0%"]
    assert "from 10% to 30% masked, Saliency, L2 norm, Regions and Log-count ratio" in words
    lines = {trace["name"]: trace for trace in figure(app)["figure"]["data"]}
    assert numbers(lines["Regions"]["y"]) == pytest.approx([0.9, 0.8, 0.8])
    assert app.table[0].value.iloc[0, 1].startswith("**−10.0")
    assert len(kept.cells) == 18


def test_a_machine_without_any_is_told_the_command(page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copied(open_run("imdb-cnn"), tmp_path / "runs" / "imdb-cnn")
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "runs"))
    app = page(**PAGE)
    assert not app.exception
    assert "python -m nlpviz roar imdb-cnn-static" in said(app)
