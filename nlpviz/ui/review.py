"""A visitor's own review, to be put on a map of documents or of words: its box, its mark, how exact its position is."""

from __future__ import annotations

import streamlit as st

from nlpviz.data.examples import examples
from nlpviz.projections import projectors
from nlpviz.ui import texts

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
    return None if placed is None else texts.readable(str(placed))


def mark(dimensions: int) -> str:
    """Return what people call the mark of the review on a map."""
    return "star" if dimensions == 2 else "cross"


def how_exact(projector: str) -> str:
    """Return how true the review's place is on the map of a projector."""
    return "exact" if projectors()[projector].exact else "approximate: t-SNE has no formula for a new point"
