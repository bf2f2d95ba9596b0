"""Which method finds the words that the prediction depends on?

Remove the words in each method’s order: the sooner the prediction falls, the better the method.
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
$p_0$ is the probability of the predicted class, $p_k$ its probability without the first $k$ of the $G$ groups in an
order, and $q_k$ its probability with only these $k$ groups. High comprehensiveness and low sufficiency are better
(DeYoung et al. 2020, who remove five fixed shares of the words instead of one group at a time). A text of up to 10
words has one group per word. A longer text is cut into 10 groups of neighbouring words, ordered by their mean scores
(or mean magnitudes, if a method has no sign).

The values that an order can reach depend on the network and the text, so raw values cannot be compared between texts.
They are **normalised** by the best and the worst order (Edin et al. 2024). With 10 groups, the best and worst orders
are exact, because the network reads the text with each of the 1,024 possible sets of groups removed. The order of words
within a group is ignored. {compared.worked(result)} The best order has the value 1 and the worst order 0. Random orders
(grey) lie in between, rarely at 0.5. Methods without a sign are at a disadvantage: they also give high ranks to words
that count against the class.

**Baselines that ignore the network** are also shown in grey: the log-count ratio of each word for the predicted class
in the training texts (Wang and Manning 2012), and the word’s position (last words first, or first words first). If a
method does no better than these baselines, there is no evidence that it explains the network.

**Deletion and insertion** (Petsiuk et al. 2018) are the areas under $p_k$ and $q_k$. For a given text, these areas
differ from comprehensiveness and sufficiency only by a constant and in sign, so the normalised values are the same. The
remaining words are no longer English, so all four measures compare orders; they do not predict a reader’s judgement.

The **residual** is the difference between the class score and the score of zero vectors, minus the sum of a method’s
scores. It is shown only for methods whose scores should add up to this difference. For sampled Shapley values, it is
almost zero even with few sampled orders.

**Do the methods agree?** One matrix shows Spearman’s correlation of the scores, or of their magnitudes if one method
has no sign. The other shows the share of the ten strongest words that two methods have in common. In a short text, the
strongest half of the words is compared instead. Agreement between methods does not make them right (Krishna et al.
2024).

**Stability**: sensitivity is the largest change in the scores, relative to their norm, over five random perturbations
of the word vectors (Yeh et al. 2019). If the network’s output itself is sensitive, the scores of a faithful method are
sensitive as well. To show how much of an order is due to the text and the architecture alone, the page also compares
the scores with those of two other networks (Adebayo et al. 2018). One is untrained; the other is this network with its
layers randomised from the top down.
"""
    )
