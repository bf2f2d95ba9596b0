"""Which words are similar to a word?

Words in similar contexts get similar vectors: the bars are the cosines of the nearest neighbours.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.words import choice, field, neighbours

with frame.bar():
    sources = choice.pick_sources(("enwiki-skipgram", "imdb-skipgram"), tables=True)
    word = field.pick_word()
with frame.controls():
    query = neighbours.pick_query(word)
field.show_examples()

answers = neighbours.ask(sources, query)
neighbours.show(answers, query)
neighbours.show_table(answers)

with frame.how_to_read():
    st.latex(r"\cos(u, v) = \frac{u \cdot v}{\lVert u \rVert \, \lVert v \rVert}")
    st.markdown(
        f"""
The cosine is 1 for vectors that point the same way and 0 for vectors at a right angle; length plays no part.
{neighbours.worked_example(answers)} The bars of all panels share one scale. A bar marked ◆ is a neighbour in another
panel too; a pale one is in no other.

**Near does not mean synonymous**: opposites such as *good* and *bad* occur in the same contexts. Vectors trained on
other texts have another vocabulary, and their neighbours may differ for that reason alone; a rare word has a vector
learnt from few sentences, and its neighbours may be chance. At epoch 0 the vectors are random: the bars there show how
large a cosine is by chance; skip-gram and CBOW on one corpus, with the same seed and as many dimensions, start from the
same vectors, and share all neighbours there.

**Input and output vectors**: skip-gram and CBOW learn two vectors per word, one as the given word and one as the word
to be predicted, by negative sampling (a simpler relative of the sampled softmax). The first is the one normally used.
*Input against output* compares the word's input vector with the output vectors: what the network expects next to the
word, not what could replace it.

What each model is fitted to stands below: v and v′ (w and w̃ in GloVe) are input and output vectors, σ is the logistic
sigmoid, X counts how often two words stand near each other, and P is the frequency of a word.
*Mikolov, Chen, Corrado and Dean 2013; the frequency bands are those of WebVectors, Kutuzov and Kuzmenko 2017.*
"""
    )
    neighbours.show_objectives(sources)
