"""A visitor's own review on the map: its mark in every panel, and its neighbours in words."""

from __future__ import annotations

import numpy as np

from nlpviz.projections import NEIGHBOURS
from nlpviz.projections.alignment import moved
from nlpviz.projections.texts import neighbours_of, place_text
from nlpviz.results.projection import Projection
from nlpviz.runs import RunError
from nlpviz.runs.documents import documents_of
from nlpviz.ui.documents import cache
from nlpviz.ui.documents.maps import DocumentMaps
from nlpviz.ui.frame import answer, explain_error
from nlpviz.ui.review import how_exact, mark


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
    placed = place_text(run, fitted, cache.text_point(run, fitted.epoch, review))[None]
    (turned,) = moved(shown.transforms.get(fitted.run), placed)
    return tuple(float(coordinate) for coordinate in turned)


def tell(shown: DocumentMaps, review: str) -> None:
    """Say what the last panel's network makes of the review, and of what labels its nearest documents are."""
    fitted = shown.fitted[-1]
    run = shown.runs[fitted.run]
    point = cache.text_point(run, fitted.epoch, review)
    labels = documents_of(run).labels[neighbours_of(run, fitted.epoch, point)]
    first, *others = (f"{int(np.sum(labels == label))} {name}" for label, name in enumerate(run.class_names))
    answer(
        "Your review, at {where}: {share:.0%} {last}; of its {neighbours} nearest neighbours in the original space,"
        " {are}. Its place on the map, the {mark}, is {how}.",
        where=shown.name(len(shown.maps) - 1),
        share=float(point.probabilities[-1]),
        last=run.class_names[-1],
        neighbours=NEIGHBOURS,
        are=" and ".join([first.replace(" ", " are ", 1), *others]),
        mark=mark(fitted.dimensions),
        how=how_exact(fitted.projector),
    )
