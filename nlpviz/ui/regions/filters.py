"""A network's filters on a page: which one is chosen, and all that is known of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from nlpviz.figures.numbers import number
from nlpviz.figures.regions.filters import Filters
from nlpviz.figures.regions.one_filter import Activations, activation_histogram, filter_ngrams
from nlpviz.results.survey import DUPLICATE, FilterSummary
from nlpviz.runs import Run
from nlpviz.runs.documents import documents_of, embeddings_of
from nlpviz.ui import classes, compare, plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, escape_markdown, lead_to, takeaway
from nlpviz.ui.regions import cache

_SAMPLE = 3  # n-grams that stand for a filter in a line
_CLASSES = 3  # of many, in a sentence


def filters_of(run: Run, epochs: Sequence[int], size: int | None, target: int) -> list[Call[Filters]]:
    """Return the filters of one region size, or all, at each epoch, with their weights for the class ``target``.

    Raises:
        RunError: if the run was not surveyed.
    """
    return [Call(Filters.of_size, run.name, epoch, cache.filters(run, epoch, target), size) for epoch in epochs]


def pick_filter(run: Run, epoch: int, target: int) -> FilterSummary:
    """Return the filter that the visitor chose, at first the one that moves the class's score most on average."""
    ranked = sorted(cache.filters(run, epoch, target)(), key=lambda one: -abs(one.weight * one.mean))
    result = {one.id: one for one in ranked}
    names = {
        key: f"{key}   {one.ngrams[0].ngram if one.ngrams else 'dead'}   weight {number(one.weight)}"
        for key, one in result.items()
    }
    return result[widgets.pick("filter", "Filter", list(result), names.__getitem__)]


def tell(run: Run, one: FilterSummary, target: int) -> None:
    """Say what a filter looks for and how much that moves the class, or that the filter is dead."""
    if one.dead:
        takeaway(
            "Filter {name} is **dead** at epoch {epoch}: no test {document} activates it.",
            name=one.id,
            epoch=one.epoch,
            document=classes.document(run),
        )
        return
    takeaway(
        "Filter {name} detects “{ngram}” and {moves} the {target} score by {amount:.2f}.",
        name=one.id,
        ngram=one.ngrams[0].ngram,
        moves="raises" if one.weight > 0 else "lowers",
        target=run.class_names[target],
        amount=abs(one.weight * one.mean),
    )


def describe(run: Run, one: FilterSummary, target: int) -> None:
    """Say how often a filter is active and what its mean is worth, and which filter it correlates with most."""
    if one.dead:
        return
    answer(
        "The filter is active in {alive:.0%} of the test {document}s. Mean activation {mean:.2f} × weight {weight} = "
        "{amount}, "
        "the mean contribution to {target}." + (" Its largest weight is for {most}." if one.weights else ""),
        document=classes.document(run),
        alive=one.alive,
        mean=one.mean,
        weight=number(one.weight),
        target=run.class_names[target],
        amount=number(one.weight * one.mean),
        most=run.class_names[int(np.argmax(one.weights))] if one.weights else "",
    )
    if not one.correlation:
        return
    twin = cache.filters(run, one.epoch)()[one.twin]
    flag = f"a **duplicate**, as it is at least {DUPLICATE:g}" if one.duplicate else "not a duplicate"
    says = f", *{escape_markdown(twin.ngrams[0].ngram)}*" if twin.ngrams else ""
    st.caption(
        f"Most correlated filter: {twin.id}{says} (correlation {number(one.correlation, signed=False)}; {flag})."
    )
    lead_to("Inside the model", f"Filter {twin.id}", "filters", filter=twin.id, run=run.name, epoch=str(one.epoch))


