"""Which method finds what the prediction rests on?

Remove the words in each method's order: the sooner the prediction falls, the better the method.
"""

import streamlit as st

from nlpviz.ui import frame, texts, widgets
from nlpviz.ui.attribution import compared

with frame.bar():
    run = widgets.pick_run()
    epoch = widgets.pick_epoch(run)
    text = texts.pick_text(run)

result = compared.show(run, epoch, text)

with frame.how_to_read():
    st.latex(
        r"\text{comprehensiveness} = \frac{1}{G} \sum_{k=1}^{G} (p_0 - p_k) \qquad"
        r"\text{sufficiency} = \frac{1}{G} \sum_{k=1}^{G} (p_0 - q_k)"
    )
    st.latex(r"\text{normalised} = \frac{\text{value} - \text{worst}}{\text{best} - \text{worst}}")
    st.markdown(
        f"""
$p_0$ is the probability of the predicted class, $p_k$ the same without the first $k$ of $G$ groups of an order, $q_k$
with these alone. Comprehensiveness is better when high, sufficiency when low (DeYoung et al. 2020, there at five shares
of the words and not at every step). A text of up to 10 words has a group for each; a longer one is cut into 10 groups
of neighbouring words, ordered by their mean scores (magnitudes where a method has no sign).

How much an order can gain depends on the network and the text, so raw values cannot be compared between texts. They
are **normalised** by the best and the worst order (Edin et al. 2024). With 10 groups all orders are tried: the text is
read without each of the 1,024 sets of groups. The order of words within a group is ignored.
{compared.worked(result)}
1 is the best order, 0 the worst; random orders, grey, lie between, rarely at 0.5. Methods without a sign have a
handicap: they also rank words high that speak against the class.

**Baselines that ignore the network**, in grey, are measured as well: the log-count ratio of each word for the predicted
class in the training texts (Wang and Manning 2012), and the word's position, last or first words first. A method that
does no better has not shown that it knows more than they do.

**Deletion and insertion** (Petsiuk et al. 2018) are the areas under $p_k$ and $q_k$. For one text they differ from
comprehensiveness and sufficiency by a constant, so their normalised values are the same. The remaining words are no
longer English, so all four compare orders; they do not predict a reader's judgement.

**Residual**: the class score above that of zero vectors, minus the sum of a method's scores; only for methods whose
scores should add up. For sampled Shapley values it is almost zero, however few orders were sampled.

**Do the methods agree?** Spearman's correlation of the scores (of their magnitudes where one method has no sign), and
the share of their ten strongest words that two methods have in common (half of the words in a short text). Agreement
does not make methods right (Krishna et al. 2024).

**Stability**: sensitivity is the largest change of the scores, as a share of their norm, over five random moves of the
word vectors (Yeh et al. 2019). If the network itself changes quickly, a faithful method is sensitive as well. The ranks
by an untrained network, and by this one with layers randomised from the top down, show how much of an order comes from
the text and the architecture alone (Adebayo et al. 2018).
"""
    )
