"""When does “not good” count as negative?

Minimal pairs of sentences test whether a network handles negation, contrast and irony.
"""

import streamlit as st

from nlpviz.results.behaviours import MARGIN
from nlpviz.ui import frame, widgets
from nlpviz.ui.assessment import behaviours, choice, kept_pairs
from nlpviz.ui.own_texts import chosen_file

with frame.bar():
    runs = choice.pick_runs()
    with st.popover("Your own pairs", icon=":material/upload_file:"):
        st.markdown(choice.FORM)
        file = chosen_file.pick_file("behaviours", "minimal pairs")
    own = kept_pairs.pick()
asked = choice.own_asked(file.path, file.name, file.token) if file else own or choice.battery_asked()

if asked is not None:
    found = behaviours.probed(runs, asked)
    with frame.controls():
        capability = behaviours.pick_capability(asked)
    behaviours.tell(asked, found)
    behaviours.show_rates(asked, found, capability)
    behaviours.show_verdicts(asked, found)
    st.header("Pair by pair", anchor=False)
    with st.container(horizontal=True, key="nlpviz_heads"):
        titles = {run.name: run.title for run in runs}
        name = widgets.pick("network", "Network", titles)
        (run,) = [run for run in runs if run.name == name]
        epoch = behaviours.pick_epoch(run)
    behaviours.show_pairs(asked, found[name], capability, run, epoch)
    behaviours.show_templates(asked, found[name], capability)

    with frame.how_to_read():
        st.latex(
            r"\frac{\hat p + \frac{z^2}{2n} \pm z \sqrt{\frac{\hat p (1 - \hat p)}{n} + \frac{z^2}{4 n^2}}}"
            r"{1 + \frac{z^2}{n}}, \qquad z = 1.96"
        )
        st.markdown(behaviours.worked(asked, found[name], capability))
        st.markdown(
            f"""
**Three kinds of test** (Ribeiro et al. 2020, *CheckList*, section 2.2). *Minimum functionality*, `positive/negative`:
both texts must be classified correctly; a network that ignores the *not* misclassifies one of them. *Directional
expectation*, `higher` or `lower`: the probability of *positive* must change in that direction from the first text to
the second, by any amount. *Invariance*, `same`: the probability must change by less than {MARGIN}. **Random
predictions** pass a quarter of the tests of the first kind and half of those of the second kind. Invariance has no
random baseline: a network that assigns all texts nearly the same probability, as at epoch 0, passes all of these tests.

**Limits.** The sentences were written for this project and are shorter and plainer than reviews. Pairs from one
template are similar, but the interval treats them as independent. The interval is valid for pairs like these but too
narrow for negation in general. The last table shows how much the results differ between templates. Pairs with an
out-of-vocabulary word are excluded, unless the word is a deliberate misspelling. A failure shows that a capability is
missing; a pass does not show why. Use the pairs for testing only: according to CheckList’s author, the method is not
meant for counterfactual data augmentation.
"""
        )
