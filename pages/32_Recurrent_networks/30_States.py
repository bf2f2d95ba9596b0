"""How does each word move the state?

Each word moves the network’s state; movement along the class direction changes the prediction.
"""

import streamlit as st

from nlpviz.figures import panels
from nlpviz.figures.recurrence.plane import PLANES
from nlpviz.runs.language import reads_on
from nlpviz.ui import classes, frame, texts, tokens, widgets
from nlpviz.ui.recurrence import modifiers, question, resting, states
from nlpviz.ui.run_filter import WORD_BY_WORD

with frame.bar():
    run = widgets.pick_run(WORD_BY_WORD)
    checkpoints = widgets.pick_checkpoints(run, default=(run.best_epoch,), wanted=WORD_BY_WORD, surveyed=True)
    text = texts.pick_text(run)

with frame.controls():
    followed, checkpoints = classes.follow_class(question.asked(checkpoints), text)
    plane = widgets.pick("plane", "Axes", PLANES)
    place = st.container(width="content")
paths = states.paths(checkpoints, text, followed)
shown = [path() for path in paths]
chosen = panels.reference(shown)
with place:
    word = states.pick_word(chosen.path)

states.show(paths, plane, word)
question.explain(checkpoints[0].run)
st.header("How far does each word push the score?", anchor=False)
states.show_pushes(paths, word)
for one in {each.run: each for each in shown}.values():
    tokens.show_seen(one.path.text, one.run if one.run != run.name else "")

classifies = not reads_on(run)
if classifies:
    st.header("Where does the state settle?", anchor=False)
    resting.show(checkpoints, paths, plane)

    st.header("Does a modifier change the next word’s push?", anchor=False)
    modifiers.show(checkpoints, followed)

with frame.how_to_read():
    st.latex(r"s_t = w \cdot r_t + b, \qquad \text{push}_t = s_t - s_{t-1} = w \cdot (r_t - r_{t-1})")
    st.markdown(states.how_it_goes(run, chosen.path))
    if classifies:
        resting.explain()
        modifiers.explain()
