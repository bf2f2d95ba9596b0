"""Which explanation methods can you trust?

How soon a prediction falls as words are removed in each method's order, compared with random orders.
"""

import streamlit as st

from nlpviz.ui import frame, widgets
from nlpviz.ui.attribution import believed

with frame.bar():
    run = widgets.pick_run(believed.SURVEYED)
found = believed.surveys(run)
(own,) = [one for one in found if one.run == run.name]

with frame.controls():
    measure = believed.pick_measure()
believed.tell(found)
believed.show_table(found, measure)
believed.show_verdicts(found)
st.header("Where in a text do the scores lie?", anchor=False)
believed.show_fifths(own)

with frame.how_to_read():
    st.latex(r"\text{normalised} = \frac{\text{value} - \text{worst}}{\text{best} - \text{worst}}")
    st.markdown(
        f"""
Each text is split into {own.groups} groups of neighbouring words and read without every subset of them,
{2**own.groups} times. So the best order, the worst order and the mean over all orders are exact. **Comprehensiveness**
is how far the probability of the predicted class falls on average as the groups are removed, **sufficiency** how close
it stays to the whole text's with only the first groups (DeYoung et al. 2020); normalised, they equal the areas of
deletion and insertion. Both are normalised by each text's best and worst order (Edin et al. 2024), so that texts and
networks compare; 1 is best for both.

{believed.worked(own)}

**Texts won**: an order wins a text if it is better than most of 200 random orders; chance wins half. Whether a method
*beats random order* is a sign test over the texts, for all cells of the table together at a false discovery rate of 5%.
Intervals are bootstrapped over texts; those of shares are Wilson's.

**Within fifths**: reviewers often give their verdict at the end, so "last words first" may look like insight. Here only
the words of one fifth are removed at a time, in four groups, and the gains are summed over the fifths: a method cannot
win by position alone.

**Trained with gaps**: texts with removed words are unlike anything a network has read, and its answers may reflect that
surprise (Hooker et al. 2019). Some networks were therefore trained on texts with a random share of the words left out
(Madsen et al. 2024). They are different networks: what is faithful to one need not be faithful to the other.

**Pitfalls.** The documents have {int(own.tokens.min())} to {int(own.tokens.max())} tokens, {own.tokens.mean():.0f} on
average; results may differ for long ones. LIME and Shapley values use fewer samples here than on *One review*. Groups,
not words, are ordered. Methods without a sign are handicapped, since they also put evidence against the class first.
"""
    )
