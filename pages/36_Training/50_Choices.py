"""Which losses, activations and initial weights work best?

One choice, such as dropout, is varied at a time over several seeds. Each option uses its own best learning rate.
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
