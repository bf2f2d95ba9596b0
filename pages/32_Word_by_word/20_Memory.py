"""How far back does it remember?

The lines show how much changing an earlier word still affects the state, or the score, after the last word.
"""

import streamlit as st

from nlpviz.figures.panels import reference
from nlpviz.results.replaced_words import DRAWS
from nlpviz.runs.language import reads_on
from nlpviz.ui import beside, classes, frame, texts, tokens, widgets
from nlpviz.ui.recurrence import clipping, context_loss, memory, question

with frame.bar():
    run = widgets.pick_run(memory.REMEMBERS)
    checkpoints = widgets.pick_checkpoints(run, default=(0, run.best_epoch), wanted=memory.REMEMBERS)
    text = texts.pick_text(run)
with frame.controls():
    followed, checkpoints = classes.follow_class(question.asked(checkpoints), text)
    quantity = memory.pick_quantity()
    drawn = beside.with_class(memory.pick_cells(checkpoints), followed)

result = memory.memories(drawn, text, followed)
chosen = result[: len(checkpoints)]
if reference(chosen).words > 1:
    quantity = memory.drawable(quantity, chosen)
    memory.show_lines(drawn, result, quantity)
    question.explain(checkpoints[0].run)
    if reads_on(run):
        context_loss.show(checkpoints, text)
    st.header("Every word and every later one", anchor=False)
    memory.show_matrix(checkpoints, chosen, quantity)
    st.header("Is a gradient memory?", anchor=False)
    memory.show_replaced(checkpoints, chosen, text)
else:
    frame.takeaway("There is nothing to remember in a text of fewer than two words.")
for one in {each.run: each for each in chosen}.values():
    tokens.show_seen(one.text, one.run if one.run != run.name else "")

st.header("Exploding gradients, and what clipping does", anchor=False)
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
**Gain.** h is everything that a network carries to the next word: the states of every layer, including an LSTM's cell
states. The Frobenius norm divided by √S is the factor by which a small random disturbance of that state grows or
shrinks until word T (root mean square). At T itself it is 1, for networks of any size. Gradients vanish if it shrinks
exponentially with the distance, and explode if it grows so. {memory.reading(reference(chosen))}

**Gates** are only one path through a cell: the product ignores what passes through the weights. The geometric mean is
what a typical unit keeps; a few units that keep more can still carry information far. *Hochreiter and
Schmidhuber 1997; Bengio, Simard and Frasconi 1994.*

**The gradient with respect to a word** is that of the score after word T, as if the text ended there. It describes an
infinitesimal change of the word's vector, smaller than any replacement. **Replacing the word** is a real change,
measured with {DRAWS} words drawn by frequency, although few of the resulting texts are English. A saturated network has
small gradients and may still depend on a word; a score may also move because of the new word, not of the old one.

**The wall** belongs to a network of one unit without input, h_t = σ(w h_(t−1) + b) from h_0 = 0, with the loss
(h_50 − 0.7)². Where w and b change the value that the unit settles at, the loss changes abruptly, and one long step
undoes what many short ones gained. *Pascanu, Mikolov and Bengio 2013, figure 6.*
"""
    )
