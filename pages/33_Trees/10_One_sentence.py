"""What does each phrase add to the sentiment?

A network composes the sentence phrase by phrase. Click a phrase, then swap, negate, delete or join it.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.trees import choice, edits, sentence

request = choice.ask()
above = st.container()
edited = edits.ask(request.tree)
with above:
    results = sentence.answers(request, edited)
    sentence.tell(request, edited, results)
    sentence.show(request, edited, results)
sentence.describe(request, edited, results)
sentence.show_phrase(request, edited, results)
frame.lead_to("Trees", "What do negation and “but” do across the test set?", "negation-and-contrast")

with frame.how_to_read():
    for title, formula in sentence.formulas(request):
        st.markdown(f"**{frame.escape_markdown(title)}**")
        for line in formula:
            st.latex(line)
    st.markdown(
        f"""
Each node of the **tree** is a phrase. Its vector is computed from the vectors of its two children, and an output layer
shared by all nodes predicts one of five classes: −− very negative, − negative, 0 neutral, + positive, ++ very positive.
The number next to a circle is the probability of the predicted class; for single words, it is shown only if it is below
90%. The **expected class** is the probability-weighted mean of the five classes, numbered from −2 to 2.
{sentence.worked(request, edited, results)}

The indices l and r, or a and b, denote the left and right child. σ is the logistic sigmoid, ∘ the element-wise product.
The child-sum Tree-LSTM sums over the children of a node, so swapping the children has no effect. The LSTM over phrases
reads the words of a phrase from left to right and ignores the tree within the phrase.

**Where the tree comes from.** A parser produced the trees of the treebank’s sentences; the examples were bracketed by
hand. You need to bracket your own sentences. A sentence without brackets becomes a right-branching tree, which is
often wrong. The networks were trained on parsed sentences only. Joining a phrase to its neighbour changes one pair of
brackets at a time.

**What an edit shows.** A phrase joined with “not”, or a sentence with swapped halves, may not be good English. The
figure shows how the network classifies the edited sentence, not how a person would. *Socher et al. 2011 and 2013; Tai,
Socher and Manning 2015.*
"""
    )
