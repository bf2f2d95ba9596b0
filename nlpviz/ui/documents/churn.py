"""On which documents classifiers, or epochs of one, disagree: the matrix, the documents, one document's answers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nlpviz.data import DataError
from nlpviz.figures.documents.churn import churn_matrix
from nlpviz.figures.documents.churn_sentences import count_said, epochs_said, networks_said, pair_said, pairs_table
from nlpviz.results.churn import Churn, by_likeness, seeds_churn
from nlpviz.runs import Run, RunError
from nlpviz.runs.churn import churn_of_epochs, churn_of_networks, seeds_on
from nlpviz.runs.predictions import PREDICTIONS
from nlpviz.stats.significance import Interval
from nlpviz.ui import cache, classes, limits, plotly_view, texts, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, controls, details, escape_markdown, lead_to, takeaway
from nlpviz.ui.widgets import Wanted

ANSWERING = Wanted("Explore", able=lambda run: PREDICTIONS in run.files, named="classifier with predictions")
"""Runs that say what they predict for every test document."""
WHAT = {"networks": "networks and seeds", "epochs": "epochs of this model"}
_PAIR, _ALL = "pair", "all"
PICKED = "document in dispute"
"""The document whose answers are listed, in the session; ``document`` in the address."""
_TABLE, _SHOWN = "disputed_table", 200


def found_of(run: Run, what: str) -> tuple[Churn, Interval | None]:
    """Return who answers, and the band of the churn between seeds; the page ends where there is nobody to compare."""
    found, band = _found(run, what, _others(run))
    if len(found.answering) < 2:
        st.info(
            f"There is no other classifier on this corpus to compare with {escape_markdown(run.title)}. Train another "
            f"network, or run `python -m nlpviz seeds {run.name} --seed {run.seed + 2}`."
        )
        st.stop()
    return found, band


def _others(run: Run) -> list[Run]:
    alike = [one for one in cache.runs().values() if one.corpus.get("name") == run.corpus.get("name")]
    return sorted((one for one in alike if PREDICTIONS in one.files), key=lambda one: one.name)


def show(run: Run, found: Churn, band: Interval | None, asked: tuple[str, str]) -> tuple[int, int] | None:
    """Show the matrix, say what it comes to, and return the pair that was chosen; None for all.

    Args:
        run: the chosen one.
        found: who answers.
        band: of the seeds.
        asked: whose answers are compared, a key of :data:`WHAT`, and what a cell says.
    """
    what, measure = asked
    of_epochs, document = what == "epochs", classes.document(run)
    named = {_name(found, pair): pair for pair in found.pairs}
    titles = {
        key: f"{found.answering[one].title} and {found.answering[other].title}" for key, (one, other) in named.items()
    }
    with controls():
        chosen = widgets.pick(_PAIR, "Pair", [_ALL, *named], lambda key: titles.get(key, "all"))
    sentence, pieces = count_said(found, document, epochs=of_epochs)
    takeaway(sentence, **pieces)
    order = list(range(len(found.answering))) if of_epochs else by_likeness(found)
    call = Call(churn_of_epochs, run) if of_epochs else Call(churn_of_networks, run, _others(run))
    of = f"epochs of {run.title}" if of_epochs else f"classifiers on {run.corpus['name']}, best epochs"
    drawn = Call(churn_matrix, call.giving(found), order, measure, band, of)
    plotly_view.show(drawn, key="disagreement", on_click=_choose(found))
    sentence, pieces = (epochs_said if of_epochs else networks_said)(found, band)
    answer(sentence, **pieces)
    if chosen != _ALL:
        sentence, pieces = pair_said(found, named[chosen], band)
        answer(sentence, **pieces)
    with details():
        st.dataframe(pairs_table(found, band), hide_index=True, height=300)
    return named.get(chosen)


def show_documents(run: Run, found: Churn, pair: tuple[int, int] | None) -> None:
    """Show the documents in dispute, those of most pairs first; a chosen row lists all answers."""
    rows = found.most if pair is None else _apart(found, pair)
    rows = rows[found.disagreement[rows] > 0][:_SHOWN]
    if not len(rows):
        st.info(f"The predictions agree on every {classes.document(run)}.")
        return
    ids = [found.ids[row] for row in rows]
    table: dict[str, object] = {
        **texts.first_words(run, ids),
        classes.document(run).capitalize(): ids,
        "Label": [found.class_names[label] for label in found.labels[rows]],
    }
    formats = {}
    if pair is None:
        table["Correct"] = [f"{found.votes[row, found.labels[row]]} of {len(found.answering)}" for row in rows]
        table["Pairs that disagree"] = found.disagreement[rows]
        formats["Pairs that disagree"] = st.column_config.NumberColumn(format="percent")
    for one in () if pair is None else (found.answering[at] for at in pair):
        table[one.title] = [f"{found.class_names[one.classes[row]]}, {one.certain[row]:.0%}" for row in rows]

    def take() -> None:
        selected = st.session_state[_TABLE]["selection"]["rows"]
        if selected and selected[0] < len(ids):
            st.session_state[PICKED] = ids[selected[0]]

    st.dataframe(
        table, hide_index=True, key=_TABLE, on_select=take, selection_mode="single-row", height=320,
        column_config=formats,
    )  # fmt: skip
    chosen = widgets.follow(PICKED, found.ids, ids[0], parameter="document")
    _show_answers(run, found, found.ids.index(chosen))


def _show_answers(run: Run, found: Churn, row: int) -> None:
    """Show what each run predicts for a document, and its text where the corpus is available."""
    label = int(found.labels[row])
    answer(
        "{document}, labelled {label}: **{right} of {count}** predict this label.",
        document=texts.named(run, found.ids[row]),
        label=found.class_names[label],
        right=int(found.votes[row, label]),
        count=len(found.answering),
    )
    said = sorted(found.answering, key=lambda one: (one.classes[row] == label, -one.certain[row]))
    st.dataframe(
        {
            "Classifier": [one.title for one in said],
            "Predicts": [found.class_names[one.classes[row]] for one in said],
            "Probability": [float(one.certain[row]) for one in said],
            "Correct": ["yes" if one.classes[row] == label else "no" for one in said],
        },
        hide_index=True, height="content",
        column_config={"Probability": st.column_config.ProgressColumn(format="percent", min_value=0.0, max_value=1.0)},
    )  # fmt: skip
    try:
        text = cache.document_text(run.corpus["name"], found.ids[row])
    except DataError:
        text = None
    with st.expander(f"The {classes.document(run)}"):
        st.markdown(
            f"To read its text, download the corpus: `python -m nlpviz fetch {run.corpus['name']}`."
            if text is None
            else texts.document_markdown(text)
        )
    lead_to("One review", "Which words moved this prediction?", "saliency", text=found.ids[row], run=run.name)


def _choose(found: Churn) -> Callable[[str], None]:
    def choose(value: str) -> None:
        one, _, other = value.partition(" ")
        st.session_state[_PAIR] = _name(found, (int(one), int(other)))

    return choose


def _name(found: Churn, pair: tuple[int, int]) -> str:
    return " · ".join(found.answering[at].key for at in pair)


def _apart(found: Churn, pair: tuple[int, int]) -> NDArray[np.intp]:
    """Return the documents on which two disagree, those first on which both are most certain."""
    one, other = (found.answering[at] for at in pair)
    rows = np.flatnonzero(one.classes != other.classes)
    return rows[np.argsort(-np.minimum(one.certain[rows], other.certain[rows]), kind="stable")]


@cache.shared(limits.entries(12), "Comparing predictions…")
def _found(run: Run, what: str, there: list[Run]) -> tuple[Churn, Interval | None]:
    if what == "networks":
        found = churn_of_networks(run, there)
        return found, seeds_churn(found)
    found = churn_of_epochs(run)
    try:
        return found, seeds_on(run, there, found.ids)
    except RunError:
        return found, None
