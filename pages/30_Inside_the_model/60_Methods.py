"""Which explanation methods can you trust?

How fast the predicted probability falls as words are removed in each method’s order, compared with random orders.
"""

import streamlit as st

from nlpviz.ui import frame, widgets
from nlpviz.ui.attribution import believed

with frame.bar():
    run = widgets.pick_run(believed.SURVEYED)
found = believed.surveys(run)
(own,) = [one for one in found if one.run == run.name]

with frame.controls():
    measure = widgets.pick("measure", "Measure", believed.MEASURES)
believed.tell(found)
believed.show_table(found, measure)
believed.show_verdicts(found)
st.header("Which part of a text receives the largest attributions?", anchor=False)
believed.show_fifths(own)

with frame.how_to_read():
    st.latex(r"\text{normalised} = \frac{\text{value} - \text{worst}}{\text{best} - \text{worst}}")
    st.markdown(
        f"""
Each text is split into {own.groups} groups of neighbouring words, and the network reads the text with every subset of
the groups removed ({2**own.groups} times). The best order, the worst order and the mean over all orders are therefore
exact. **Comprehensiveness** is the average drop in the probability of the predicted class as the groups are removed.
**Sufficiency** measures how close the probability stays to that of the complete text when only the first groups are
kept (DeYoung et al. 2020). After normalisation, the two measures equal the areas under the deletion and insertion
curves. They are normalised by each text’s best and worst order (Edin et al. 2024), so that texts and networks are
comparable; 1 is best for both.

{believed.worked(own)}

**Texts won**: an order wins a text if it is better than most of 200 random orders. On average, a random order wins half
of the texts. A method *beats random order* if a sign test over the texts is significant, at a false discovery rate of
5% over all cells of the table. Confidence intervals are bootstrapped over texts; those of shares are Wilson intervals.

**Within fifths**: reviewers often give their verdict at the end, so “last words first” may score well without
explaining anything. Here only the words of one fifth are removed at a time, in four groups, and the gains are summed
over the fifths, so a method cannot win by position alone.

**Trained with gaps**: texts with removed words are out of distribution, and this alone may affect the predictions
(Hooker et al. 2019). Some networks were therefore trained on texts with a random share of the words removed (Madsen et
al. 2024). These are different networks: a method that is faithful to a network trained without gaps may be unfaithful
to a network trained with gaps.

**Pitfalls.** The documents have {int(own.tokens.min())} to {int(own.tokens.max())} tokens, {own.tokens.mean():.0f} on
average; results may differ for longer documents. LIME and Shapley values use fewer samples here than on *One review*.
These orders consist of groups of words, not of individual words. Unsigned methods are at a disadvantage, because
they also give high ranks to words that count against the class.
"""
    )
