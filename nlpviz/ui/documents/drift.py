"""What a run's best epoch is compared with: which neighbours changed, which documents moved most, and where to."""

from __future__ import annotations

import numpy as np
import streamlit as st

from nlpviz.analysis.projections.drift import drift_of, neighbours_there
from nlpviz.data import DataError
from nlpviz.figures.documents import drift as figures
from nlpviz.figures.documents.drift_sentences import compared_said, count_said, floor_said, moved_said, verdicts_table
from nlpviz.results.drift import ComparedSpace, Drift
from nlpviz.runs import Run
from nlpviz.ui import cache, classes, plotly_view, progress, texts, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, controls, details, escape_markdown, lead_to, takeaway
from nlpviz.ui.run_filter import READ_CLOSELY, WITH_DOCUMENTS

COUNTS = ("10", "5", "20", "50")
_COMPARED = "compared"
PICKED = "document that moved"
"""The document whose neighbours are listed, in the session; ``document`` in the address."""
_TABLE, _SHOWN = "movers_table", 100


def found(run: Run, count: int, against: str) -> Drift:
    """Return the run's comparisons, computed once under a progress bar."""
    others = _others(run)
    key = ("drift", run.name, run.fingerprint, count, against, *sorted(one.fingerprint for one in others))
    return progress.computed(
        key,
        f"Finding nearest neighbours in {len(others) + len(run.surveyed)} embedding spaces",
        lambda report: drift_of(run, others, count, against, report),
    )


def show(run: Run, drift: Drift, against: str) -> ComparedSpace:
    """Show all comparisons beside the seeds' band, say what they come to, and return the one that was chosen."""
    rows = figures.in_order(drift)
    if not rows:
        st.info(
            f"{escape_markdown(run.title)} stores only one epoch and is the only run on these "
            f"{classes.document(run)}s, so "
            "there is nothing to compare."
        )
        st.stop()
    listed = {one.found.key: one for one in (*drift.group("networks"), *drift.group("epochs"), *drift.group("seeds"))}
    listed = {key: listed[key] for key in sorted(listed, key=lambda key: _rank(listed[key]))}
    with controls():
        chosen = widgets.pick(_COMPARED, "Comparison", list(listed), lambda key: listed[key].found.title)
    sentence, pieces = count_said(drift)
    takeaway(sentence, **pieces)
    others = [one for one in _others(run) if one.corpus.get("name") == run.corpus.get("name")]
    compared = Call(drift_of, run, others, drift.neighbours, against).giving(drift)
    drawn = Call(figures.drift_dots, compared, chosen, classes.document(run))
    plotly_view.show(drawn, key="drift", on_click=widgets.set_to(_COMPARED))
    one = rows[[row.found.key for row in rows].index(chosen)]
    _tell(floor_said(drift, classes.document(run)))
    _tell(compared_said(drift, one, f"epoch {_before(run, one, against)}"))
    with details():
        st.dataframe(verdicts_table(drift), hide_index=True)
    return one


def show_movers(run: Run, drift: Drift, one: ComparedSpace, against: str) -> None:
    """Show the documents whose neighbourhood moved most beyond what seeds do; a chosen row lists its neighbours."""
    if moved := moved_said(one, classes.document(run)):
        st.caption(escape_markdown(moved))
    order = one.movers[:_SHOWN]
    ids = [drift.ids[position] for position in order]
    table: dict[str, object] = {
        **texts.first_words(run, ids),
        classes.document(run).capitalize(): ids,
        "Label": [run.class_names[drift.labels[position]] for position in order],
        f"Changed neighbours (of {drift.neighbours})": np.rint(one.found.changed[order] * drift.neighbours).astype(int),
    }
    if one.floor is not None:
        table["Largest change between seeds"] = np.rint(one.floor.most[order] * drift.neighbours).astype(int)

    def take() -> None:
        rows = st.session_state[_TABLE]["selection"]["rows"]
        if rows and rows[0] < len(ids):
            st.session_state[PICKED] = ids[rows[0]]

    st.dataframe(table, hide_index=True, key=_TABLE, on_select=take, selection_mode="single-row", height=300)
    chosen = widgets.follow(PICKED, drift.ids, ids[0], parameter="document")
    _show_neighbours(run, drift, one, (chosen, _before(run, one, against)))


