"""Which n-grams does the network rely on?

Over all test texts, bars to the right are evidence for the class, and bars to the left are evidence against it.
"""

import streamlit as st

from nlpviz.figures.panels import reference
from nlpviz.figures.run_titles import in_words
from nlpviz.runs.initial_weights import before_training
from nlpviz.ui import classes, frame, widgets
from nlpviz.ui.regions import top_ngrams
from nlpviz.ui.run_filter import WITH_REGIONS

with frame.bar():
    run = widgets.pick_run(WITH_REGIONS)
    checkpoints = widgets.pick_checkpoints(run, default=(run.best_epoch,), wanted=WITH_REGIONS, surveyed=True)
with frame.controls():
    chosen = classes.pick_class(run)
    query = top_ngrams.pick_query(run)

target = run.class_names[chosen]
calls = top_ngrams.rankings(checkpoints, query, target)
rankings = [call() for call in calls]
top_ngrams.tell(rankings, target)
above = st.container()
picked = top_ngrams.pick_ngram(rankings)
with above:
    top_ngrams.show(calls, target, picked[1] if picked else None)
if picked:
    top_ngrams.show_ngram(*picked, chosen)
    top_ngrams.show_rows(reference(rankings))
top_ngrams.tell_ratings(rankings)

with frame.how_to_read():
    st.latex(r"\text{mean}(g) = \frac{1}{|D_g|} \sum_{d \in D_g} \sum_{f\,\text{won by}\,g} \max_i c_{f,i} \; w_f")
    unit, most = ("in log-odds", 60) if len(run.class_names) == 2 else ("in units of its logit", 20)
    st.markdown(
        f"""
$D_g$ are the test texts in which the n-gram g wins at least one filter. The mean is g’s average contribution to the
score of **{target}** in these texts, {unit}; the total is the sum of these contributions.
{top_ngrams.sample_row(picked)}

**Documents** is the support, $|D_g|$. **Precision** is the share of these texts whose label is the class that the
n-gram supports. For an uninformative n-gram, the expected precision is the share of all test texts that have this
label. A text that contains the n-gram is not counted if the n-gram wins no filter there.

**In training** counts occurrences in the corpus’s training split ({run.corpus["validation"]:,} of its texts were held
out to choose the epoch). N-grams with an out-of-vocabulary word are not counted. *Never in training* lists n-grams that
the network knows only from their parts. They are listed even if they occur in only one test text, so their statistics
rest on little data.

Only the strongest n-grams are stored: up to {most} in each direction for each size, minimum support and order (unseen
n-grams are ordered by their mean). *Contains* searches only the stored n-grams. Epoch 0 is a network
{in_words(before_training(run))}. *Johnson and Zhang 2015, section 3.6.*
"""
    )
