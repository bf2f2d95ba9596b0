"""How well does each model predict its test text?

Perplexity on held-out text, for networks and n-gram models: lower is better.
"""

import streamlit as st

from nlpviz.figures.language.perplexities import QUANTITIES
from nlpviz.ui import frame, widgets
from nlpviz.ui.language import perplexities

with frame.bar():
    runs = perplexities.pick_corpus()
    quantity = widgets.pick("quantity", "Measure", list(QUANTITIES), lambda name: QUANTITIES[name].axis)
perplexities.show(runs, quantity)
perplexities.show_curves(runs)
perplexities.show_vocabularies(runs)

with frame.how_to_read():
    st.latex(r"\mathrm{perplexity} = \exp\Big(-\frac{1}{T} \sum_{t=1}^{T} \log p(w_t \mid w_1 \ldots w_{t-1})\Big)")
    st.markdown(
        """
The test text is read as one stream that starts after an `<eos>`. Every line, including blank lines, ends in an
`<eos>`, which is predicted and counted like any other token. The context extends across line breaks. The distribution
p covers the full vocabulary, including `<unk>` if `<unk>` occurs in the training text. In IMDB, each line is a review.
A model that always chooses uniformly among k tokens has a perplexity of k.

**What can be compared.** Perplexities are comparable only for the same text, tokenizer and vocabulary. A smaller
vocabulary turns more words into `<unk>`, which is easy to predict; the last figure shows the size of this effect, if
it was measured. **Bits per character** are comparable across tokenizers only if no part of the text is lost.
Lowercasing, removing markup and replacing words by `<unk>` all lower this measure.

A **unigram cache** predicts a word by its frequency among the last n words. A **neural cache** also weights each of
these words by the similarity of the network’s state at that word to the current state; θ sets the sharpness of the
weights. λ is the weight of the cache; in a **mixture**, λ is the weight of the model itself. Caches adapt to the test
text, and a mixture combines two models, so their bars do not represent a single model. λ, θ and the epoch were chosen
on the validation text, if there is one. In the curves, the larger dot marks the best epoch (validation), and each
dashed line represents an n-gram model. *Chen and Goodman 1999; Bengio et al. 2003; Mikolov et al. 2010; Grave et al.
2017.*
"""
    )