def _show_neighbours(run: Run, drift: Drift, one: ComparedSpace, asked: tuple[str, int]) -> None:
    """Show the neighbours of one document in both spaces, and its text where the corpus is available.

    Args:
        run: whose documents.
        drift: that the comparison belongs to.
        one: the comparison.
        asked: the document's id, and the epoch of the run that is compared.
    """
    document, epoch = asked
    position = drift.ids.index(document)
    own, _ = neighbours_there(run, drift, f"epoch {epoch}", _others(run))
    its, other = neighbours_there(run, drift, one.found.key, _others(run))
    labels = dict(zip(drift.ids, drift.labels.tolist(), strict=True))
    here = [drift.ids[near] for near in own[position]]
    there = neighbours_named(its, other, document)
    if there is None:
        st.info(f"{escape_markdown(one.found.title)} does not store this {classes.document(run)}.")
        return
    answer(
        "{document}, labelled {label}: **{shared} of its {count}** nearest neighbours are unchanged.",
        document=texts.named(run, document),
        label=run.class_names[labels[document]],
        shared=len(set(here) & set(there)),
        count=len(here),
    )
    columns = st.columns(2, gap="medium")
    for column, title, names, others in (
        (columns[0], f"{run.title}, epoch {epoch}", here, there),
        (columns[1], one.found.title, there, here),
    ):
        with column:
            st.markdown(f"**{escape_markdown(title)}**")
            st.table(_listed(run, names, others, labels), hide_index=True, border="horizontal")
    try:
        text = cache.document_text(run.corpus["name"], document)
    except DataError:
        return
    with st.expander(f"The {classes.document(run)}"):
        st.markdown(texts.document_markdown(text))
    if READ_CLOSELY.asks(run):
        lead_to("One review", "Which words moved this prediction?", "saliency", text=document, run=run.name)
    lead_to("Explore", "Show on the map", "map", text=document, run=run.name)


def neighbours_named(nearest: np.ndarray, run: Run, document: str) -> list[str] | None:
    """Return the ids of a document's neighbours in the space of ``run``; None where that does not keep it."""
    from nlpviz.runs.documents import documents_of

    ids = documents_of(run).ids
    return [ids[near] for near in nearest[ids.index(document)]] if document in ids else None


def _listed(run: Run, names: list[str], others: list[str], labels: dict[str, int]) -> dict[str, list[str]]:
    """Return neighbours as a table: which of them are in the other list as well, their labels, how they begin."""
    begins = texts.first_words(run, names)
    return {heading: list(map(escape_markdown, said)) for heading, said in begins.items()} | {
        "Neighbour": [f"**{escape_markdown(name)}**" if name in others else escape_markdown(name) for name in names],
        "Label": [run.class_names[labels[name]] if name in labels else "" for name in names],
    }


def _others(run: Run) -> list[Run]:
    return [one for name, one in WITH_DOCUMENTS.runs().items() if name != run.name]


def _rank(one: ComparedSpace) -> tuple[int, float]:
    """Networks come first, the least different one before all, then the latest epoch."""
    groups = ("networks", "epochs", "seeds")
    return groups.index(one.group), one.found.mean


def _tell(said: tuple[str, dict[str, object]]) -> None:
    sentence, pieces = said
    answer(sentence, **pieces)


def _before(run: Run, one: ComparedSpace, against: str) -> int:
    """Return the epoch of the run that something is compared with."""
    if one.group != "epochs" or against == "chosen":
        return run.best_epoch
    return run.surveyed[run.surveyed.index(int(one.found.key.rpartition(" ")[2])) - 1]
