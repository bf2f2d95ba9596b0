"""Can a network learn to remember?

Networks of similar size learn a task that requires memory. The grey line is the baseline without memory.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.recurrence import toy_curves, toy_live, toy_words
from nlpviz.ui.recurrence import toy_races as races

asked = races.asked_for()
with frame.bar():
    task = toy_curves.pick_task()
    length = races.pick_length(task)
    cells = races.pick_cells()
    look = races.pick_look(cells)
    with frame.more():
        rate, seed = races.pick_rate(), races.pick_seed()
        example = races.pick_example()

toy_live.show(races.ToyChoice(task.name, length, cells, rate, seed), look, example, stay=races.in_vain(asked))

with frame.how_to_read():
    st.markdown(toy_words.live_explained(task, length))
