"""Which words are near a word?

Words that stand in like company get like vectors: the bars are the cosines of the nearest ones.
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
The cosine is 1 for vectors of one direction and 0 for vectors at a right angle; how long a vector is plays no part.
{neighbours.worked_example(answers)} Bars of all sources have one scale. A bar marked ◆ is a neighbour in another
source too, a pale one in no other.

**Near is not alike in meaning**: opposites such as *good* and *bad* stand in the same company. Sources from other
texts know other words, so that their neighbours may differ for that reason alone; a rare word has a vector from few
sentences, and neighbours by chance. At epoch 0 the vectors are random: the bars there show how large a cosine comes
by chance; runs of one seed begin with the same ones, and share all neighbours there.

**Input and output vectors**: the networks learn two vectors a word, one as the word that is read and one as the word
that is predicted beside it. Everyone uses the first. *Input against output* sets the word's input vector against
the output vectors: what the network expects to stand beside the word, not what may stand in its place.
*Mikolov, Chen, Corrado and Dean 2013; the frequency bands are those of WebVectors, Kutuzov and Kuzmenko 2017.*
"""
    )
