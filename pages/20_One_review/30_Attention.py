"""What did the network attend to?

The stronger its colour, the more weight the network gave a word. Whether that explains the prediction is asked below.
"""

import streamlit as st

from nlpviz.figures.panels import reference
from nlpviz.ui import frame, texts, tokens, widgets
from nlpviz.ui.attention import effect, heads, words
from nlpviz.ui.wanted import WITH_ATTENTION

with frame.bar():
    run = widgets.pick_run(WITH_ATTENTION)
    checkpoints = widgets.pick_checkpoints(run, default=(run.best_epoch,), wanted=WITH_ATTENTION)
    text = texts.pick_text(run)
with frame.controls():
    view = words.pick_view(checkpoints)
    fold = words.pick_fold(checkpoints)

shown = words.attend_beside(checkpoints, text, view)
chosen = reference(shown)  # the others are compared with it
words.show(shown, fold=fold)
heads.show([one.result for one in shown])

st.header("Does attention matter?", anchor=False)
effect.show(checkpoints, text)
effect.show_survey(checkpoints)
for one in {each.run: each for each in shown}.values():
    tokens.show_seen(one.result.text, one.run if one.run != run.name else "")

with frame.how_to_read():
    for formula in words.formulas(chosen):
        st.latex(formula)
    st.markdown(
        f"""
**Weights.** {words.reading(shown)}

A recurrent network's annotation of a word holds the words round it as well, and so does a Transformer's from its
second layer on: a weight is that of a place in the text, not of the word alone. *Bahdanau et al. 2015; Yang et al.
2016; Vaswani et al. 2017; Tixier 2018, section 7.2.*

**Does attention matter?** The network stays as it is and its weights alone are replaced: by the same for every word; by
its own in random order (10 times); by its own without those of some words, the rest divided by their sum (Serrano and
Smith 2019). The words stay in the text. Where the prediction hardly moves, the weights do not explain it (Jain and
Wallace 2019); that other weights give the same answer does not make the learnt ones meaningless (Wiegreffe and Pinter
2019). How far a prediction moves is the total variation distance: with two classes, the absolute change of the
probability.

**Kendall's τ** compares two rankings of the words: the pairs that both put in the same order, less those that they do
not, as a share of the pairs that have an order (τ-b). Gradient saliency is the norm of the score's gradient at each
word, through the attention as well (Jain and Wallace hold it fixed). Leave-one-out takes each word out of the text and
asks again, which reads a text of T words T times: of the test reviews, a sample in any case, only a part was asked
that. Leave-one-out speaks of texts that nobody wrote, and saliency of changes too small for a word, so that neither is
the truth either.
"""
    )
