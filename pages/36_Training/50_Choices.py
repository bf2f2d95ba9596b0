"""Which losses, activations and initial weights work best?

One choice is varied at a time, including dropout, over several seeds; each option has its own best learning rate.
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
