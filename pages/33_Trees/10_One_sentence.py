"""What does each phrase add to the sentiment?

A network composes the sentence from its words, phrase by phrase along its tree, and classifies every phrase. Choose one
by a click or from the list, then swap its children, negate, delete or join it: the sentence is composed anew.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.trees import choice, edits, sentence

request = choice.ask()
edited = edits.ask(request.sentence.tree)
results = sentence.show(request, edited)
sentence.tell(request, edited, results)
sentence.show_phrase(request, edited, results)
frame.lead_to("Trees", "What do negation and “but” do, over the whole test split?", "negation-and-contrast")

with frame.how_to_read():
    for title, formula in sentence.formulas(request):
        st.markdown(f"**{frame.escape_markdown(title)}**")
        for line in formula:
            st.latex(line)
    st.markdown(
        f"""
Each node of the **tree** is a phrase; its vector is made of those of its two children, and one layer, the same at every
node, gives it five classes: −− very negative, − negative, 0 neutral, + positive, ++ very positive. Beside a circle
stands the probability of its class; a word's only where it is below 90 %. The **expected class** weights the five by
their probabilities, from −2 to 2. {sentence.worked(request, edited, results)}

The indices l and r, or a and b, are the left and the right child. σ is the logistic sigmoid, ∘ the product entry by
entry. The child-sum Tree-LSTM adds its children up, so that swapping them changes nothing; the LSTM over phrases reads
the words of a phrase from left to right and ignores the tree within it.

**Where the tree comes from.** The treebank's sentences were parsed, the examples bracketed by hand, and yours are what
you make of them: without brackets a sentence branches to the right, which is often wrong, and a network was never
trained on wrong trees. Joining a phrase to its neighbour changes the brackets, one pair at a time.

**What an edit shows.** “not” joined to a phrase, or a sentence with swapped halves, need not be English: the answer
says what the network does with it, not what a person would think. *Socher et al. 2011 and 2013; Tai, Socher and
Manning 2015.*
"""
    )
