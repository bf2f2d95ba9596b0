"""What is to woman as king is to man?

Add and subtract word vectors: type king - man + woman, or man : king :: woman.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.words import analogies, analogy_epochs, analogy_field, choice

with frame.bar():
    sources = choice.pick_sources()
    typed, expected = analogy_field.pick_typed()
with frame.controls():
    analogy_field.pick_example()
    question = analogy_field.pick_question(typed, expected)

solved = analogies.solve_all(sources, question)
analogies.show(solved, question)
analogy_epochs.show_epochs(solved)
analogy_epochs.show_accuracies(sources, question.method)

with frame.how_to_read():
    st.latex(r"\text{3CosAdd:}\quad \operatorname{argmax}_{w} \; \cos(w,\; b - a + c)")
    st.latex(
        r"\text{3CosMul:}\quad \operatorname{argmax}_{w} \; "
        r"\frac{\cos'(w, b)\,\cos'(w, c)}{\cos'(w, a) + 0.001}"
    )
    st.markdown(
        f"""
The formulas are for *b − a + c*, such as *king − man + woman*. In other expressions, each word enters the sum
(3CosAdd), or the numerator or denominator (3CosMul), as often as you type it. The function cos′ is (1 + cos) / 2. All
vectors are first scaled to length 1. 3CosAdd adds cosines, so one large cosine can outweigh the others; 3CosMul
balances them, and its score can exceed 1. {analogies.worked_example(solved)}

**Input words are usually excluded** when analogies are reported, because the word nearest to the result is usually an
input word. Include them to see the effect of the offset itself.

**The plane** is spanned by the first two principal components of the words shown. The solid lines show the same offset
twice, from *a* to *b* and from *c* to the resulting vector (the cross); a dotted line leads from the cross to the
answer. Word vectors have length 1, but the resulting vector does not. The answer is nearest by angle, so it may look
far from the cross. If the signs do not add up to 1, the cross shows the sum divided by the total of the signs. If this
total is not positive, the sum is scaled to length 1.

**Accuracy** is the share of the questions in Google’s analogy test set whose top-ranked answer is correct. Only
questions with all words in the vocabulary are counted, and input words are excluded as answers. At epoch 0 the vectors
are random. *Mikolov, Yih and Zweig 2013; Mikolov, Chen, Corrado and Dean 2013 for the questions; Levy and Goldberg 2014
for 3CosMul.*
"""
    )
