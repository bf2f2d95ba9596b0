"""How is a learning rate found, and when does training end?

Range tests, schedules and early stopping, on the same network and posts.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.feedforward import choice, rates

trials = choice.stored("rates")
with frame.bar():
    look = rates.pick_look()

rates.show(look, trials)

with frame.how_to_read():
    st.markdown(rates.explained(trials))
