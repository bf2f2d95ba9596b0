"""What do the gates let through at each word?

The colour of each word shows the prediction after that word. The heatmap shows one part of the cell, word by word.
"""

import streamlit as st

from nlpviz.ui import frame, texts, tokens, widgets
from nlpviz.ui.recurrence import gate_answers, gate_choice, gates, question
from nlpviz.ui.run_filter import WORD_BY_WORD

with frame.bar():
    run = widgets.pick_run(WORD_BY_WORD)
    checkpoints = widgets.pick_checkpoints(run, default=(run.best_epoch,), wanted=WORD_BY_WORD)
    text = texts.pick_text(run)
with frame.controls():
    checkpoints = question.asked(checkpoints)
    choice = gate_choice.pick(checkpoints, text)

gates.show(choice)
question.explain(checkpoints[0].run)
step = gates.show_unit(choice)
gates.show_saturation(choice)
for one in {states.run: states for states in choice.shown}.values():
    tokens.show_seen(one.text, one.run if one.run != run.name else "")

with frame.how_to_read():
    st.latex(gates.formula(choice))
    st.markdown(gate_answers.reading(choice, step))
    st.markdown(
        """
**Gate values** lie between 0 (closed) and 1 (open). A forget gate of 1 keeps a unit’s whole memory; a forget gate of 0
erases it. An input gate sets how much of the candidate enters the memory. An output gate sets how much of the memory
the next layer and the next step receive. A GRU’s update gate sets how much of the old state is kept (1 means all of it;
some papers define this gate the other way round); its reset gate sets how much of the old state enters the candidate. A
Skip RNN’s update gate is 1 at the words where the state is updated. σ is the logistic sigmoid, ∘ the element-wise
product; W and U are weight matrices, and b is a bias vector. The cell state of an LSTM or QRNN is its memory; the
hidden state is the part that the rest of the network receives. *Hochreiter and Schmidhuber 1997; Cho et al. 2014;
Bradbury et al. 2016; Campos et al. 2018; Tixier 2018, section 6.*

**Saturated gates.** Karpathy, Johnson and Fei-Fei (2016) call a gate left-saturated below 0.1 and right-saturated above
0.9, and count how often a gate is in either state over an entire corpus. A unit whose forget gate is nearly always open
can remember over long distances. A unit whose forget gate is nearly always closed carries little from word to word in
its own memory.

**A gate is not an explanation.** A gate that opens at a word does not show that the prediction depends on that word. To
test whether it does, replace the word or ablate the unit.
"""
    )
