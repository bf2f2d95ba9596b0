"""How did the network arrive at its prediction?

Drag the slider through the epochs: prediction, words, network and map change together.
"""

import streamlit as st

from nlpviz.analysis.attribution import methods_for
from nlpviz.ui import classes, frame, texts, tokens, widgets
from nlpviz.ui.attribution import methods as order
from nlpviz.ui.run_filter import OF_SEVERAL_EPOCHS
from nlpviz.ui.time_machine import cells, neighbours, panels, worked_example
from nlpviz.ui.time_machine.choice import follow

with frame.bar():
    run = widgets.pick_run(OF_SEVERAL_EPOCHS)
    other = widgets.pick_other(run, OF_SEVERAL_EPOCHS)
    text = texts.pick_text(run)
with frame.controls():
    known = methods_for(run)
    method = widgets.pick("method", "Method", order.ordered(run), lambda key: known[key].title)
    target = classes.pick_target(run, run.best_epoch, text)
    followed = follow((run,) if other is None else (run, other), text, method, target)
    part = cells.pick_part(followed.runs, text)

panels.tell(followed)
panels.show_course(followed)
if len(followed.runs) == 1:  # one model leaves room for its map at the side of its text
    left, right = st.columns([3, 2], gap="medium")
    with left:
        panels.show_words(followed)
    with right:
        panels.show_maps(followed)
else:
    panels.show_words(followed)
    panels.show_maps(followed)
panels.show_story(followed)
st.header("Inside the network", anchor=False)
panels.show_inside(followed)
cells.show_cells(followed, part)
alike = neighbours.show_neighbours(followed)
with st.expander("All stored epochs in one picture"):
    panels.show_strip(followed)
for course in followed.courses:
    tokens.show_seen(course.explanations[-1].encoded, course.run if len(followed.courses) > 1 else "")

with frame.how_to_read():
    st.latex(known[method].formula)
    st.markdown(worked_example.worked(followed, part))
    if alike is not None:
        st.markdown(neighbours.worked(alike))
    st.markdown(
        f"""
Everything on this page is computed for each stored epoch with the weights of that epoch:
{", ".join(f"{one.title} stores epochs {', '.join(map(str, one.epochs))}" for one in followed.courses)}. Other epochs
cannot be shown. If two models store different epochs, each model is shown at its last stored epoch that is not later
than the slider’s epoch. The losses were measured after each epoch, without dropout. Dotted lines show training losses,
the other lines validation losses.

Words are coloured by *{known[method].title}*, with one scale for all epochs of a model. A text that is pale at epoch 0
therefore has small scores. Scores of different models are on different scales. The maps are stored with the run and are
comparable between epochs; the text is placed on them afterwards. If a word’s score grows from epoch to epoch, the class
score depends more on this word, but the network is not necessarily more accurate. *{known[method].source}.*
"""
    )
