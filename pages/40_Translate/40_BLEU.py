"""How close are the translations to human references?

BLEU counts the words and word sequences (n-grams) that the translations share with the references.
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
pₙ is the share of the translations’ n-grams that also occur in the reference. A repeated n-gram counts at most as often
as it occurs in the reference. c is the total length of the translations and r the total length of the references. If
the translations are too short overall, the score is lowered. {runs[0].title} reaches {runs[0].bleu:.2f} at epoch
{runs[0].epoch}. Case is ignored{published}.

BLEU is meant for a whole corpus, not for a single sentence. It compares words, not meaning: a correct translation that
differs in wording from the reference scores low. The paired bootstrap (Koehn 2004) shows which differences might not
hold on other test sentences. The bootstrap does not cover variation between seeds: each network was trained with one
seed. The curve by epoch shows the BLEU of greedy translations of the validation sentences, which are also used to
select the best epoch. The test sentences were translated with the run’s beam search. Each length group contains
different sentences, so compare networks within a group, not across groups. The effect of a setting is measured on two
networks that differ only in that setting; the intervals are not corrected for multiple comparisons. Reversing the
source makes no difference to a bidirectional encoder, so the reading direction is compared on unidirectional encoders
(Sutskever, Vinyals and Le 2014). *Papineni, Roukos, Ward and Zhu 2002; Post 2018 for sacreBLEU and its signature.*
"""
    )
