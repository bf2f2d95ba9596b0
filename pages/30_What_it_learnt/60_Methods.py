"""Which explanations can be believed?

Over hundreds of test texts: how soon a prediction falls when words are removed in a method's order, beside random
orders and orders that asked no network, in usual networks and in judges that were trained on texts with gaps.
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
believed.tell_of_judges(found)
st.header("Where in a text do the scores lie?", anchor=False)
believed.show_fifths(own)

with frame.how_to_read():
    st.latex(r"\text{normalised} = \frac{\text{value} - \text{worst}}{\text{best} - \text{worst}}")
    st.markdown(
        f"""
A text is read as {own.groups} groups of neighbouring words, without every set of them: {2**own.groups} times. So the
best order, the worst one and the mean over all orders are exact. **Comprehensiveness** is how far the probability of
the predicted class falls on average as the groups are removed, **sufficiency** how far it is from the whole text's with
the first groups alone (DeYoung et al. 2020); the areas of deletion and insertion, normalised, are the same numbers. All
are normalised by each text's best and worst order (Edin et al. 2024), so that texts and networks compare; for
sufficiency, too, 1 is best.

{believed.worked(own)}

**Texts won**: an order that is better than most of 200 random orders of a text has won it; chance wins half. Whether a
method is *right more often than a random order* is a sign test over the texts, all cells of the table together at a
false discovery rate of 5 %. Intervals are bootstrapped over texts, of shares Wilson's.

**Within fifths**: people's reasons stand at the end of a film review, so that "later is more" may look like insight.
Here only the words of one fifth are removed at a time, in four groups, and what is gained is summed over the fifths: a
method cannot win by its choice of the place.

**A judge**: removing words makes texts that a network has never read, and its answers may be surprise (Hooker et al.
2019). The runs called *judge* were trained on texts of which a share between none and all of the words was left out
(Madsen et al. 2024). Scores are the judge's own: it is another network, and what is faithful to it need not be faithful
to the usual one.

**Pitfalls.** The documents have {int(own.tokens.min())} to {int(own.tokens.max())} tokens, {own.tokens.mean():.0f} on
average: what holds for them may not hold for long ones. LIME and Shapley values are drawn from fewer samples than on
the page of one review. Groups, not words, are ordered. Methods without a sign are handicapped, since they also put
words first that speak against the class.
"""
    )
