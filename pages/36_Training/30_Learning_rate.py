"""Which learning rate works, and when should training stop?

Range tests, schedules and early stopping, with one network architecture and one set of newsgroup posts.
"""

import streamlit as st

from nlpviz.ui import frame, widgets
from nlpviz.ui.feedforward import choice, rates

trials = choice.stored("rates")
with frame.bar():
    look = widgets.pick("rates", "Show", rates.LOOKS)

rates.show(look, trials)

with frame.how_to_read():
    st.markdown(rates.explained(trials))
