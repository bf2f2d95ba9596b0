"""What does the network write to its tape?

A neural Turing machine copies and recalls by writing to and reading from a tape; an LSTM has only its state.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.tape import answers, choice

with frame.bar():
    asked = choice.ask()
answers.show(asked)
frame.lead_to("Models", "How did it learn?", "training", run=asked.run.name)

with frame.how_to_read():
    st.latex(
        r"w^c_t(i) = \frac{e^{\beta_t \cos(k_t, M_t(i))}}{\sum_j e^{\beta_t \cos(k_t, M_t(j))}}, \quad "
        r"w^g_t = g_t w^c_t + (1 - g_t)\, w_{t-1}, \quad \tilde w_t(i) = \sum_j w^g_t(j)\, s_t(i - j), \quad "
        r"w_t(i) = \frac{\tilde w_t(i)^{\gamma_t}}{\sum_j \tilde w_t(j)^{\gamma_t}}"
    )
    st.latex(r"r_t = \sum_i w^r_t(i)\, M_t(i), \qquad M_{t+1}(i) = M_t(i)\,(1 - w^w_t(i)\, e_t) + w^w_t(i)\, a_t")
    st.markdown(
        f"""
At every step, the controller emits for each head a key k, its strength β, an interpolation gate g, a shift s over −1, 0
and +1 cells, and a sharpening factor γ. **Content-based addressing** focuses a head on the cells most similar to its
key; **location-based addressing** shifts the head from its previous position. With g = 1, only content counts; with g =
0, only location counts. The write head then uses e to erase and a to add; both heads see the tape as it was before the
step.

The heads are part of the computation, not a post-hoc explanation. But a weight on a cell does not prove that the output
depends on that cell, and another seed may find another solution. In the last figure, the training lengths are shaded
grey; only these lengths were used to choose the epoch. By chance, half of the bits are wrong. *Graves, Wayne and
Danihelka 2014; the constant initial tape follows Collier and Beel 2018. The tape of “{asked.run.title}” has
{asked.run.config.get("cells", 0)} cells of {asked.run.config.get("width", 0)} numbers each.*
"""
    )
