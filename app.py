"""What did small networks for language learn?

See one find "waste of time", epoch by epoch, on real data. Every number here was measured.
"""

import streamlit as st

from nlpviz.data.examples import examples
from nlpviz.figures.documents.maps import MapStyle
from nlpviz.ui import cache, frame, plotly_view, tokens, views, widgets
from nlpviz.ui.attention import words as attention
from nlpviz.ui.documents.cache import document_map
from nlpviz.ui.regions import top_ngrams
from nlpviz.ui.training import curves, tables
from nlpviz.ui.translation import answers, choice
from nlpviz.ui.wanted import WITH_ANALOGIES, WITH_ATTENTION
from nlpviz.ui.words import analogies

with views.page(__doc__, __file__):
    widgets.some_runs()
    halves = frame.halves()
    if classifiers := widgets.ANY_CLASSIFIER.runs():
        run = widgets.best_of(classifiers)
        with next(halves):
            st.header("The reviews part as the network learns", anchor=False)
            epoch = widgets.pick_epoch(run)
            style = MapStyle(height=400, every_epoch=True)
            plotly_view.show(document_map(run, "pca", 2, (epoch,), style), key="home_map")
            frame.lead_to("Explore", "Where do the reviews lie?")
        with next(halves):
            st.header("Some words weigh more than others", anchor=False)
            explanation = cache.explanation(run, epoch, examples()[0].text, "gradient-input", len(run.class_names) - 1)
            tokens.show_tokens(explanation)
            tokens.show_prediction(explanation)
            frame.lead_to("One review", "Which words moved this prediction?", "saliency")
        with next(halves):
            st.header("It looks for n-grams, in all test reviews", anchor=False)
            top_ngrams.show_strongest(run, epoch)
            frame.lead_to("What it learnt", "Which n-grams speak for a class?")
        with next(halves):
            st.header("How well it learned", anchor=False)
            curves.show_headline(run)
            frame.lead_to("Models", "How did each run learn?")

    if attending := WITH_ATTENTION.runs():
        with next(halves):
            st.header("Attention weighs words", anchor=False)
            attention.show_first(widgets.best_of(attending), examples()[0].text)
            frame.lead_to("One review", "What did the network attend to?", "attention")
    if query := choice.first():
        with next(halves):
            st.header("A translation looks back at its source", anchor=False)
            answers.show_first(query)
            frame.lead_to("Translate", "Which source word does each target word look at?")

    if words := WITH_ANALOGIES.runs():
        with next(halves):
            st.header("Words become vectors that can be added", anchor=False)
            analogies.show_first(words)
            frame.lead_to("Words", "What is to woman as king is to man?", "analogies")
        with next(halves):
            st.header("Analogies are how they are measured", anchor=False)
            tables.show_brief(list(words.values()))
            frame.lead_to("Words", "Which words are near a word?")

    tables.show_home()