def show_ngrams(run: Run, one: FilterSummary, epochs: Sequence[int], target: int) -> None:
    """Show the n-grams that activate the filter most at each epoch, and its activations on the run's documents.

    With more than two classes, the documents of the class ``target`` are compared with all others.
    """
    several, labels = len(run.class_names) > 2, documents_of(run).labels
    shown = ("other classes", run.class_names[target]) if several else run.class_names
    column = one.position * int(run.config.get("pooled", 1))
    every, compared = Call(documents_of, run).get("labels"), target if several else None
    answers = [
        Call(Activations.of, (run.name, epoch), Call(embeddings_of, run, epoch), every, column, compared)
        for epoch in epochs
    ]
    left, right = st.columns(2, gap="medium") if len(epochs) == 1 else (st.container(), st.container())
    with left:
        st.header("Strongest n-grams", anchor=False)
        _show_strongest(run, epochs, one.position)
    with right:
        st.header("Activation by class", anchor=False)
        plotly_view.show(Call(activation_histogram, answers, one.id, shown), key="activations")
        values, document = answers[-1]().values, classes.document(run)
        of_class = {label: float(values[labels == label].mean()) for label in np.unique(labels)}
        order = sorted(of_class, key=lambda label: -of_class[label])[:_CLASSES] if several else list(of_class)
        means = ", ".join(
            f"{of_class[label]:.2f} for {escape_markdown(run.class_names[label])} {document}s" for label in order
        )
        st.caption(
            f"{'Largest mean' if several else 'Mean'} activation at epoch {epochs[-1]}, over {len(values):,} "
            f"stored {document}s: {means}. The activation is zero for {float((values == 0).mean()):.0%} of these "
            f"{document}s."
        )


def _show_strongest(run: Run, epochs: Sequence[int], position: int) -> None:
    """Show the strongest n-grams of one filter at each epoch, on one scale."""
    shown = [cache.filters(run, epoch).at(position) for epoch in epochs]
    own = [Filters(run.name, epoch, (one(),)) for epoch, one in zip(epochs, shown, strict=True)]
    scale = max((said.activation for filters in own for said in filters.summaries[0].ngrams), default=0.0)
    for place, (one, (title, cell)) in enumerate(zip(shown, compare.cells(own), strict=True)):
        with cell:
            if len(shown) > 1:
                st.markdown(f"**{escape_markdown(title)}**")
            plotly_view.show(Call(filter_ngrams, run.name, one, scale), key=f"filter_ngrams_{place}")


def show_all(shown: Filters) -> None:
    """Show all filters of one checkpoint as a table that can be sorted; those that move the score most come first."""
    rows = sorted(shown.summaries, key=lambda one: -abs(one.weight * one.mean))
    with st.expander(f"All {len(rows)} filters at epoch {shown.epoch}, as a table"):
        st.dataframe(
            {
                "Filter": [one.id for one in rows],
                "Weight": [one.weight for one in rows],
                "Mean activation": [one.mean for one in rows],
                "Active in": [100 * one.alive for one in rows],
                "Correlation": [one.correlation for one in rows],
                "Flag": ["dead" if one.dead else "duplicate" if one.duplicate else "" for one in rows],
                "Strongest n-grams": [" · ".join(said.ngram for said in one.ngrams[:_SAMPLE]) for one in rows],
            },
            hide_index=True,
            column_config={
                "Weight": st.column_config.NumberColumn(format="%+.3f"),
                "Mean activation": st.column_config.NumberColumn(format="%.2f"),
                "Active in": st.column_config.NumberColumn(format="%.0f%%"),
                "Correlation": st.column_config.NumberColumn(format="%.2f"),
            },
        )


def show_epochs(run: Run, one: FilterSummary, target: int) -> None:
    """Show the same filter at every kept epoch: weight, activity, strongest n-grams."""
    rows = [cache.filters(run, epoch, target)()[one.position] for epoch in run.surveyed]
    st.table(
        {
            "Epoch": [f"{row.epoch}{' (best)' * (row.epoch == run.best_epoch)}" for row in rows],
            "Weight": [number(row.weight) for row in rows],
            "Active in": [f"{row.alive:.0%}" for row in rows],
            "Mean activation": [f"{row.mean:.2f}" for row in rows],
            "Strongest n-grams": [
                escape_markdown(" · ".join(said.ngram for said in row.ngrams[:_SAMPLE])) or "dead" for row in rows
            ],
        },
        hide_index=True,
        border="horizontal",
    )


def show_slots(run: Run, one: FilterSummary) -> None:
    """Show the words that activate each of the filter's slots most."""
    slots = cache.slot_words(run, one.epoch, one.position)
    st.table(
        {
            f"Word {position}": [f"{escape_markdown(word)} {number(value)}" for word, value in words]
            for position, words in enumerate(slots, start=1)
        },
        hide_index=True,
        border="horizontal",
    )
