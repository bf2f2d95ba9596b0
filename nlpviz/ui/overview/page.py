"""The Overview from top to bottom: each part is there where a run can show it."""

from __future__ import annotations

import streamlit as st

from nlpviz.ui import cache, frame, tour_bar, widgets
from nlpviz.ui.overview import own_review
from nlpviz.ui.tour_stories import tours


def show() -> None:
    """Show the page under its title, for the runs that there are."""
    widgets.some_runs()
    run = widgets.any_classifier()
    if run:
        own_review.show(run)
    from nlpviz.ui.overview import pictures  # what it imports is not needed before the text is coloured

    pictures.show(run)
    left, right = st.columns(2, gap="medium")
    if found := tours()[0]:
        with left:
            st.header("Tours: guided stories", anchor=False)
            for tour in found:
                tour_bar.lead_in(tour, tour.title)
    with right:
        st.header("Models", anchor=False)
        count = len(cache.runs())
        label = f"{count:,} trained models: which is best, and by how much?" if count > 1 else "The trained model"
        frame.lead_to("Models", label, "compare")
