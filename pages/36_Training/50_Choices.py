"""Which losses, activations and initial weights work, and what does dropout do?

One thing varied at a time, several seeds, each with a learning rate of its own.
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
