"""How does backpropagation find which weights to change?

The forward and backward pass through two inputs, two hidden units and one output, number by number.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.feedforward import graph

with frame.bar():
    hidden, loss = graph.pick()
    numbers = graph.pick_numbers()

graph.show(numbers, hidden, loss)

with frame.how_to_read():
    st.markdown(graph.explained(hidden, loss))
