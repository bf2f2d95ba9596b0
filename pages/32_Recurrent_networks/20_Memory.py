"""How far back does the network remember?

The lines show how strongly a change to an earlier word still affects the state, or the score, after the last word.
"""

import streamlit as st

from nlpviz.figures.panels import reference
from nlpviz.figures.recurrence.memory_text import QUANTITIES
from nlpviz.results.replaced_words import DRAWS
from nlpviz.runs.language import reads_on
from nlpviz.ui import classes, compare, frame, texts, tokens, widgets
from nlpviz.ui.recurrence import clipping, context_loss, memory, question

with frame.bar():
    run = widgets.pick_run(memory.REMEMBERS)
    checkpoints = widgets.pick_checkpoints(run, default=(0, run.best_epoch), wanted=memory.REMEMBERS)
    text = texts.pick_text(run)
with frame.controls():
    followed, checkpoints = classes.follow_class(question.asked(checkpoints), text)
    quantity = widgets.pick("memory", "Derivative", QUANTITIES)
    drawn = compare.with_class(memory.pick_cells(checkpoints), followed)

calls = memory.memories(drawn, text, followed)
chosen = [call() for call in calls[: len(checkpoints)]]
if reference(chosen).words > 1:
    quantity = memory.drawable(quantity, chosen)
    memory.show_lines(calls, quantity)
    question.explain(checkpoints[0].run)
    if reads_on(run):
        context_loss.show(checkpoints, text)
    st.header("Every pair of words", anchor=False)
    memory.show_matrix(calls[: len(checkpoints)], quantity)
    st.header("Do gradients measure memory?", anchor=False)
    memory.show_replaced(checkpoints, calls[: len(checkpoints)], text)
else:
    frame.takeaway("Type at least two words: memory cannot be measured over a single word.")
for one in {each.run: each for each in chosen}.values():
    tokens.show_seen(one.text, one.run if one.run != run.name else "")

st.header("Exploding gradients and gradient clipping", anchor=False)
clipping.show_wall()
clipping.show_norms(list({one.run.name: one.run for one in checkpoints}.values()))

with frame.how_to_read():
    st.latex(
        r"\frac{\partial h_T}{\partial h_t} = \prod_{\tau = t+1}^{T} \frac{\partial h_\tau}{\partial h_{\tau-1}}, "
        r"\qquad \text{gain} = \frac{1}{\sqrt{S}} \left\lVert \frac{\partial h_T}{\partial h_t} \right\rVert_F"
    )
    st.latex(r"g \leftarrow g \cdot \min\!\left(1, \frac{\text{threshold}}{\lVert g \rVert_2}\right)")
    st.markdown(
        f"""
**Gain.** h is everything that a network carries to the next word: the states of every layer, including an LSTM’s cell
states. The Frobenius norm divided by √S is the factor by which a small random perturbation of that state grows or
shrinks by word T (root mean square). At word T itself the gain is 1, for networks of any size. Gradients vanish if the
gain shrinks exponentially with distance, and explode if it grows exponentially. {memory.reading(reference(chosen))}

**Gates** are only one path through a cell: the product of the gates ignores information that passes through the
recurrent weights. The geometric mean over the units is the share of the memory that a typical unit keeps. A few units
that keep more can still carry information over long distances. *Hochreiter and Schmidhuber 1997; Bengio, Simard and
Frasconi 1994.*

**The gradient with respect to a word** is the gradient of the score after word T, as if the text ended there. The
gradient describes the effect of an infinitesimal change to the word’s vector, which is smaller than any replacement.
**Replacing the word** is a real change. It is measured with {DRAWS} replacement words drawn by frequency; few of the
resulting texts are good English. A saturated network has small gradients but may still depend on a word. The score may
also change because of the new word rather than the loss of the old word.

**The wall** occurs in a network with one unit and no input, h_t = σ(w h_(t−1) + b) from h_0 = 0, with the loss (h_50 −
0.7)². In some regions, a small change in w or b makes the unit settle at a different value, and the loss changes
abruptly. One long step there undoes the progress of many short steps. *Pascanu, Mikolov and Bengio 2013, figure 6.*
"""
    )
