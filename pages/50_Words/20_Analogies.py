"""What is to woman as king is to man?

Type words with plus and minus: what comes out, in which plane it lies, and when the vectors learnt it.
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
For *b − a + c*, such as *king − man + woman*; with other signs each word stands in the sum, or above or below the line,
as often as it was typed; cos′ is (1 + cos) / 2. All vectors have length 1 before they are added. 3CosAdd adds up
cosines, so that one large cosine can outweigh the others; 3CosMul weighs them against each other, and above 1 is no
mistake. {analogies.worked_example(solved)}

**The typed words are left out** by nearly everyone who reports analogies, for the sum mostly lies nearest to one of its
own words. Switch it, and see what the offset alone does.

**The plane** is spanned by the first two principal components of the words shown. A full line is the same step twice,
*a* to *b* and *c* to the cross where the sum comes out; a dotted line leads from there to the answer. All words have
length 1 and the sum has not, so that the answer is the nearest word by angle and may look far away. Where the signs do
not add up to one, the cross is the sum divided by what they add up to, or at length 1.

**Accuracy** is the share of right first answers to Google's questions of whose words all are known; typed words are
left out. At epoch 0 the vectors are random. *Mikolov, Yih and Zweig 2013; Mikolov, Chen, Corrado and Dean 2013 for the
questions; Levy and Goldberg 2014 for 3CosMul.*
"""
    )
