"""What does a language model write?

Each model continues your text, sampled with temperature, top-k and top-p. Click a word to see or force alternatives.
"""

import streamlit as st

from nlpviz.runs.language import predicted_count
from nlpviz.ui import frame
from nlpviz.ui.language import choice, generation, settings

question = choice.ask()
generation.show(settings.ask(question))

with frame.how_to_read():
    st.latex(
        r"p_\tau(w) = \frac{e^{z_w / \tau}}{\sum_{v \in V} e^{z_v / \tau}} \qquad "
        r"V_p = \text{the smallest set of most probable words with } \sum_{w \in V_p} p_\tau(w) \geq p"
    )
    st.markdown(
        f"""
**Temperature** τ divides the logits z. Values below 1 make likely words more likely; values above 1 make unlikely words
more likely. At 0, the most probable word is always chosen. **Top-k** keeps the k most probable words (Fan, Lewis and
Dauphin 2018), and **top-p** keeps the nucleus $V_p$ (Holtzman et al. 2020). The remaining probabilities are
renormalised. The filters are applied in this order, starting from the full vocabulary of
{predicted_count(question.run):,} {question.run.tokenizer.unit}s.

The text is **made up**: names, numbers and events are likely words, not facts, and a likely passage may be copied from
the training text. `<unk>` represents any word outside the vocabulary. At low temperatures, texts tend to repeat
themselves. Colours and nats refer to the model’s own distribution, before filtering.

A forced word consumes one random number, like a sampled word, so the text after the forced word differs only because
the model has read a different word. **The draws** come from the filtered distribution at one position. The count of
each token is binomial; by chance, at most about 1 in 20 counts lies outside its 95% band. Pearson’s χ² test pools
tokens with an expected count below five; a small p would indicate an error in the sampler.
"""
    )
