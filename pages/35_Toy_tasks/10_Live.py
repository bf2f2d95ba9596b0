"""Can it learn to remember?

Networks of about the same size learn the same task, step by step, on this machine. The grey line is what can be reached
without memory.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.recurrence import toy_live, toy_words
from nlpviz.ui.recurrence import toy_races as races

asked = races.asked_for()
with frame.bar():
    task = races.pick_task()
    length = races.pick_length(task)
    cells = races.pick_cells()
with frame.controls():
    rate, seed = races.pick_rate(), races.pick_seed()
    look = races.pick_look(cells)
    example = races.pick_example()

st.markdown(toy_words.task_said(task, length))
toy_live.show(races.ToyChoice(task.name, length, cells, rate, seed), look, example, stay=races.in_vain(asked))

with frame.how_to_read():
    st.markdown(toy_words.live_explained(task, length))
