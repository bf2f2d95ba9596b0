"""A text inferred several times: where its inferences lie on the map of documents, and what the page says of them."""

from __future__ import annotations

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nlpviz.analysis.inspection.inferred import infer_by_epoch, infer_text, shared_words
from nlpviz.analysis.projections import projectors
from nlpviz.data import DataError
from nlpviz.figures.documents.inferred import cloud_on_map, sureness_by_epoch
from nlpviz.figures.view import FigureView
from nlpviz.results.inferred import Inferred
from nlpviz.run_kinds.drawn.excerpts import beginning
from nlpviz.runs import Run
from nlpviz.runs.documents import documents_of, run_documents, stored_projections
from nlpviz.ui import cache, classes, limits, texts
from nlpviz.ui.calls import Call
from nlpviz.ui.documents import cache as documents_cache
from nlpviz.ui.frame import answer, takeaway

_LISTED = 10
_BEGINS = 60  # characters


@cache.shared(limits.entries(64), "Inferring the text…")
def infer(run: Run, epoch: int, text: str, times: int) -> Call[Inferred]:
    """Return a text inferred ``times`` times by one epoch; what is typed is a key of a bounded cache.

    Raises:
        RunError: if no word of it is known.
    """
    return Call(infer_text, cache.loaded(run, epoch), text, times)


def figure(run: Run, inferred: Call[Inferred], projector: str) -> Call[FigureView]:
    """Return the map of an epoch's documents with the places of the inferences of a text."""
    projection = Call(stored_projections, run, projector, 2, (inferred().epoch,)).at(0)
    places = documents_cache.positions(run, projection, inferred.get("vectors"))
    return Call(cloud_on_map, inferred, places, projection, Call(run_documents, run), projectors()[projector].title)


def tell(inferred: Inferred) -> None:
    """Say over the map how many neighbours two inferences have in common."""
    takeaway(
        "On average, two inferences (of {times}) share **{shared:.0%}** of their {count} nearest neighbours.",
        times=inferred.times,
        shared=inferred.shared,
        count=inferred.nearest.shape[1],
    )


def tell_nearest(run: Run, inferred: Inferred) -> None:
    """Say under the map how far inferences lie apart, which document is nearest, and what is predicted."""
    position, often = inferred.commonest
    label = int(inferred.votes.argmax())
    answer(
        "At epoch {epoch}, two inferences are **{spread:.2f} times** as far apart as two {document}s; {votes} of "
        "{times} are predicted {label}. Most frequent nearest {document} ({often} of {times}): {nearest}.",
        times=inferred.times,
        epoch=inferred.epoch,
        spread=inferred.spread,
        document=classes.document(run),
        nearest=texts.named(run, documents_of(run).ids[position]),
        often=often,
        votes=int(inferred.votes[label]),
        label=run.class_names[label],
    )


def by_epoch(run: Run, text: str, times: int) -> Call[FigureView]:
    """Return how sure the place is at every kept epoch."""
    found = [infer(run, epoch, text, times)() for epoch in run.epochs]
    return Call(sureness_by_epoch, Call(infer_by_epoch, run, text, times).giving(found))


def show_neighbours(run: Run, inferred: Inferred, text: str) -> None:
    """Show the documents that are near most often, with the words they share with the text if available."""
    documents, counts = documents_of(run), inferred.neighbours
    order = _commonest(counts)
    table: dict[str, object] = {
        classes.document(run).capitalize(): [documents.ids[position] for position in order],
        "Label": [run.class_names[documents.labels[position]] for position in order],
        f"Among the {inferred.nearest.shape[1]} nearest (of {inferred.times} inferences)": counts[order].tolist(),
    }
    try:
        near = tuple(documents.ids[position] for position in order)
        table |= _read(run, text, near)
    except DataError:
        st.caption("Words in common are shown if the corpus is on this computer.")
    st.dataframe(table, hide_index=True)


@cache.shared(64)
def _read(run: Run, text: str, documents: tuple[str, ...]) -> dict[str, list[str]]:
    """Return columns: how documents begin, and the words that each has in common with a text."""
    others = [cache.document_text(run.corpus["name"], document) for document in documents]
    shared = (shared_words(run.vocabulary, text, other) for other in others)
    return {
        "Beginning": [beginning(other, _BEGINS) for other in others],
        "Words in common, rarest first": [
            ", ".join(f"{word} {weight:.1f}" for word, weight in words) for words in shared
        ],
    }


def _commonest(counts: NDArray[np.int64]) -> list[int]:
    """Return the positions of the documents that are near most often, at most ten."""
    order = np.argsort(-counts, kind="stable")[:_LISTED]
    return [int(position) for position in order if counts[position]]
