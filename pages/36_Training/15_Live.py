"""Which optimiser learns a small problem fastest?

The same network, trained with several optimisers while you watch.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.feedforward import choice, live

with frame.bar():
    problem = live.pick_problem()
    names = choice.pick_optimisers()
    look = live.pick_look(names)
    with frame.more():
        chosen = live.pick(problem, names)

live.show(chosen, look)

with frame.how_to_read():
    st.markdown(live.explained(chosen))
