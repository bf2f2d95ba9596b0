"""Which method finds what the prediction rests on?

Each method puts the words in an order. How soon the prediction falls as they are removed in it, beside random orders,
from the worst order there is to the best.
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
of neighbouring words, ordered by their mean scores, or magnitudes where a method has no sign. Words are removed from
the text that the network reads.

How much an order can gain depends on the network and the text, so that raw values do not compare across either. They
are **normalised** by the best and the worst order (Edin et al. 2024). Of 10 groups all orders are tried, by reading the
text without each of the 1,024 sets of groups: nothing is missed, but what is within a group is not told apart.
{compared.worked(result)}
1 is the best order, 0 the worst; random orders, grey, lie between, and seldom at 0.5. Methods without a sign are
handicapped: they also put words first that speak against the class.

**Orders that ask no network**, in grey, are measured as well: the log-count ratio of each word towards the predicted
class, from the training texts (Wang and Manning 2012), and the place of a word, later or earlier. A method that does no
better has not shown that it knows more than they do.

**Deletion and insertion** (Petsiuk et al. 2018) are the areas under $p_k$ and $q_k$. They differ from comprehensiveness
and sufficiency by what is the same for every order of this text, so that their normalised values are the same. What is
left of the text is no longer English, so all four compare orders and do not say how a reader would judge.

**Residual**: what a method's scores leave of the class score over that of zero vectors; methods that do not add up have
none. Of sampled Shapley values it is next to nothing, however few orders were sampled.

**Do the methods agree?** Spearman's correlation of the scores, of their magnitudes where one of two methods has no
sign; and which share of their ten strongest words two methods have in common, of a short text half of its words. That
methods agree does not make them right (Krishna et al. 2024).

**How stable they are**: sensitivity is the largest change of the scores, as a share of their norm, over five random
moves of the word vectors (Yeh et al. 2019); a network that turns quickly makes a faithful method sensitive, too. The
ranks by an untrained network, and by this one with layers drawn anew from the top down, show how much of an order comes
from the text and the architecture alone (Adebayo et al. 2018).
"""
    )
