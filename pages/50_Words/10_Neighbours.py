"""Which words are similar to a given word?

Words in similar contexts get similar vectors. The bars are the cosines of the nearest neighbours.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.words import choice, field, neighbours

with frame.bar():
    sources = choice.pick_sources(("enwiki-skipgram",), tables=True)
    word = field.pick_word()
with frame.controls(), frame.more():
    query = neighbours.pick_query(word)

answers = neighbours.ask(sources, query)
neighbours.show(answers, query)
field.show_examples()
neighbours.show_table(answers)

with frame.how_to_read():
    st.latex(r"\cos(u, v) = \frac{u \cdot v}{\lVert u \rVert \, \lVert v \rVert}")
    st.markdown(
        f"""
The cosine is 1 for vectors that point in the same direction and 0 for perpendicular vectors. The lengths of the vectors
do not matter. {neighbours.worked_example(answers)} All panels share one scale. A word marked ◆ is also a neighbour in
another panel; words with pale bars appear in one panel only.

**Near does not mean synonymous**: opposites such as *good* and *bad* occur in the same contexts. Models trained on
different texts have different vocabularies, so the neighbours of a word may differ for that reason alone. The vector of
a rare word is learnt from few sentences, so its neighbours may be due to chance. At epoch 0 the vectors are random: the
bars show how large cosines can be by chance. Skip-gram and CBOW start from the same vectors if the corpus, the seed and
the number of dimensions are the same.

**Input and output vectors**: with negative sampling, skip-gram and CBOW learn two vectors per word. The input vector
represents the word when it is given, and the output vector represents the word when it is predicted. The input vector
is normally used. *Input vs. output* compares the word’s input vector with the output vectors of all words. The nearest
output vectors belong to words that the network expects nearby, not to words with a similar meaning.

The objective of each model is shown below. In these formulas, v and v′ (w and w̃ in GloVe) are input and output
vectors, σ is the logistic sigmoid, X counts how often two words occur near each other, and P is the frequency of a
word. *Mikolov, Chen, Corrado and Dean 2013; the frequency bands are those of WebVectors, Kutuzov and Kuzmenko 2017.*
"""
    )
    neighbours.show_objectives(sources)
