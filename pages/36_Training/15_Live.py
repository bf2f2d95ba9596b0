"""Which network learns a small problem first?

The same network with several optimisers, trained on this machine while you watch.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.feedforward import choice, live

with frame.bar():
    problem = live.pick_problem()
    names = choice.pick_optimisers()
with frame.controls():
    chosen = live.pick(problem, names)
    look = live.pick_look(names)

live.show(chosen, look)

with frame.how_to_read():
    st.markdown(live.explained(chosen))
