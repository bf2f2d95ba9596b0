"""When does “not good” count as negative?

Pairs of sentences that differ in one thing ask whether a network heeds negation, contrast, irony and more, at every
epoch it keeps.
"""

import streamlit as st

from nlpviz.results.behaviours import MARGIN
from nlpviz.ui import frame, widgets
from nlpviz.ui.assessment import behaviours, choice, kept
from nlpviz.ui.own_texts import chosen_file

with frame.bar():
    runs = choice.pick_runs()
    with st.popover("Your own pairs", icon=":material/upload_file:"):
        st.markdown(choice.FORM)
        file = chosen_file.pick_file("behaviours", "minimal pairs")
    own = kept.pick()
asked = choice.own_asked(file.path, file.name, file.token) if file else own or choice.battery_asked()

if asked is not None:
    found = behaviours.probed(runs, asked)
    behaviours.tell(asked, found)
    above = st.container()
    st.header("Pair by pair", anchor=False)
    with frame.controls():
        capability = behaviours.pick_capability(asked)
        titles = {run.name: run.title for run in runs}
        name = widgets.pick("network", "Network", list(titles), titles.__getitem__)
    with above:
        behaviours.show_rates(asked, found, capability)
    (run,) = [run for run in runs if run.name == name]
    behaviours.show_templates(asked, found[name], capability)
    behaviours.show_pairs(asked, found[name], capability, run)

    with frame.how_to_read():
        st.latex(
            r"\frac{\hat p + \frac{z^2}{2n} \pm z \sqrt{\frac{\hat p (1 - \hat p)}{n} + \frac{z^2}{4 n^2}}}"
            r"{1 + \frac{z^2}{n}}, \qquad z = 1.96"
        )
        st.markdown(behaviours.worked(asked, found[name], capability))
        st.markdown(
            f"""
**Three kinds of test** (Ribeiro et al. 2020, *CheckList*, section 2.2). *Minimum functionality*: both labels are known,
`positive/negative`, and both texts must get theirs: who overlooks the *not* gets one wrong. *Directional expectation*:
`higher` or `lower`, the second text must move the probability of *positive* that way, by however little. *Invariance*:
`same`, it must move by less than {MARGIN}. **Answers at random** pass a quarter of the first kind and half of the
second. Of the third there is no such line: a network that has no opinion, as at epoch 0, passes them all.

**Only these sentences.** They were written for this project, short and plain, as no review is. Pairs of one template
are alike, and the interval takes them for independent: it holds for pairs like these, and is too narrow for negation
as such. How much templates differ is in the first table. Pairs with a word that a run does not know are left out, but
for misspelt ones. A failure shows that something is missing; a pass does not show why. Such pairs are tests:
CheckList's author says that it is not meant for counterfactual augmentation.
"""
        )
