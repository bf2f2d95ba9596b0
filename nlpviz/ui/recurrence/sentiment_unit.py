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
        "One unit, **{unit}** ({reading} of a review), classifies **{accuracy:.1%}** of {test:,} test reviews "
        "correctly: values above {threshold} mean {above}. The network was trained without labels.",
        unit=found.unit.id, reading=READINGS[found.reading], accuracy=found.accuracy, test=found.test,
        above=found.above, threshold=number(found.threshold, ".3f"),
    )  # fmt: skip
    st.caption(
        f"95% CI {found.interval.low:.1%} to {found.interval.high:.1%} (Wilson); chance is 50%. "
        f"The unit was selected from {found.searched:,} combinations of a unit and a reading. Thresholds were set "
        f"on {found.training:,} training reviews, and the combination was selected on {found.validation:,} held-out "
        f"reviews (accuracy {found.validation_accuracy:.1%}). The test reviews were used once, with the weights of "
        f"epoch {found.epoch}. Only the first {found.longest:,} words of each review are read. The analysis follows "
        f"Radford, Jozefowicz and Sutskever (2017), whose network was larger and was trained on 82 million reviews."
    )
