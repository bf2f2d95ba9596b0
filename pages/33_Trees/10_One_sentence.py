"""What does each phrase add to the sentiment?

A network composes the sentence phrase by phrase. Click a phrase, then swap, negate, delete or join it.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.trees import choice, edits, sentence

request = choice.ask()
above = st.container()
edited = edits.ask(request.sentence.tree)
with above:
    results = sentence.answers(request, edited)
    sentence.tell(request, edited, results)
    sentence.show(request, edited, results)
sentence.describe(request, edited, results)
sentence.show_phrase(request, edited, results)
frame.lead_to("Trees", "What do negation and “but” do, over the whole test split?", "negation-and-contrast")

with frame.how_to_read():
    for title, formula in sentence.formulas(request):
        st.markdown(f"**{frame.escape_markdown(title)}**")
        for line in formula:
            st.latex(line)
    st.markdown(
        f"""
Each node of the **tree** is a phrase. Its vector is computed from those of its two children, and one layer, the same
at every node, gives it five classes: −− very negative, − negative, 0 neutral, + positive, ++ very positive. The number
at a circle is the probability of its class; a single word shows it only below 90%. The **expected class** is the mean
of the five, from −2 to 2, weighted by their probabilities. {sentence.worked(request, edited, results)}

The indices l and r, or a and b, are the left and the right child. σ is the logistic sigmoid, ∘ the element-wise
product. The child-sum Tree-LSTM adds its children up, so swapping them changes nothing; the LSTM over phrases reads
the words of a phrase from left to right and ignores the tree within it.

**Where the tree comes from.** The treebank's sentences were parsed, the examples bracketed by hand, and you bracket
your own: without brackets a sentence branches to the right, which is often wrong, and no network was trained on wrong
trees. Joining a phrase to its neighbour changes the brackets, one pair at a time.

**What an edit shows.** “not” joined to a phrase, or a sentence with swapped halves, need not be English: you see what
the network does with it, not what a person would think. *Socher et al. 2011 and 2013; Tai, Socher and Manning 2015.*
"""
    )
