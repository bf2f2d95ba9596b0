"""Is the training healthy, layer by layer?

The size of updates, activations and gradients in each layer, in training runs that go well or badly.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.feedforward import choice, layers

trials = choice.stored("babysitting")
with frame.bar():
    training = layers.pick(trials)

layers.show(trials, training)

with frame.how_to_read():
    st.markdown(layers.explained(trials))
