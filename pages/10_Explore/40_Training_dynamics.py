"""Which texts did the network learn at once, forget, or never get right?

Each point is a text: the mean probability of its label during training, and how much this probability varied.
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

found = dynamics.learnt(run, part)()
position, loop = dynamics.pick_document(found), dynamics.pick_loop()
dynamics.tell(run, part)
dynamics.show_map(run, part, color, position, loop)
dynamics.tell_forgotten(run, part)

st.header("One text, moment by moment", anchor=False)
dynamics.show_story(run, part, position)
st.header("Several texts at once", anchor=False)
dynamics_regions.show(run, part, loop)
st.header("Which labels are most suspect?", anchor=False)
dynamics_tables.show_suspects(run, part)
with widgets.folded("planted", "Does this ranking find wrong labels?") as asked:
    if asked:
        dynamics.show_planted(run)
with widgets.folded("together", "Do other networks agree on the suspects?") as asked:
    if asked:
        dynamics_together.show(run, part)

document, log = classes.document(run), found.log
given = log.probabilities[position, log.moments > 0]
first = ", ".join(f"{share:.3f}" for share in given[:8]) + ", …" * (len(given) > 8)
with frame.how_to_read():
    st.markdown(
        f"""
The probability of each {document}’s own label is logged at {len(found.moments)} moments during training, epoch
{found.moments[0]:g} to {found.moments[-1]:g}, using the run’s averaged weights and no dropout. **Mean confidence** is
the mean of these probabilities, **variability** their standard deviation (Swayamdipta et al. 2020, section 2). For the
{document} above, the probabilities are {first}:

$$
\\hat\\mu = \\frac{{1}}{{{len(given)}}}\\sum_e p_e = {found.confidence[position]:.3f}, \\qquad
\\hat\\sigma = \\sqrt{{\\frac{{1}}{{{len(given)}}}\\sum_e (p_e - \\hat\\mu)^2}} = {found.variability[position]:.3f}
$$

A {document} is **easy to learn** if its mean confidence is high and its variability is low. It is **hard to learn** if
both are low, and **ambiguous** if its variability is high. A **forgetting event** is a correct prediction followed by a
wrong prediction at the next moment (Toneva et al. 2019); **first correct** is the first moment at which the label is
predicted. Averaged weights change slowly, so forgetting events are rarer than with the latest weights.

**Suspects** are ranked by mean confidence, lowest first. A wrong label is one cause of low confidence; others are
irony, a rare topic and truncation. Read a text before you relabel it. The **area under the margin** (Pleiss et al.
2020) is the mean log-odds of the label; **loss at the end** is the loss at the last moment. Averaging over training
helps if a network eventually memorises wrong labels; otherwise the loss at the end may rank texts just as well or
better. **Self-influence** (Pruthi et al. 2020) is the squared norm of a {document}’s own gradient with respect to the
word vectors, summed over epochs.

Draw a **loop** on the map to list the {document}s inside it. The **thirds** are defined by Swayamdipta et al. (section
3): highest mean confidence, lowest mean confidence, and highest variability. Training runs are compared by Spearman’s
rank correlation over the {document}s that all runs logged; *never correct* is ranked last. Runs that differ only in
their seed agree closely (Toneva et al., section 4), so suspects shared only by seeds are not independent evidence.

Probabilities are stored as log-odds, rounded to one of 256 levels, which changes a probability by at most 1/128.
The network was never trained on *held-out* and *test* {document}s. Their positions on the map show what
the network generalised to, and when.
"""
    )
