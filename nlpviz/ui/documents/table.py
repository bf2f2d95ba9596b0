"""The test documents as a table: what each is, what each checkpoint made of it, and which of them are wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nlpviz.figures.documents.confusion import confusion_matrix, largest_confusions
from nlpviz.runs import Checkpoint, Run
from nlpviz.runs.documents import confusion_of, documents_of, every_epoch_of, probabilities_of
from nlpviz.ui import classes, plotly_view, texts
from nlpviz.ui.calls import Call
from nlpviz.ui.documents.cache import document_regions
from nlpviz.ui.frame import answer, takeaway

SHOWN = {"errors": "errors", "all": "all", "right": "correct", "turned": "where predictions differ"}
ORDERS = {"confidence": "confidence, highest first", "doubt": "confidence, lowest first", "id": "id"}
_BY_EPOCH = "By epoch"
_KEY, _ROWS = "documents_table", "documents in the table"  # in the session
_SURE = 0.9


def show(checkpoints: Sequence[Checkpoint], shown: str, order: str) -> None:
    """Show the documents with what every checkpoint predicts; a chosen row is the text of all views.

    Errors and confidence are those of the chosen run's last epoch.

    Args:
        checkpoints: the chosen run's first.
        shown: a key of :data:`SHOWN`.
        order: a key of :data:`ORDERS`.
    """
    run = checkpoints[0].run
    leading = [checkpoint for checkpoint in checkpoints if checkpoint.run.name == run.name][-1]
    able = [one for one in checkpoints if documents_of(one.run).ids == documents_of(run).ids]
    given = np.stack([probabilities_of(one.run, one.epoch) for one in able], axis=1)  # (N, checkpoints, K)
    rows = _rows(run, given, able.index(leading), shown, order)
    _tell(leading, given[:, able.index(leading)])
    if not len(rows):
        st.info("No text matches. Show all texts or choose other epochs.")
        _tell_most(leading, given[:, able.index(leading)])
        return
    documents = documents_of(run)
    st.session_state[_ROWS] = ids = [documents.ids[row] for row in rows]
    moved = document_regions(run)
    table: dict[str, object] = {
        **texts.first_words(run, ids),
        classes.document(run).capitalize(): ids,
        **({"Stars": documents.ratings[rows]} if documents.ratings.any() else {}),
        "Label": [run.class_names[label] for label in documents.labels[rows]],
    }
    formats: dict[str, Any] = {}
    for position, one in enumerate(able):
        several = {each.run.name for each in able} != {run.name}
        columns = _columns(run, given[rows, position], f"{one.run.title}, " * several + f"epoch {one.epoch}")
        table |= {name: values for name, (values, _) in columns.items()}
        formats |= {name: format_ for name, (_, format_) in columns.items() if format_ is not None}
    table["Tokens"] = documents.lengths[rows]
    table[_BY_EPOCH], formats[_BY_EPOCH] = _by_epoch(run, rows)
    if moved:
        table["Strongest n-grams"] = [
            ", ".join(n for side in moved[id_][:2] for n, _ in side[:2]) if id_ in moved else "" for id_ in ids
        ]
    st.dataframe(
        table, hide_index=True, key=_KEY, on_select=_take, selection_mode="single-row", height=440,
        column_config=formats,
    )  # fmt: skip
    _tell_most(leading, given[:, able.index(leading)])


def _columns(run: Run, answers: NDArray[np.float32], which: str) -> dict[str, tuple[Any, Any]]:
    """Return what one checkpoint makes of some documents (N, K): columns by heading, each with its format or None.

    Of two classes it is the probability of the last one, of more the predicted class with its probability.
    """
    several, last = answers.shape[1] > 2, run.class_names[-1]
    of = "predicted class" if several else last
    bar = st.column_config.ProgressColumn(
        f"p({of}), {which}" if not several else f"Confidence, {which}",
        format="percent", min_value=0.0, max_value=1.0, help=f"Probability of the {of}" if several
        else f"Predicted probability of {last}",
    )  # fmt: skip
    if not several:
        return {f"p({last}), {which}": (answers[:, -1].astype(float), bar)}
    names = [run.class_names[label] for label in answers.argmax(axis=1)]
    return {f"Predicted, {which}": (names, None), f"Confidence, {which}": (answers.max(axis=1).astype(float), bar)}


def _by_epoch(run: Run, rows: NDArray[np.intp]) -> tuple[list[NDArray[np.float64]], Any]:
    """Return the course of a probability over the epochs for each row, and its format.

    Of two classes it is that of the last one, of more that of the document's own label.
    """
    epochs, several = every_epoch_of(run), len(run.class_names) > 2
    own = documents_of(run).labels[rows] if several else np.full(len(rows), -1)
    courses = np.stack([given[rows, own] for given in epochs.values()], axis=1).astype(float)
    of = "the label" if several else run.class_names[-1]
    said = f"Predicted probability of {of} after each epoch, 0 to {max(epochs)}"
    return list(courses), st.column_config.LineChartColumn(y_min=0.0, y_max=1.0, help=said)


def _rows(run: Run, given: NDArray[np.float32], leading: int, shown: str, order: str) -> NDArray[np.intp]:
    """Return the rows to show, in their order."""
    predicted = given.argmax(axis=2)
    wrong = predicted[:, leading] != documents_of(run).labels
    kept = {
        "errors": wrong,
        "right": ~wrong,
        "turned": np.any(predicted != predicted[:, :1], axis=1),
        "all": np.ones(len(given), dtype=bool),
    }[shown]
    rows = np.flatnonzero(kept)
    if order == "id":
        return rows
    confidence = given[rows, leading].max(axis=1)
    return rows[np.argsort(-confidence if order == "confidence" else confidence, kind="stable")]


def _tell(checkpoint: Checkpoint, given: NDArray[np.float32]) -> None:
    """Say over the table how many documents are misclassified (N, K)."""
    found = confusion_of(*checkpoint)
    wrong = int(found.counts.sum() - np.trace(found.counts))
    takeaway(
        "At epoch {epoch}, {wrong:,} of {count:,} test {document}s (**{share:.0%}**) are misclassified.",
        wrong=wrong,
        count=len(given),
        document=classes.document(checkpoint.run),
        epoch=checkpoint.epoch,
        share=wrong / len(given),
    )


def _tell_most(checkpoint: Checkpoint, given: NDArray[np.float32]) -> None:
    """Say under the table which classes are confused, and how many errors are confident."""
    found = confusion_of(*checkpoint)
    sure = (given.argmax(axis=1) != documents_of(checkpoint.run).labels) & (given.max(axis=1) >= _SURE)
    pairs = largest_confusions(found, 2 if len(found.class_names) == 2 else 3)
    pieces: dict[str, object] = {}
    named = []
    for place, (true, predicted, count) in enumerate(pairs):
        pieces |= {f"true{place}": true, f"predicted{place}": predicted, f"count{place}": count}
        named.append(f"{{true{place}}} predicted as {{predicted{place}}} ({{count{place}:,}})")
    most = "Most often confused: " if len(found.class_names) > 2 else "Errors: "
    answer(
        (f"{most}{', '.join(named)}. " if named else "")
        + "{sure:,} errors were made with a confidence of at least 90%.",
        sure=int(sure.sum()),
        **pieces,
    )


def show_confusion(checkpoint: Checkpoint) -> None:
    """Show which classes the chosen epoch takes for which."""
    run, epoch = checkpoint
    found, about = Call(confusion_of, run, epoch), (f"{run.title}, epoch {epoch}", "stored test documents")
    plotly_view.show(Call(confusion_matrix, found, *about, document=classes.document(run)), key="confusion")


def _take() -> None:
    """A row was chosen: its document is the text of all views."""
    rows = st.session_state[_KEY]["selection"]["rows"]
    ids = st.session_state.get(_ROWS, [])
    if rows and rows[0] < len(ids):
        st.session_state[texts.SOURCE] = ids[rows[0]]
