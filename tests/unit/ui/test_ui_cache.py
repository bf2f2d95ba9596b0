"""What the pages keep of runs."""

from __future__ import annotations

from pathlib import Path

import plotly.graph_objects as go
import pytest

from nlpviz.figures.view import FigureView
from nlpviz.runs import list_runs
from nlpviz.ui import cache
from tests.words import write_toy_run

RUNS = 24


def test_listing_many_runs_again_opens_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache of fewer runs than there are, asked for all in turn, would have forgotten each before its next turn."""
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path))
    for number in range(RUNS):
        write_toy_run(tmp_path, f"toy-{number:02}")
    first = cache.runs()
    assert len(first) == RUNS
    opened: list[str] = []
    monkeypatch.setattr(cache, "open_run", opened.append)
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
