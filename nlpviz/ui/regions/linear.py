"""What a bag of n-grams weighs on a page: the strongest n-grams of a class, and those of one text."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from nlpviz.figures.numbers import number, percent
from nlpviz.figures.regions.linear import matching, text_bars, weight_bars
from nlpviz.results.ngram_weights import NgramWeights
from nlpviz.runs import Run
from nlpviz.runs.ngram_weights import WEIGHTS
from nlpviz.ui import classes, plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, takeaway
from nlpviz.ui.regions import cache


class LinearQuery(NamedTuple):
    """Whose weights are shown: of a class, by its index, and of n-grams of one size; None for all."""

    target: int
    size: int | None
    words: str


def pick_query(run: Run) -> LinearQuery:
    """Return what the visitor asks of a run's weights."""
    target = classes.pick_class(run)
    longest = int(run.recipe.get("longest", 1))
    names = {"all": "all"} | {str(size): f"{size} word{'' if size == 1 else 's'}" for size in range(1, longest + 1)}
    size = widgets.pick("size", "Size", names)
    words = st.text_input(
        "Contains", key="linear_words", persist_state="session", max_chars=100, placeholder="a word, such as waste"
    )
    return LinearQuery(target, None if size == "all" else int(size), str(words or ""))


def show(run: Run, query: LinearQuery) -> None:
    """Show the strongest weights that are asked for, and say what the strongest one each way does."""
    target = run.class_names[query.target]
    found = Call(matching, cache.strongest_ngrams(run).at(target), query.size, query.words)
    if not (rows := found()):
        st.info("None of this run’s strongest n-grams match. Try another size or other words.")
        return
    most, least = max(rows, key=lambda row: row.weight), min(rows, key=lambda row: row.weight)
    takeaway(
        "“{first}” counts most for {target} ({more}), “{last}” most against it ({less})."
        if most.weight > 0 > least.weight
        else "“{first}” has the largest of these weights for class {target}: {more}.",
        first=most.ngram if most.weight > 0 else least.ngram,
        last=least.ngram,
        target=target,
        more=number(most.weight if most.weight > 0 else least.weight),
        less=number(least.weight),
    )
    plotly_view.show(Call(weight_bars, run.name, target, found), key="linear_weights")


def show_text(run: Run, query: LinearQuery, text: str) -> None:
    """Show what each n-gram of a text adds, which is all that the classifier knows of it."""
    st.header("One text, n-gram by n-gram", anchor=False)
    if WEIGHTS not in run.files:
        st.info(
            f"This run stores only its strongest n-grams. `python -m nlpviz survey {run.name}` adds all weights if the "
            "corpus is on this computer."
        )
        return
    known, target = cache.ngram_weights(run)(), run.class_names[query.target]
    regression = query.target if len(known.biases) > 1 else 0
    terms = Call(NgramWeights.terms, cache.ngram_weights(run), text, regression)
    rows, weighed = terms(), known.weigh(text)
    shares = known.shares([weighed.scores])[0]
    bias = float(known.biases[regression])
    answer(
        "{target}: **{share}**. {count:,} n-grams of the text have a weight; with the bias ({bias}) they add up to "
        "log-odds of {sum}." + (" {unknown:,} of {tokens:,} tokens have no weight." if weighed.unknown else ""),
        target=target,
        share=percent(float(shares[query.target])),
        count=len(rows),
        bias=number(bias),
        sum=number(float(weighed.scores[regression])),
        unknown=weighed.unknown,
        tokens=weighed.tokens,
    )
    if rows:
        plotly_view.show(Call(text_bars, run.name, target, terms), key="linear_text")
