"""What does it write?

Each model continues the text, a word or character at a time, drawn from what the filters leave of its distribution.
Click any of them to see what else could have stood there, and to force another one.
"""

import streamlit as st

from nlpviz.runs.language import predicted_count
from nlpviz.ui import frame
from nlpviz.ui.language import choice, settings, writing

question = choice.ask()
writing.show(settings.ask(question))

with frame.how_to_read():
    st.latex(
        r"p_\tau(w) = \frac{e^{z_w / \tau}}{\sum_{v \in V} e^{z_v / \tau}} \qquad "
        r"V_p = \text{the smallest set of likeliest words with } \sum_{w \in V_p} p_\tau(w) \geq p"
    )
    st.markdown(
        f"""
**Temperature** τ divides the logits z: below 1 likely words gain, above 1 rare ones do, and at 0 the likeliest word is
always taken. **Top-k** keeps the k likeliest words (Fan, Lewis and Dauphin 2018), **top-p** the nucleus $V_p$ (Holtzman
et al. 2020); what is left is scaled to sum to 1. They are applied in this order, starting from the full vocabulary of
{predicted_count(question.run):,} {question.run.tokenizer.unit}s.

What a model writes is **made up**: names, numbers and events are likely words and no facts, and a likely one may be a
passage of its training text. `<unk>` stands for any word outside the vocabulary, as in the training text. At low
temperature, texts tend to repeat themselves. The colours and nats are of the model's own distribution, before
filtering.

A forced word uses up a random number of the seed as a drawn one does, so the text after it differs only because the
model read another word. **The draws** are from the filtered distribution at one place; each number of them is binomial,
and by chance at most about one in 20 lies outside its band. Pearson's χ² puts tokens that are expected fewer than five
times into one group; a small p would speak against the sampling.
"""
    )
