"""What the page says of the unit of a language model that tells the sentiment of reviews."""

from __future__ import annotations

import streamlit as st

from nlpviz.figures.numbers import number
from nlpviz.results.sentiment_unit import READINGS, SentimentUnit
from nlpviz.runs import Run
from nlpviz.runs.sentiment_unit import sentiment_unit
from nlpviz.ui.frame import answer


def show(run: Run) -> None:
    """Show the sentiment unit of a run that keeps one: how well it classifies alone."""
    found = sentiment_unit(run)
    if found is None:
        return
    st.header("Is there a sentiment unit?", anchor=False)
    tell(found)


def tell(found: SentimentUnit) -> None:
    """Say how well the unit does, and how it was chosen."""
    answer(
        "Trained without labels, one unit, **{unit}** ({reading} of a review), still classifies **{accuracy:.1%}** of "
        "{test:,} test reviews correctly: {above} above {threshold}.",
        unit=found.unit.id, reading=READINGS[found.reading], accuracy=found.accuracy, test=found.test,
        above=found.above, threshold=number(found.threshold, ".3f"),
    )  # fmt: skip
    st.caption(
        f"95% CI {found.interval.low:.1%} to {found.interval.high:.1%} (Wilson); chance is 50%. "
        f"Chosen from {found.searched:,} pairs of a unit and a reading: {found.training:,} training reviews gave each "
        f"its threshold, {found.validation:,} held-out reviews chose this one ({found.validation_accuracy:.1%} there), "
        f"and the test reviews were read once, with the weights of epoch {found.epoch}. Of each review "
        f"the first {found.longest:,} words are read. After Radford, Jozefowicz and "
        "Sutskever (2017), whose network was larger and had read 82 million reviews."
    )
