"""The reviews on a map whose prediction turns when the ratings in them, such as ``7/10``, are masked."""

from __future__ import annotations

import numpy as np
import streamlit as st

from nlpviz.runs import Run
from nlpviz.runs.documents import documents_of
from nlpviz.runs.predictions import PREDICTIONS
from nlpviz.runs.without_ratings import WithoutRatings, without_ratings
from nlpviz.ui import widgets
from nlpviz.ui.frame import answer


def tell_masked(run: Run) -> WithoutRatings | None:
    """Say how many of a run's documents change their class when ratings are masked; None where nobody asked."""
    if PREDICTIONS not in run.files:
        widgets.tell_unmeasured(run, "Reliance on ratings in the text")
        return None
    found = without_ratings(run)
    if found is None:
        return None
    positions = np.flatnonzero(found.turned)
    right = int((found.before[positions] == found.labels[positions]).sum())
    answer(
        "{rated:,} of {documents:,} reviews contain a rating such as 7/10. Masking all ratings changes the predicted "
        "class of **{turned:,}** of them: {right:,} were correct before, and {now:,} are correct now.",
        rated=int(found.rated.sum()),
        documents=len(found.ids),
        turned=len(positions),
        right=right,
        now=int((found.after[positions] == found.labels[positions]).sum()),
    )
    return found


def show_turned(run: Run) -> None:
    """Say how many of a run's documents change their class when ratings are masked, and show these as a table.

    Nothing is shown where the texts of its corpus state no ratings.
    """
    if not documents_of(run).ratings.any():
        return
    st.header("Which predictions depend on a rating?", anchor=False)
    found = tell_masked(run)
    if found is not None and found.turned.any():
        percent = st.column_config.NumberColumn(format="percent")
        formats = dict.fromkeys(_headings(run), percent)
        st.dataframe(turned_table(run, found), hide_index=True, column_config={**formats})


def turned_table(run: Run, found: WithoutRatings) -> dict[str, list[object]]:
    """Return the reviews whose class changes, the one whose probability changes most first."""
    change = np.abs(found.shares[:, 1] - found.shares[:, 0])
    positions = sorted(np.flatnonzero(found.turned).tolist(), key=lambda position: -change[position])
    with_ratings, without = _headings(run)
    return {
        "Review": [found.ids[position] for position in positions],
        "Label": [run.class_names[found.labels[position]] for position in positions],
        "Predicted": [run.class_names[found.before[position]] for position in positions],
        "Without ratings": [run.class_names[found.after[position]] for position in positions],
        with_ratings: [float(found.shares[position, 0]) for position in positions],
        without: [float(found.shares[position, 1]) for position in positions],
    }


def _headings(run: Run) -> tuple[str, str]:
    whose = run.class_names[-1] if len(run.class_names) == 2 else "predicted"
    return f"P({whose})", f"P({whose}) without ratings"
