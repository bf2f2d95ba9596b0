"""What networks say of an image, on a page: the caption, and where they looked for each word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from nlpviz.figures.view import FigureView
from nlpviz.results.captions import Caption
from nlpviz.runs import Run
from nlpviz.ui import plotly_view
from nlpviz.ui.calls import Call
from nlpviz.ui.captions import cache
from nlpviz.ui.frame import answer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LEAST = 0.001
_VERDICT = "The caption is"
Said = tuple[str, dict[str, object]]
"""A sentence with places for its pieces."""


def show(
    caption: Caption, drawn: FigureView | Call[FigureView], said: Sequence[Said], notes: Sequence[str] = ()
) -> None:
    """Show the places that were looked at for each word of a caption, then the caption and what else is said of it.

    Args:
        caption: what was written.
        drawn: the caption word by word over its image.
        said: two sentences at most, the one with the caption first.
        notes: what else is measured, in Markdown.
    """
    if caption.words:
        plotly_view.show(drawn, key=f"caption_{caption.run}")
    for sentence, pieces in said:
        if sentence:
            answer(sentence, **pieces)
    if notes:
        st.caption(" ".join(notes))


def written(caption: Caption, verdict: str) -> Said:
    """Return the sentence with its pieces: what was written, what is said of it, and how probable it is.

    Args:
        caption: what was written.
        verdict: Markdown that follows the caption; empty for nothing.
    """
    if not caption.words:
        return "At epoch {epoch}, the network generates an empty caption.", {"epoch": caption.epoch}
    pieces: dict[str, object] = {"text": caption.text, "probability": share(float(caption.probabilities.prod()))}
    if not caption.ended:
        verdict = "cut off after {count} words"
        pieces["count"] = len(caption.words)
    return f"“**{{text}}**”{verdict and ', '}{verdict} (greedy caption, probability {{probability}}).", pieces


def share(probability: float) -> str:
    """Return a probability in words that do not say that it is none."""
    return f"{probability:.1%}" if probability >= _LEAST else f"less than {_LEAST:.1%}"


def show_epochs(
    runs: Sequence[Run], chosen: tuple[str, int], image: NDArray[np.uint8], verdict: Callable[[Caption], str] | None
) -> None:
    """Show what every network says of an image at every kept epoch.

    Args:
        runs: the networks.
        chosen: the run and the epoch that are shown above.
        image: uint8 (3, S, S).
        verdict: says in a word what a caption is; None where nobody knows.
    """
    titles = ("Model", "Epoch", *((_VERDICT,) if verdict else ()), "Caption")
    columns: dict[str, list[str]] = {title: [] for title in titles}
    for run in runs:
        for epoch in run.epochs:
            caption = cache.caption(run, epoch, image)
            columns["Model"].append(run.title)
            columns["Epoch"].append(f"{epoch}{' (above)' * ((run.name, epoch) == chosen)}")
            columns["Caption"].append(caption.text or "(nothing)")
            if verdict:
                columns[_VERDICT].append(verdict(caption))
    st.header("Captions by epoch", anchor=False)
    st.dataframe(columns, hide_index=True)
