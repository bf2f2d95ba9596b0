"""How well does each model predict its test text?

Perplexity on held-out text, networks beside n-gram models: lower is better.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.language import perplexities

with frame.bar():
    runs = perplexities.pick_corpus()
    quantity = perplexities.pick_quantity()
perplexities.show(runs, quantity)
perplexities.show_curves(runs)
perplexities.show_vocabularies(runs)

with frame.how_to_read():
    st.latex(r"\mathrm{perplexity} = \exp\Big(-\frac{1}{T} \sum_{t=1}^{T} \log p(w_t \mid w_1 \ldots w_{t-1})\Big)")
    st.markdown(
        """
The test text is read as one stream that starts after an `<eos>`. Every line, blank ones too, ends in an `<eos>`, which
is predicted and counted like any other token; contexts cross lines, and p is over the full vocabulary, `<unk>` included
where the training text has it. IMDB's lines are its reviews. A model that gave k tokens the same probability everywhere
would have a perplexity of k.

**What compares with what.** Perplexities compare for one text, one tokenizer and one vocabulary: a smaller vocabulary
makes more words `<unk>`, which is easy to predict: where n-grams were counted again with the commonest words alone, the
last figure shows by how much. **Bits per character** compare across tokenizers only if nothing of
the text is lost: lowercasing, dropped markup and `<unk>` all lower them.

A **unigram cache** predicts a word by its frequency among the last n; a **neural cache** also weights each of these by
how similar the network's state was when it came (θ: how sharply). λ is the weight of the cache; in a **mixture**, of
the run itself. Caches adapt to the test text as it goes by, and a mixture is two models: such a bar is not the network
alone. λ, θ and the epoch were chosen on the validation text, where one was held out. In the curves, the larger dot is
the best epoch (validation), and a broken line is an n-gram model. *Chen and Goodman 1999; Bengio et al. 2003; Mikolov
et al. 2010; Grave et al. 2017.*
"""
    )
