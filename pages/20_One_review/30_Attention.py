"""What did the network attend to?

The stronger the colour of a word, the larger its attention weight. The tests show whether weights explain predictions.
"""

import streamlit as st

from nlpviz.figures.panels import reference
from nlpviz.ui import frame, texts, tokens, widgets
from nlpviz.ui.attention import effect, heads, words
from nlpviz.ui.run_filter import WITH_ATTENTION

with frame.bar():
    run = widgets.pick_run(WITH_ATTENTION)
    checkpoints = widgets.pick_checkpoints(run, default=(run.best_epoch,), wanted=WITH_ATTENTION, surveyed=True)
    text = texts.pick_text(run)
with frame.controls():
    view = words.pick_view(checkpoints)
    place = st.container(width="content")
    with frame.more():
        fold = words.pick_fold(checkpoints)

calls = words.attend_beside(checkpoints, text, view)
shown = [call() for call in calls]
chosen = reference(shown)  # the others are compared with it
with place:
    sentence = words.pick_sentence(shown)
words.show(calls, sentence, fold=fold)
heads.show([call.get("result") for call in calls])

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

A recurrent network’s annotation of a word also contains information about the surrounding words. The same holds for a
Transformer’s annotations in the second and later layers. A weight therefore describes a position in the text, not just
the word at that position. *Bahdanau et al. 2015; Yang et al. 2016; Vaswani et al. 2017; Tixier 2018, section 7.2.*

**Does attention matter?** Only the attention weights are replaced; the rest of the network is unchanged. There are
three replacements: uniform weights, the original weights in random order (10 times), and the original weights with some
of them set to zero and the rest renormalised (Serrano and Smith 2019). The words stay in the text. If the prediction
hardly changes, the weights do not explain it (Jain and Wallace 2019). However, learnt weights can be meaningful even if
other weights give the same prediction (Wiegreffe and Pinter 2019). The change in a prediction is measured by the total
variation distance. For two classes, this distance is the absolute change of the probability.

**Kendall’s τ** compares two rankings of the words. It is the number of pairs ranked in the same order minus the number
ranked in opposite orders, as a share of the untied pairs (τ-b). Gradient saliency is the norm of the score’s gradient
at each word, including the path through the attention (Jain and Wallace hold the attention fixed). Leave-one-out
removes each word in turn. It needs T forward passes for T words, so it was computed for only some of the sampled test
reviews. Neither method is the ground truth: leave-one-out uses texts that nobody wrote, and saliency measures
infinitesimal changes, whereas replacing a word is a large change.
"""
    )
