"""How did the network come to its answer?

Drag the slider through the epochs: prediction, words, network and map move together.
"""

import streamlit as st

from nlpviz.attribution import methods_for
from nlpviz.ui import classes, frame, texts, tokens, widgets
from nlpviz.ui.attribution import methods as order
from nlpviz.ui.time_machine import cells, neighbours, panels, reading
from nlpviz.ui.time_machine.choice import follow
from nlpviz.ui.wanted import OF_SEVERAL_EPOCHS

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
with st.expander("All kept epochs as one picture, for a slide"):
    panels.show_strip(followed)
for course in followed.courses:
    tokens.show_seen(course.explanations[-1].encoded, course.run if len(followed.courses) > 1 else "")

with frame.how_to_read():
    st.latex(known[method].formula)
    st.markdown(reading.worked(followed, part))
    if alike is not None:
        st.markdown(neighbours.worked(alike))
    st.markdown(
        f"""
Everything on this page is computed again for each kept epoch with the weights of that epoch, then shown together:
{", ".join(f"{one.title} keeps the epochs {', '.join(map(str, one.epochs))}" for one in followed.courses)}. An epoch
that is not kept cannot be shown; where two models keep different ones, each shows its last kept epoch up to the one
on the slider. The losses were measured after each epoch, without dropout: dotted on training texts, else on validation
texts.

Words are coloured by *{known[method].title}*, all epochs of a model on one scale: a pale text at epoch 0 means
small scores, not missing ones. Scores of different models are not on one scale. The maps are the stored ones, made
comparable between epochs; the text is placed on them afterwards. That a word's score grows from epoch to epoch shows
that the score depends on it more, not that the network is more often right. *{known[method].source}.*
"""
    )
