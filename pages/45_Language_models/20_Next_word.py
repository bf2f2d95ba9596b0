"""Which word does the model expect next?

The most probable words or characters at any position in the text; the actual next word is outlined.
"""

import streamlit as st

from nlpviz.runs.language import predicted_count
from nlpviz.ui import frame
from nlpviz.ui.language import choice, next_words, surprisals

question = choice.ask()
results = surprisals.read(question)
with frame.controls():
    chosen = next_words.shown_place(results)
next_words.show(question, results[0], chosen)
next_words.show_layers(question, question.text, chosen)
next_words.show_entropies(question, results[0], chosen)
next_words.show_swap(question, results[0], chosen)
surprisals.tell_read(results)

with frame.how_to_read():
    st.latex(r"H_t = -\sum_{w \in V} p(w \mid w_1 \ldots w_{t-1}) \log p(w \mid w_1 \ldots w_{t-1})")
    st.markdown(
        f"""
The distribution covers the full vocabulary of {predicted_count(question.run):,} {results[0].unit}s; the bars show its
largest probabilities. **Entropy** measures a model’s uncertainty about the next word: if k words are equally likely,
the entropy is log k nats. **Surprisal** is −log p of the actual word. Averaged over a long text, entropy and surprisal
are equal if the model is calibrated. If the mean surprisal is higher, the model is overconfident.

**Logit lens**: the state of each layer is decoded with the output weights of the last layer. The lower layers were not
trained for this, so their predictions are no more than hints (nostalgebraist 2020). Belrose et al. (2023) show how
these predictions can mislead.

**Swapping a word** changes only the input of the models. An n-gram model forgets the swap after N − 1 tokens; a
network may retain the swap in its state for much longer. If a later word becomes more surprising, the prediction of
that word depended on the swapped word.
"""
    )
