"""Which networks remember, and for how long?

Networks trained with three seeds each, tested on held-out sequences and compared with a baseline without memory.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.recurrence import toy_curves, toy_words

with frame.bar():
    task = toy_curves.pick_task()

curves = toy_curves.stored(task)
toy_curves.show(task, curves)
frame.lead_to("Toy tasks", "Train them here, step by step", "live", task=task.name)

with frame.how_to_read():
    st.markdown(toy_words.curves_explained(task, curves))
