"""How well does each model predict its test text?

Perplexity on text that no model learnt from, network beside counting: the less, the better.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.language import perplexities

with frame.bar():
    runs = perplexities.pick_corpus()
    quantity = perplexities.pick_quantity()
perplexities.show(runs, quantity)
perplexities.show_curves(runs)

with frame.how_to_read():
    st.latex(r"\mathrm{perplexity} = \exp\Big(-\frac{1}{T} \sum_{t=1}^{T} \log p(w_t \mid w_1 \ldots w_{t-1})\Big)")
    st.markdown(
        """
The test text is read as one, from its first token to its last, after the end of a line: the ends of lines count, blank
lines too, contexts cross lines, and p is over the whole vocabulary, the unknown word included where the training text
has it. A model that gave k tokens the same probability everywhere would have a perplexity of k.

**What compares with what.** Perplexities compare for one text, one tokenizer and one vocabulary: a smaller vocabulary
makes more words `<unk>`, which is easy to predict. **Bits a character** compare over tokenizers, on the same text.

A **cache** gives the words of the last so many tokens more probability, a **neural cache** those above all that came in
a state like the present one; a **mixture** is λ of one model and 1 − λ of the other. These learn from the test text as
it goes by, or are two models: such a bar is not the network alone. λ, θ and the epoch were chosen on the validation
text, where one was held out. *Chen and Goodman 1999; Bengio et al. 2003; Mikolov et al. 2010; Grave et al. 2017.*
"""
    )
