"""What is expected next?

The probabilities of the next word or character at any place of the text, by several models side by side; what came has
an outline.
"""

import streamlit as st

from nlpviz.runs.language import predicted_count
from nlpviz.ui import frame
from nlpviz.ui.language import choice, next_words, surprisals

question = choice.ask()
results = surprisals.read(question)
with frame.controls():
    chosen = next_words.shown_place(results)
next_words.show_distributions(question, question.text, chosen)
next_words.show_text(results[0], chosen)
next_words.show_layers(question, question.text, chosen)
next_words.show_entropies(question, results[0], chosen)
next_words.show_swap(question, results[0], chosen)
surprisals.tell_read(results)

with frame.how_to_read():
    st.latex(r"H_t = -\sum_{w \in V} p(w \mid w_1 \ldots w_{t-1}) \log p(w \mid w_1 \ldots w_{t-1})")
    st.markdown(
        f"""
The distribution is over the full vocabulary of {predicted_count(question.run):,} {results[0].unit}s; the bars are the
largest of it. **Entropy** is how undecided a model is before it sees the word: a model that gives k words the same
probability has an entropy of log k nats. **Surprisal** is −log p of the word that came. Averaged over a long text, the
two are equal if the model is calibrated; a mean surprisal above the mean entropy says that it was overconfident.

**What each layer would say**: the state of a layer, put in place of the last one and decoded by the same output words.
The layers below were not trained for that, so that what they seem to say is a hint at most (nostalgebraist 2020, "the
logit lens"; Belrose et al. 2023 on how it misleads).

**Swapping a word** changes what a model read, and nothing else: an n-gram model forgets the swap after N − 1 tokens, a
network may hold it for as long as its state does. That a later word became more surprising says that the model's
expectation depended on the swapped word there.
"""
    )
