"""The tours on their page: what each is about, where it leads, and what is wrong with any."""

from __future__ import annotations

import streamlit as st

from nlpviz.ui import frame, tour_bar, views
from nlpviz.ui.tour_stories import Tour, tours


def show() -> None:
    """Show a card for each tour, and a sentence for each file that is none."""
    found, problems = tours()
    for sentence in problems:
        frame.explain_error(sentence)
    if not found:
        st.info("No tours are available.")
        return
    tour_bar.pick_present()
    cards = frame.cards()
    places = views.places()
    for tour in found:
        with next(cards):
            st.header(frame.escape_markdown(tour.title), anchor=False)
            st.markdown(frame.escape_markdown(tour.about))
            wrong = next((said for step in tour.steps if (said := tour_bar.problem(step, places))), "")
            if wrong:
                frame.explain_error(wrong)
            st.caption(_facts(tour))
            tour_bar.lead_in(tour, "Begin")


def _facts(tour: Tour) -> str:
    asked = sum(step.question is not None for step in tour.steps)
    places = dict.fromkeys(step.place.page for step in tour.steps)
    questions = f"{asked} question{'s' * (asked != 1)}, " if asked else ""
    return frame.escape_markdown(f"{len(tour.steps)} steps, {questions}on {', '.join(places)}")
