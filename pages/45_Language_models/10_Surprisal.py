"""How surprising is each word?

Each word or character is coloured by its surprisal, −log p given the text before it. Click a word to see its numbers.
"""

import streamlit as st

from nlpviz.runs.language import predicted_count
from nlpviz.ui import frame
from nlpviz.ui.language import choice, place, surprisals

question = choice.ask()
results = surprisals.read(question)
with frame.controls():
    chosen = place.pick(results[0], label=results[0].unit.capitalize())
surprisals.show(results, chosen)
surprisals.tell_token(results, chosen)
surprisals.show_details(results, chosen)
if chosen is not None:
    frame.lead_to("Language models", "Which words were predicted here?", "next-word", place=str(chosen + 1))
surprisals.show_difference(results, chosen)
surprisals.show_course(question, chosen)
surprisals.tell_read(results)

with frame.how_to_read():
    st.latex(r"s_t = -\log p(w_t \mid w_1 \ldots w_{t-1}) \qquad \mathrm{perplexity} = e^{\frac{1}{T}\sum_t s_t}")
    surprisals.show_equations(question)
    st.markdown(
        f"""
The **equations** are those of the models shown. A network predicts the next word with softmax(E hₜ + b), where E
contains the word vectors and hₜ is the last layer’s state after the preceding words; in a neural n-gram model, yₜ is
the input of the softmax. In Kneser-Ney smoothing, c is the count of an n-gram at the highest order; at lower orders, c
is the number of distinct words that precede the n-gram. D is the discount for counts of one, two, and three or more,
and u is the first word of the context h.

**Surprisal** is 0 if the model was certain of the word. It grows by 1 nat each time the word’s probability falls by a
factor of e. The text is read as if it followed a line break. Probabilities are computed over the full vocabulary of
{predicted_count(question.run):,} {results[0].unit}s. The **perplexity** of a short text is a poor measure of a model;
the view *Perplexity* shows the test perplexity.

Only models trained on the same corpus with the same tokenizer are compared. An unknown word is read as `<unk>`, so the
surprisal shown is that of *any* unknown word. The surprisal of the specific word would be higher. A model trained
without `<unk>` assigns no probability to unknown words. An n-gram model sees only the last N − 1 tokens, whereas a
recurrent network sees all preceding tokens. At epoch 0 (before training), a network knows only the word frequencies,
which are its initial output biases. *Hale 2001 and Levy 2008: surprisal predicts how long people take to read a word.*
"""
    )
