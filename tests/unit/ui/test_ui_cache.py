"""What the pages keep of runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import pytest

from nlpviz.figures.view import FigureView
from nlpviz.language.logit_difference import ask
from nlpviz.results.projection import Projection
from nlpviz.runs import Checkpoint, Run, list_runs, open_run
from nlpviz.ui import cache
from tests.words import write_toy_run

RUNS = 24


@pytest.fixture
def run(tmp_path: Path) -> Run:
    write_toy_run(tmp_path, "toy")
    return Run.open(tmp_path / "toy")


def test_a_result_is_shared_by_all_runs_of_one_folder_until_it_is_trained_again(run: Run) -> None:
    asked: list[str] = []

    @cache.shared(8)
    def title_of(run: Run) -> str:
        asked.append(run.title)
        return run.title.upper()

    title_of.clear()
    again = Run.open(run.folder)
    assert again is not run
    assert title_of(again) is title_of(run)
    assert title_of(replace(run, title="Trained again")) == "TRAINED AGAIN"
    assert asked == [run.title, "Trained again"]
    title_of.clear(run)
    title_of(run)
    assert asked == [run.title, "Trained again", run.title]


def test_a_default_and_a_name_are_the_key_that_a_value_is(run: Run) -> None:
    asked: list[tuple[int, str]] = []

    @cache.shared(8)
    def read(run: Run, epoch: int, text: str = "") -> str:
        asked.append((epoch, text))
        return f"{run.name}{epoch}{text}"

    read.clear()
    assert read(run, 1) is read(run, 1, "") is read(run, epoch=1) is read(text="", epoch=1, run=run)
    assert read(run, 1, "words") == "toy1words"
    assert asked == [(1, ""), (1, "words")]


def test_the_oldest_result_is_forgotten(run: Run) -> None:
    asked: list[int] = []

    @cache.shared(2)
    def following(run: Run, epoch: int) -> int:
        asked.append(epoch)
        return run.seed + epoch + 1

    following.clear()
    for epoch in (0, 1, 1, 2, 2, 1, 0):
        assert following(run, epoch) == run.seed + epoch + 1
    assert asked == [0, 1, 2, 0]


def test_a_run_is_known_by_its_fingerprint_wherever_it_stands(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its manifest, which grows with the project, must not be hashed at every call."""
    monkeypatch.setattr(Run, "fingerprint", "1a")  # of all
    asked: list[str] = []

    @cache.shared(8)
    def names(runs: list[Run], checkpoint: Checkpoint) -> str:
        asked.append(checkpoint.run.title)
        return " ".join(one.name for one in runs)

    names.clear()
    other = replace(run, title="Nobody looks at it")
    assert names([run, other], Checkpoint(other, 1)) is names([other, run], Checkpoint(run, 1))
    assert asked == [other.title]


def test_a_language_model_is_known_by_the_words_that_it_is_asked_for() -> None:
    asked: list[tuple[str, ...]] = []

    @cache.shared(8)
    def classes(run: Run) -> tuple[str, ...]:
        asked.append(run.class_names)
        return run.class_names

    classes.clear()
    run = open_run("wikitext2-lstm")
    answers = [classes(ask(run, words)) for words in (("she", "he"), ("she", "he"), ("he", "she"))]
    assert answers[0] is answers[1]
    assert asked == [answers[0], answers[2]]


def test_a_map_is_known_by_what_it_was_made_of_not_by_its_coordinates() -> None:
    asked: list[str] = []

    @cache.shared(8)
    def projector_of(projection: Projection) -> str:
        asked.append(projection.projector)
        return projection.projector

    projector_of.clear()
    first = Projection("toy", "pca", 1, np.eye(2, dtype=np.float32), 0.9, 0.5, 15, 0, "")
    projector_of(first)
    projector_of(replace(first, coordinates=np.ones((2, 2), np.float32)))
    assert asked == ["pca"]
    for other in ({"epoch": 2}, {"seed": 1}, {"alone": True}, {"perplexity": 5.0}, {"members": np.arange(2)}):
        projector_of(replace(first, **other))
    assert len(asked) == 6


def test_listing_many_runs_again_opens_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache of fewer runs than there are, asked for all in turn, would have forgotten each before its next turn."""
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path))
    for number in range(RUNS):
        write_toy_run(tmp_path, f"toy-{number:02}")
    first = cache.runs()
    assert len(first) == RUNS
    opened: list[Path] = []
    monkeypatch.setattr(Run, "open", opened.append)
    again = cache.runs("word-vectors")
    assert not opened
    assert all(again[name] is first[name] is run for name, run in list_runs()[0].items())


def test_a_figure_is_drawn_once_for_what_it_shows() -> None:
    cache._figure.clear()
    drawn: list[str] = []

    def draw(what: str) -> FigureView:
        drawn.append(what)
        return FigureView(go.Figure(), alt=what, table={"epoch": [0]}, caption="a toy run", name=what)

    first, again, retrained = (
        cache.figure(("course", "toy", fingerprint), lambda fingerprint=fingerprint: draw(fingerprint))
        for fingerprint in ("1a", "1a", "2b")
    )
    assert again is first
    assert (first.alt, retrained.alt) == ("1a", "2b")
    assert drawn == ["1a", "2b"]
    assert cache.figure(("nothing",), lambda: None) is None
