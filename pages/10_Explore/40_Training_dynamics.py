"""Which texts did the network learn at once, forget, or never get right?

Each point is a text: the mean probability of its label during training, and how much it varied.
"""

import streamlit as st

from nlpviz.ui import classes, frame, widgets
from nlpviz.ui.documents import dynamics, dynamics_regions, dynamics_tables, dynamics_together

with frame.bar():
    run = dynamics.pick_run()
    dynamics.require_log(run)
    part = dynamics.pick_part(run)
with frame.controls():
    color = dynamics.pick_color(run)

found = dynamics.learnt(run, part)
position, loop = dynamics.pick_document(found), dynamics.pick_loop()
dynamics.tell(run, part)
dynamics.show_map(run, part, color, position, loop)
dynamics.tell_forgotten(run, part)

st.header("One text, moment by moment", anchor=False)
dynamics.show_story(run, part, position)
st.header("Several texts together", anchor=False)
dynamics_regions.show(run, part, loop)
st.header("Which labels does the network believe least?", anchor=False)
dynamics_tables.show_suspects(run, part)
with widgets.folded("planted", "Does this ranking find wrong labels?") as asked:
    if asked:
        dynamics.show_planted(run)
with widgets.folded("together", "Do other networks doubt the same texts?") as asked:
    if asked:
        dynamics_together.show(run, part)

document, log = classes.document(run), found.log
given = log.probabilities[position, log.moments > 0]
first = ", ".join(f"{share:.3f}" for share in given[:8]) + ", …" * (len(given) > 8)
with frame.how_to_read():
    st.markdown(
        f"""
At each of {len(found.moments)} moments of the training, epoch {found.moments[0]:g} to {found.moments[-1]:g}, the
averaged weights of the run give the probability of each {document}'s own label, without dropout. **Mean
confidence** is the mean of these numbers, **variability** their standard deviation (Swayamdipta et al. 2020,
section 2). Of the {document} above they are {first}:

$$
\\hat\\mu = \\frac{{1}}{{{len(given)}}}\\sum_e p_e = {found.confidence[position]:.3f}, \\qquad
\\hat\\sigma = \\sqrt{{\\frac{{1}}{{{len(given)}}}\\sum_e (p_e - \\hat\\mu)^2}} = {found.variability[position]:.3f}
$$

High mean confidence and low variability is **easy to learn**, low and low **hard to learn**, high variability
**ambiguous**. A **forgetting event** is a right prediction followed by a wrong one at the next moment (Toneva et al.
2019); **first right** is the first moment at which the label is predicted. Averaged weights move slowly and so forget
less often than the latest weights. **Suspects** are ranked by mean confidence, lowest first. A wrong label is one
reason for low confidence; irony, a rare topic or a truncated text are others. Read before you relabel. The **area under
the margin** (Pleiss et al. 2020) is the mean log-odds of the label, **loss at the end** the loss at the last moment. A
mean over the training helps with networks that memorise wrong labels in the end; otherwise the loss at the end may rank
as well or better. **Self-influence** (Pruthi et al. 2020) is the squared length of a {document}'s own gradient at the
word vectors, summed over epochs.

A **loop** drawn on the map lists what lies inside. The **thirds** are those of Swayamdipta et al. (section 3): of
highest and lowest mean confidence, and of highest variability. Several trainings are compared by Spearman's rank
correlation over the {document}s that all of them logged; *never right* counts as latest. Trainings of one recipe agree
a good deal (Toneva et al., section 4), so doubts shared only by seeds are no second opinion.

Probabilities are kept in 256 levels of log-odds and are off by at most 1/128. *Held out* and *test* {document}s were
never trained on: for them the map shows what generalised, and when.
"""
    )
