"""The visitor's review on the map: its marker in every panel, and its neighbours in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nlpviz.analysis.projections import NEIGHBOURS
from nlpviz.analysis.projections.alignment import moved
from nlpviz.analysis.projections.texts import neighbours_of
from nlpviz.results.projection import Projection
from nlpviz.runs import RunError
from nlpviz.runs.documents import documents_of
from nlpviz.text.vocabulary import tokenize
from nlpviz.ui import classes
from nlpviz.ui.documents import cache
from nlpviz.ui.documents.maps import DocumentMaps
from nlpviz.ui.frame import answer, escape_markdown, explain_error
from nlpviz.ui.review import how_exact, mark

_SHORT = 0.95
"""A text that is shorter than this share of the documents is called short."""


def positions(shown: DocumentMaps, review: str | None) -> tuple[tuple[float, ...], ...]:
    """Return the position of the review in every panel, then at every epoch that is played.

    There is none, with the reason on the page, where the review has none.
    """
    if review is None:
        return ()
    try:
        return tuple(_position(shown, fitted, review) for fitted in (*shown.fitted, *shown.played_fitted))
    except RunError as error:
        explain_error(str(error))
        return ()


def _position(shown: DocumentMaps, fitted: Projection, review: str) -> tuple[float, ...]:
    """Return the position of the review on one map, turned as the map was."""
    run = shown.runs[fitted.run]
    (turned,) = moved(shown.transforms.get(fitted.run), cache.position(run, fitted, review)[None])
    return tuple(float(coordinate) for coordinate in turned)


def tell(shown: DocumentMaps, review: str) -> None:
    """Say what the network of one panel makes of the review, and of what labels its nearest documents are."""
    fitted = shown.fitted[shown.told]
    run = shown.runs[fitted.run]
    point = cache.text_point(run, fitted.epoch, review)
    documents = documents_of(run)
    labels = documents.labels[neighbours_of(run, fitted.epoch, point)]
    counts = np.bincount(labels, minlength=len(run.class_names))
    order = range(2) if len(counts) == 2 else np.flatnonzero(counts)[np.argsort(-counts[counts > 0], kind="stable")]
    first, *others = (f"{counts[label]} {run.class_names[label]}" for label in order)
    predicted = -1 if len(counts) == 2 else int(point.probabilities.argmax())
    answer(
        "Your {document}, at {where}: {share:.0%} {predicted}; of its {neighbours} nearest neighbours in the original "
        "space, {are}. Its position on the map (the {mark}) is {how}.",
        where=shown.name(shown.told),
        document=classes.document(run),
        share=float(point.probabilities[predicted]),
        predicted=run.class_names[predicted],
        neighbours=NEIGHBOURS,
        are=_in_a_row([first.replace(" ", " are ", 1), *others]),
        mark=mark(fitted.dimensions),
        how=how_exact(fitted.projector),
    )
    if doubt := disagreement(point.probabilities, labels, run.class_names):
        st.warning(escape_markdown(f"{doubt} {length_beside(len(tokenize(review)), documents.lengths)}".rstrip()))


def _in_a_row(names: Sequence[str]) -> str:
    """Return names in a row: ``"a, b and c"``."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 2 else names)


def disagreement(probabilities: NDArray[np.float32], labels: NDArray[np.int8], class_names: Sequence[str]) -> str:
    """Return a sentence where a network predicts another class than most of the nearest documents have; else nothing.

    Args:
        probabilities: (K,), what it gives each class.
        labels: (k,), those of the nearest documents.
        class_names: what both mean.
    """
    predicted, counts = int(probabilities.argmax()), np.bincount(labels, minlength=len(class_names))
    most = int(counts.argmax())
    if counts[most] == counts[predicted]:
        return ""
    return (
        f"Prediction and neighbourhood disagree: the network predicts {class_names[predicted]} "
        f"({probabilities[predicted]:.0%}), and {counts[most]} of the {len(labels)} nearest neighbours are "
        f"{class_names[most]}."
    )


def length_beside(tokens: int, lengths: NDArray[np.int32]) -> str:
    """Return a sentence where a text is shorter than :data:`_SHORT` of the documents (N,); else nothing."""
    shorter = float((lengths > tokens).mean())
    if shorter < _SHORT:
        return ""
    said = "all" if shorter == 1 else f"{np.floor(1000 * shorter) / 10:.1f}%"  # rounded down: never all but all
    many = "token" if tokens == 1 else "tokens"
    return (
        f"With {tokens:,} {many}, your text is shorter than {said} of the texts on the map, so its position means "
        "little."
    )
