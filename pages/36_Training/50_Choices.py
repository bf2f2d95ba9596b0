"""Which losses, activations and initial weights work best?

One choice, such as dropout, is varied at a time over several seeds. Each option uses its own best learning rate.
"""

import streamlit as st

from nlpviz.ui import frame, widgets
from nlpviz.ui.feedforward import choice, choices

trials = choice.stored("choices")
with frame.bar():
    group = widgets.pick("kind", "Compare", trials.groups(), lambda group: choices.TITLES.get(group, group))

choices.show(trials, group)

with frame.how_to_read():
    st.markdown(choices.explained(trials, group))
