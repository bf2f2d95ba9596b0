"""How surprising is each word?

Each word or character is coloured by its surprisal, −log p, given all that stands before it: by several models on one
scale, and by the difference of two.
"""

import streamlit as st

from nlpviz.runs.language import predicted_count
from nlpviz.ui import frame
from nlpviz.ui.language import choice, place, surprisals

question = choice.ask()
results = surprisals.read(question)
with frame.controls():
    chosen = place.pick(results[0], label=f"{results[0].unit.capitalize()}: click one, or choose")
surprisals.show(results, chosen)
surprisals.tell_token(results, chosen)
if chosen is not None:
    frame.lead_to("Language models", "What was expected there?", "next-word", place=str(chosen + 1))
surprisals.show_difference(results, chosen)
surprisals.show_course(question, results, chosen)
surprisals.tell_read(results)

with frame.how_to_read():
    st.latex(r"s_t = -\log p(w_t \mid w_1 \ldots w_{t-1}) \qquad \mathrm{perplexity} = e^{\frac{1}{T}\sum_t s_t}")
    surprisals.show_equations(question)
    st.markdown(
        f"""
The **equations** are those of the models shown. A network's next word has the probability softmax(E hₜ + b), with E
the vectors of the words, where hₜ is what its last layer made of the words before; of a neural n-gram model yₜ is
what the softmax is taken of. Kneser-Ney counts: c is the number of occurrences of the longest n-grams, of shorter ones
the number of different words before them, D a discount for counts of one, two, and three or more, and u the first word
of the context h.

**Surprisal** is 0 where a model was certain of what came, and one nat more where it was e times less probable. The text
begins after the end of a line; the probability is over the full vocabulary of {predicted_count(question.run):,}
{results[0].unit}s. **Perplexity** of a short text says little about a model: that of its test text is under
*Perplexity*.

Only models of the same corpus and tokenizer are compared. A word that a model does not know is read as `<unk>`, and its
surprisal is that of *any* unknown word, which is less surprising than the word itself would be; a model trained without
`<unk>` gives it no probability. An n-gram model sees the last N − 1 tokens, a recurrent network all of them; epoch 0 is
before training, where only the output biases, the frequencies of words, are known. *Hale 2001 and Levy 2008, in whose
work surprisal predicts how long people read a word.*
"""
    )
