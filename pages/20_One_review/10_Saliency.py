"""Which words moved this prediction?

Blue words are evidence for the class, orange words against it; the stronger the colour, the larger the score.
"""

import streamlit as st

from nlpviz.analysis.attribution import methods_for
from nlpviz.figures.attribution.bars import token_bars
from nlpviz.figures.attribution.matrix import token_matrix
from nlpviz.figures.numbers import number, unit_of_score
from nlpviz.figures.panels import reference
from nlpviz.runs.deletions import deletion_survey
from nlpviz.ui import classes, compare, frame, plotly_view, texts, tokens, widgets
from nlpviz.ui.attribution import baselines, trust, verdict
from nlpviz.ui.attribution import methods as order
from nlpviz.ui.calls import Call

with frame.bar():
    run = widgets.pick_run()
    checkpoints = widgets.pick_checkpoints(run, default=(run.best_epoch,))
    text = texts.pick_text(run)
with frame.controls():
    methods = methods_for(run)
    name = widgets.pick("method", "Method", order.ordered(run), lambda key: methods[key].title)
    target = classes.pick_target(run, compare.chosen(checkpoints).epoch, text)
    picture = widgets.pick("show", "Show", ["bars", "matrix"])

unit = unit_of_score(len(run.class_names))
method, wanted = methods[name], target if target in run.class_names else None
calls = tokens.explain_beside(checkpoints, text, name, wanted)
explanations = [call() for call in calls]
chosen = reference(explanations)  # the others are compared with it
picture = tokens.drawable(picture, explanations, method.title)

tokens.tell_prediction(explanations)
if len(explanations) == 1 and picture == "bars":  # one text leaves room for its bars at its side
    left, right = st.columns([2, 1], gap="medium")
else:
    left, right = st.container(), st.container()
with left:
    tokens.show_texts(explanations)
with right:
    measured = method.unit.replace("log-odds", unit)
    drawn = Call(token_bars, calls, measured) if picture == "bars" else Call(token_matrix, calls)
    plotly_view.show(drawn, key=f"saliency_{picture}")

tokens.tell_explained(chosen, method.title)
trust.show_trust(explanations, method.title)
for explanation in {explanation.run: explanation for explanation in explanations}.values():
    tokens.show_seen(explanation.encoded, explanation.run if explanation.run != run.name else "")

with frame.how_to_read():
    st.latex(method.formula)
    reading = method.reading if unit == "log-odds" else method.reading.replace("(log-odds)", "(logit)")
    score = "the log-odds of the target (its logit)" if unit == "log-odds" else "the logit of the target"
    st.markdown(
        f"""
{reading} {tokens.strongest_row(chosen)}

The explained score is {score}, not the loss. For **{chosen.class_names[chosen.target]}** at epoch {chosen.epoch} it
is {number(chosen.class_score)}. Out-of-vocabulary words share one vector, so their bars show the effect of *an unknown
word*. Text beyond {run.max_length} tokens is truncated. All panels share one scale. The matrix breaks each score down,
with one row per token and one column per dimension of the token’s vector.

The **deletion curve** (a perturbation test) removes tokens from the input, highest scores first. If the target is not
the predicted class, a signed method’s order begins with the tokens that count most against the target, so a good order
raises the probability. An order that is no better than random orders reveals little about the model. The remaining text
is no longer English, so the curve compares orders; it does not predict a reader’s judgement. *{method.source}.*
"""
    )
    st.markdown(baselines.READING)
    st.markdown(verdict.reading(deletion_survey(run), classes.document(run)))
