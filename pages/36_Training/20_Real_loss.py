"""What path do the weights take in a real training run?

A network’s weights after each epoch, on a plane coloured by the loss.
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
