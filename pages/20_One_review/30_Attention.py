"""What did the network attend to?

The stronger a word's colour, the more weight it got. Whether that explains the prediction is tested below.
"""

import streamlit as st

from nlpviz.figures.panels import reference
from nlpviz.ui import frame, texts, tokens, widgets
from nlpviz.ui.attention import effect, heads, words
from nlpviz.ui.wanted import WITH_ATTENTION

with frame.bar():
    run = widgets.pick_run(WITH_ATTENTION)
    checkpoints = widgets.pick_checkpoints(run, default=(run.best_epoch,), wanted=WITH_ATTENTION, surveyed=True)
    text = texts.pick_text(run)
with frame.controls():
    view = words.pick_view(checkpoints)
    place = st.container(width="content")
    with frame.more():
        fold = words.pick_fold(checkpoints)

shown = words.attend_beside(checkpoints, text, view)
chosen = reference(shown)  # the others are compared with it
with place:
    sentence = words.pick_sentence(shown)
words.show(shown, sentence, fold=fold)
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

A recurrent network's annotation of a word also contains information about the words around it, and so does a
Transformer's from its second layer on: a weight belongs to a position in the text, not to the word alone.
*Bahdanau et al. 2015; Yang et al. 2016; Vaswani et al. 2017; Tixier 2018, section 7.2.*

**Does attention matter?** Only the attention weights are replaced, the network stays as it is: by uniform weights; by
its own in random order (10 times); by its own with those of some words set to zero and the rest renormalised (Serrano
and Smith 2019). The words stay in the text. Where the prediction hardly moves, the weights do not explain it (Jain and
Wallace 2019); that other weights give the same prediction does not make the learnt ones meaningless (Wiegreffe and
Pinter 2019). How far a prediction moves is measured by the total variation distance: with two classes, the absolute
change of the probability.

**Kendall's τ** compares two rankings of the words: the pairs that both put in the same order minus the pairs they order
differently, as a share of the pairs that have an order (τ-b). Gradient saliency is the norm of the score's gradient at
each word, through the attention as well (Jain and Wallace hold it fixed). Leave-one-out removes each word in turn and
reads the text again, T times for T words, so it was computed for only some of the test reviews, which are a sample
themselves. Leave-one-out looks at texts that nobody wrote, and saliency at changes smaller than any change of a word,
so neither is the ground truth.
"""
    )
