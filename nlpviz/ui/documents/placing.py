"""A visitor's own review on the map: the box, its mark in every panel, and its neighbours in words."""

from __future__ import annotations

import numpy as np
import streamlit as st

from nlpviz.data.examples import examples
from nlpviz.projections import NEIGHBOURS, projectors
from nlpviz.projections.texts import neighbours_of, place_text
from nlpviz.runs import RunError
from nlpviz.runs.documents import documents_of
from nlpviz.ui import cache
from nlpviz.ui.documents.maps import Shown
from nlpviz.ui.frame import answer, explain_error

_BOX, _PLACED = "review_to_place", "placed_review"


def ask_for_review() -> str | None:
    """Return the review that the visitor has put on the map, or None; it stays in the session, never in an address."""
    if _BOX not in st.session_state:
        st.session_state[_BOX] = examples()[0].text
    typed = st.text_area("A review of your own", key=_BOX, persist_state="session", height=104)
    with st.container(horizontal=True):
        if st.button("Place my review on the map", key="place_review"):
            st.session_state[_PLACED] = typed or ""
        if _PLACED in st.session_state and st.button("Take it off the map", key="unplace_review", type="tertiary"):
            del st.session_state[_PLACED]
            st.rerun()
    placed = st.session_state.get(_PLACED)
    return None if placed is None else str(placed)


def places(shown: Shown, review: str | None) -> tuple[tuple[float, ...], ...]:
    """Return the place of the review in every panel; none, with the reason on the page, where it has none."""
    if review is None:
        return ()
    try:
        return tuple(_place(shown, panel, review) for panel in range(len(shown.maps)))
    except RunError as error:
        explain_error(str(error))
        return ()


def _place(shown: Shown, panel: int, review: str) -> tuple[float, ...]:
    """Return the place of the review on one map, turned as the map was."""
    fitted = shown.fitted[panel]
    run = shown.runs[fitted.run]
    placed = place_text(run, fitted, cache.text_point(run, fitted.epoch, review))[None]
    if fitted.run in shown.motions:
        placed = shown.motions[fitted.run](placed)
    return tuple(float(coordinate) for coordinate in placed[0])


def tell(shown: Shown, review: str) -> None:
    """Say what the last panel's network makes of the review, and of what labels its nearest documents are."""
    fitted = shown.fitted[-1]
    run = shown.runs[fitted.run]
    point = cache.text_point(run, fitted.epoch, review)
    labels = documents_of(run).labels[neighbours_of(run, fitted.epoch, point)]
    first, *others = (f"{int(np.sum(labels == label))} {name}" for label, name in enumerate(run.class_names))
    exact = projectors()[fitted.projector].exact
    answer(
        "Your review, at {where}: {share:.0%} {last}; of its {neighbours} nearest neighbours in the original space,"
        " {are}. Its place on the map, the {mark}, is {how}.",
        where=shown.name(len(shown.maps) - 1),
        share=float(point.probabilities[-1]),
        last=run.class_names[-1],
        neighbours=NEIGHBOURS,
        are=" and ".join([first.replace(" ", " are ", 1), *others]),
        mark="star" if fitted.dimensions == 2 else "cross",
        how="exact" if exact else "approximate: t-SNE has no formula for a new point",
    )
