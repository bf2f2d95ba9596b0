"""Which words moved this prediction?

The steeper the class score changes with a word's vector, the stronger its colour. Type a review of your own.
"""

import streamlit as st

from nlpviz.attribution import methods
from nlpviz.figures.attribution import token_bars
from nlpviz.ui import cache, frame, plotly_view, texts, tokens, widgets

with frame.page(__doc__, __file__):
    with frame.controls():
        run = widgets.pick_run()
        epochs = widgets.pick_epochs(run, default=(run.best_epoch,))
        name = widgets.pick("method", "Method", list(methods())[::-1], lambda key: methods()[key].title)
        target = widgets.pick("target", "Target", [*reversed(run.class_names), "predicted"])
        example = texts.pick_example()

    text = texts.text_to_explain(run, example)
    wanted = run.class_names.index(target) if target in run.class_names else None
    last = cache.explanation(run, epochs[-1], text, name, wanted)  # its target is that of all epochs beside it
    explanations = [cache.explanation(run, epoch, text, name, last.target) for epoch in epochs]
    method = methods()[name]
    scale = max(float(abs(explanation.scores).max(initial=0)) for explanation in explanations)

    beside = len(epochs) == 1  # one text leaves room for its bars at its side
    columns = st.columns([3, 2] if beside else len(epochs), gap="medium")
    for column, explanation in zip(columns, explanations, strict=False):
        with column:
            tokens.show_prediction(explanation)
            tokens.show_tokens(explanation, scale)
    with columns[-1] if beside else st.container():
        plotly_view.show(token_bars(explanations, method.unit), key="saliency_bars")

    tokens.show_seen(last.encoded)
    tokens.show_residual(last)

    with frame.how_to_read():
        st.latex(method.formula)
        st.markdown(
            f"""
{method.reading}

The score is the log-odds of the target, not the loss: here that of **{last.class_names[last.target]}** at epoch
{last.epoch}, {last.class_score:+.2f}. Words that the model does not know share one vector, so their bars say what
*an unknown word* did there. Text beyond {run.max_length} tokens is not read at all. Colours and bars of all epochs
shown have one scale. *{method.source}.*
"""
        )
