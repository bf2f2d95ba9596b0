"""Analogies as training goes on: one of them at every epoch, and how many of Google's questions are answered right."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nlpviz.figures.words.analogy_scores import AtEpoch, accuracy_by_section, rank_by_epoch
from nlpviz.results.word_queries import Analogy, Expression
from nlpviz.runs import Run
from nlpviz.runs.analogies import scores_by_epoch
from nlpviz.ui import plotly_view
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import escape_markdown
from nlpviz.ui.words import choice
from nlpviz.ui.words.analogies import Solved
from nlpviz.ui.words.choice import VectorSource
from nlpviz.word_vectors import WordVectorsError
from nlpviz.word_vectors.analogies import solve
from nlpviz.word_vectors.lookup import find

_FIRST = 3  # answers in a row of the table


def show_epochs(solved: Sequence[Solved]) -> None:
    """Show which rank the expected word, or the answer, has at every epoch of the runs shown."""
    answered = {one.source.name: one for one in solved if one.analogy and one.analogy.neighbours and one.source.run}
    if not any(one.source.run and len(one.source.run.epochs) > 1 for one in answered.values()):
        return
    analogy = next(iter(answered.values())).analogy
    assert analogy is not None
    word = analogy.expected or analogy.neighbours[0].word
    followed = [
        (source, at_epoch)
        for one in answered.values()
        for source in choice.epochs_of(one.source)
        if (at_epoch := _at_epoch(source, analogy, word)) is not None
    ]
    st.header("By epoch", anchor=False)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        ranks = [Call(AtEpoch.of, source.run.title, source.epoch, own) for source, own in followed if source.run]
        drawn = Call(rank_by_epoch, ranks, word, analogy.expression.proportion, analogy.method)
        plotly_view.show(drawn, key="rank_by_epoch")
    with right:
        one_run = len({source.name for source, _ in followed}) == 1
        named = [str(source.epoch) if one_run else escape_markdown(source.title) for source, _ in followed]
        st.table(
            {
                "Epoch" if one_run else "Vectors": named,
                "Top answers": [
                    escape_markdown(", ".join(one.word for one in own().neighbours)) for _, own in followed
                ],
                f"Rank of {escape_markdown(word)}": [
                    "–" if own().rank is None else f"{own().rank:,}" for _, own in followed
                ],
            },
            hide_index=True,
            border="horizontal",
        )


def _at_epoch(source: VectorSource, query: Analogy, word: str) -> Call[Analogy] | None:
    """Return the answer of other vectors to an analogy, or None where they lack a word or have no answer."""
    solved = Call(
        solve, choice.read(source), Call(Expression, query.expression.terms), method=query.method,
        exclude=query.excludes, count=_FIRST,
        expected=word if find(choice.vectors(source), word) is not None else None,
    )  # fmt: skip
    try:
        return solved if solved().neighbours else None
    except (WordVectorsError, KeyError):
        return None


def show_accuracies(sources: Sequence[VectorSource], method: str) -> None:
    """Show how many of Google's questions each run answers right, by section and epoch."""
    runs = {source.run.name: source.run for source in sources if source.run}
    if not runs:
        return
    st.header("Accuracy on analogy questions", anchor=False)
    columns = st.columns(min(len(runs), 2), gap="medium")
    for position, run in enumerate(runs.values()):
        with columns[position % len(columns)]:
            if len(runs) > 1:
                st.markdown(f"**{escape_markdown(run.title)}**")
            _show_accuracy(run, method)


def _show_accuracy(run: Run, method: str) -> None:
    scores = Call(scores_by_epoch, run, method)
    if not scores():
        st.info(f"This run stores no scores. Measure them with `python -m nlpviz evaluate {run.name}`.")
        return
    plotly_view.show(Call(accuracy_by_section, run.name, run.title, scores), key=f"accuracy_{run.name}")
