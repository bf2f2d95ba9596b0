"""Which losses, activations and initial weights work best?

One choice changes at a time, dropout included, over several seeds, each with its own best learning rate.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.feedforward import choice, choices

trials = choice.stored("choices")
with frame.bar():
    group = choices.pick_group(trials)

choices.show(trials, group)

with frame.how_to_read():
    st.markdown(choices.explained(trials, group))
