"""Is the training healthy, layer by layer?

How large the updates are, what the units answer, and how much gradient arrives, in trainings that go well and badly.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.feedforward import choice, layers

trials = choice.stored("babysitting")
with frame.bar():
    training = layers.pick(trials)

layers.show(training)

with frame.how_to_read():
    st.markdown(layers.explained(trials))
