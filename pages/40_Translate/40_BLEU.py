"""How close are the translations to human ones?

BLEU counts the words and word sequences that a network's translations of the test sentences share with human
references.
"""

import streamlit as st

from nlpviz.ui import frame
from nlpviz.ui.translation import bleu, settings

with frame.bar():
    pair = bleu.pick_pair()
runs = bleu.measured(pair)
bleu.show(pair, runs)
settings.show(pair)

with frame.how_to_read():
    published = "" if pair.own else ", as in published figures for Multi30k"
    st.latex(
        r"\mathrm{BLEU} = 100 \cdot \min\!\left(1,\, e^{1 - r/c}\right) "
        r"\exp\Big(\tfrac{1}{4} \sum_{n=1}^{4} \log p_n\Big)"
    )
    st.markdown(
        f"""
pₙ is the share of the translations' n-grams that also occur in the reference, each counted at most as often as there; c
is the length of all translations, r that of the references, so leaving words out does not pay. {runs[0].title} reaches
{runs[0].bleu:.2f} at epoch {runs[0].epoch}. Case is left out{published}.

BLEU is a number for a corpus: of one sentence it says little. It counts words, and not meaning: a right translation in
other words than the reference's is punished. The paired bootstrap says which differences might not hold on other test
sentences, but not what another seed would change: each network was trained with one. The curve by epoch is of greedy
translations of the validation sentences, by which the epoch was chosen; the test sentences were translated with the
run's beam. Each group by length is of other sentences: compare networks within a group, and not one group with the
next. What one setting changes is said of two networks that were trained alike but for it, by the same paired bootstrap;
the intervals are not corrected for how many settings are compared. An encoder that reads both ways is the same network
when the source is reversed, so the direction is compared where it reads one way (Sutskever, Vinyals and Le 2014).
*Papineni, Roukos, Ward and Zhu 2002; Post 2018 for sacrebleu and its signature.*
"""
    )
