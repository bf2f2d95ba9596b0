"""The Overview: one picture that plays, and cards that lead to what can be seen of each kind of model."""

from __future__ import annotations

import streamlit as st

from nlpviz.data.examples import examples
from nlpviz.figures.documents.maps import MapStyle
from nlpviz.snippets import documents as snippets
from nlpviz.ui import cache, classes, frame, plotly_view, tokens, widgets
from nlpviz.ui.attention import words as attention
from nlpviz.ui.attribution import methods
from nlpviz.ui.documents import answers as documents
from nlpviz.ui.documents.cache import document_map
from nlpviz.ui.regions import top_ngrams
from nlpviz.ui.training import tables
from nlpviz.ui.translation import answers, choice
from nlpviz.ui.wanted import WITH_ANALOGIES, WITH_ATTENTION, WITH_REGIONS
from nlpviz.ui.words import analogies


def show() -> None:
    """Show the page under its title, for the runs that there are."""
    widgets.some_runs()
    if run := widgets.any_classifier():
        left, right = st.columns([7, 5], gap="large")
        with left:
            style = MapStyle(height=560, play=True)
            code = snippets.stored_map(run.name, [run.best_epoch], "pca", 2, alone=False)
            plotly_view.show(document_map(run, "pca", 2, (run.best_epoch,), style), key="home_map", code=code)
        with right:
            documents.tell_formation(run)
            frame.lead_to("Explore", f"Where do the {classes.document(run)}s lie?")
            st.header("Some words move a prediction more than others", anchor=False)
            method, text = methods.default(run), (examples(run.corpus["name"]) or examples())[0].text
            target = 1 if len(run.class_names) == 2 else None
            explanation = cache.explanation(run, run.best_epoch, text, method, target)
            tokens.show_prediction(explanation)
            tokens.show_tokens(explanation, legend=False)
            st.caption(methods.named(run))
            frame.lead_to("One review", "Which words moved this prediction?", "saliency")

    cards = frame.cards()
    if run and WITH_REGIONS.able(run):
        with next(cards):
            st.header("The network looks for n-grams", anchor=False)
            top_ngrams.show_strongest(run, run.best_epoch)
            frame.lead_to("What it learnt", "Which n-grams speak for a class?")
    if attending := WITH_ATTENTION.runs():
        with next(cards):
            st.header("Attention weighs words", anchor=False)
            attention.show_first(widgets.best_of(attending), examples()[0].text)
            frame.lead_to("One review", "What did the network attend to?", "attention")
    if query := choice.first():
        with next(cards):
            answers.show_first(query)
            frame.lead_to("Translate", "Which source words does each target word attend to?")
    if words := WITH_ANALOGIES.runs():
        with next(cards):
            st.header("Words become vectors that can be added and subtracted", anchor=False)
            analogies.show_first(words)
            frame.lead_to("Words", "What is to woman as king is to man?", "analogies")

    tables.show_home()
