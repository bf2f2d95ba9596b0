"""The test reviews as a table: what each is, what each checkpoint made of it, and which of them are wrong."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nlpviz.runs import Checkpoint, Run
from nlpviz.runs.documents import documents_of, every_epoch_of, probabilities_of
from nlpviz.ui import texts, widgets
from nlpviz.ui.documents.cache import document_regions
from nlpviz.ui.frame import answer

SHOWN = {"errors": "errors", "all": "all reviews", "right": "correct", "turned": "where the columns disagree"}
ORDERS = {"confidence": "confidence, highest first", "doubt": "confidence, lowest first", "id": "id"}
_BY_EPOCH = "By epoch"
_KEY, _ROWS = "reviews_table", "reviews in the table"  # in the session


def pick_rows() -> tuple[str, str]:
    """Return which reviews are shown, and in which order."""
    shown = widgets.pick("rows", "Show", list(SHOWN), SHOWN.__getitem__)
    return shown, widgets.pick("order", "Sort by", list(ORDERS), ORDERS.__getitem__)


def show(checkpoints: Sequence[Checkpoint], shown: str, order: str) -> None:
    """Show the reviews with what every checkpoint gave the last class; a chosen row is the text of all views.

    Errors and confidence are those of the chosen run's last epoch.

    Args:
        checkpoints: the chosen run's first.
        shown: a key of :data:`SHOWN`.
        order: a key of :data:`ORDERS`.
    """
    run = checkpoints[0].run
    leading = [checkpoint for checkpoint in checkpoints if checkpoint.run.name == run.name][-1]
    able = [one for one in checkpoints if documents_of(one.run).ids == documents_of(run).ids]
    epochs = every_epoch_of(run)
    given = np.stack([probabilities_of(one.run, one.epoch) for one in able], axis=1).astype(float)
    rows = _rows(run, given, able.index(leading), shown, order)
    _tell(leading, given[:, able.index(leading)])
    if not len(rows):
        st.info("There are no such reviews: show all reviews, or other epochs.")
        return
    documents = documents_of(run)
    st.session_state[_ROWS] = ids = [documents.ids[row] for row in rows]
    last = run.class_names[-1]
    names = [f"p({last}), {one.run.title}, epoch {one.epoch}" for one in able]
    if {one.run.name for one in able} == {run.name}:
        names = [f"p({last}), epoch {one.epoch}" for one in able]
    moved = document_regions(run)
    table: dict[str, object] = {
        "Review": ids,
        "Stars": documents.ratings[rows],
        "Label": [run.class_names[label] for label in documents.labels[rows]],
        **{name: given[rows, position] for position, name in enumerate(names)},
        "Tokens": documents.lengths[rows],
    }
    table[_BY_EPOCH] = list(np.stack(list(epochs.values()), axis=1)[rows].astype(float))
    if moved:
        table["N-grams that moved it"] = [
            ", ".join(n for side in moved.get(id_, ()) for n, _ in side[:2]) for id_ in ids
        ]
    st.dataframe(
        table, hide_index=True, key=_KEY, on_select=_take, selection_mode="single-row", height=440,
        column_config={
            name: st.column_config.ProgressColumn(
                name, format="percent", min_value=0.0, max_value=1.0, help=f"Predicted probability of {last}"
            )
            for name in names
        }
        | {
            _BY_EPOCH: st.column_config.LineChartColumn(
                y_min=0.0, y_max=1.0, help=f"Predicted probability of {last} after each epoch, 0 to {max(epochs)}"
            )
        },
    )  # fmt: skip


def _rows(run: Run, given: NDArray[np.float64], leading: int, shown: str, order: str) -> NDArray[np.intp]:
    """Return the rows to show, in their order."""
    predicted = given > 0.5
    wrong = predicted[:, leading] != (documents_of(run).labels == len(run.class_names) - 1)
    kept = {
        "errors": wrong,
        "right": ~wrong,
        "turned": np.any(predicted != predicted[:, :1], axis=1),
        "all": np.ones(len(given), dtype=bool),
    }[shown]
    rows = np.flatnonzero(kept)
    if order == "id":
        return rows
    confidence = np.abs(given[rows, leading] - 0.5)
    return rows[np.argsort(-confidence if order == "confidence" else confidence, kind="stable")]


def _tell(checkpoint: Checkpoint, given: NDArray[np.float64]) -> None:
    run = checkpoint.run
    labels = documents_of(run).labels == len(run.class_names) - 1
    predicted = given > 0.5
    answer(
        "At epoch {epoch}, {wrong:,} of these {count:,} test reviews are misclassified: {missed:,} {last} ones "
        "predicted as {first}, {alarms:,} {first} ones as {last}. {sure:,} of the errors have a confidence of 90% or "
        "more.",
        epoch=checkpoint.epoch,
        wrong=int(np.sum(predicted != labels)),
        count=len(given),
        missed=int(np.sum(labels & ~predicted)),
        alarms=int(np.sum(~labels & predicted)),
        sure=int(np.sum((predicted != labels) & (np.maximum(given, 1 - given) >= 0.9))),
        first=run.class_names[0],
        last=run.class_names[-1],
    )


def _take() -> None:
    """A row was chosen: its review is the text of all views."""
    rows = st.session_state[_KEY]["selection"]["rows"]
    ids = st.session_state.get(_ROWS, [])
    if rows and rows[0] < len(ids):
        st.session_state[texts.SOURCE] = ids[rows[0]]
