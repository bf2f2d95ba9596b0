"""Where did the weights go in a real training?

The plane through the epochs of a network that sorts posts into twenty newsgroups, with the loss on it, next to
the loss of the weights themselves.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.feedforward import choice, plane

trials = choice.stored("optimisers")
with frame.bar():
    chosen = plane.pick(trials)

plane.show(trials, chosen)

with frame.how_to_read():
    st.markdown(plane.explained(trials, chosen))
