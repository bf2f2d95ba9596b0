"""What does one filter look for?

Each mark is one filter of the network: how strongly it answers test reviews, and what that does to the prediction.
"""

import streamlit as st

from nlpviz.figures.regions.filters import filter_map
from nlpviz.runs.documents import documents_of
from nlpviz.ui import frame, plotly_view, widgets
from nlpviz.ui.regions import choice, filters
from nlpviz.ui.wanted import WITH_REGIONS

with frame.bar():
    run = widgets.pick_run(WITH_REGIONS)
    epochs = widgets.pick_epochs(run, default=(run.best_epoch,))
with frame.controls():
    size = choice.pick_size(run)

shown = filters.filters_of(run, epochs, size)
above = st.container()
one = filters.pick_filter(run, epochs[-1])
with above:
    drawn = filter_map(shown, run.class_names[-1], one.id)
    plotly_view.show(drawn, key="filters", on_click=widgets.set_to("filter"))
filters.tell(run, one)
filters.show_ngrams(run, one, epochs)

st.header("The same filter, epoch by epoch", anchor=False)
filters.show_epochs(run, one)
st.header(f"The words that it answers most in each slot, at epoch {epochs[-1]}", anchor=False)
filters.show_slots(run, one)
filters.show_all(shown[-1])

with frame.how_to_read():
    st.latex(r"c_{f,i} = \mathrm{ReLU}\Big(b_f + \sum_{j=1}^{h} W_{f,j} \cdot a_{i+j-1}\Big)")
    st.markdown(
        f"""
A filter f of region size h has a vector of weights W for each of its h slots. Laid over a region of a text, it adds up
the dot products with the vectors a of the words there (Tixier 2018, section 5.2.2). Pooling keeps the largest answer of
a text, its **activation**, and activation times the filter's **weight** {one.weight:+.3f} is what filter {one.id} adds
to the score of {run.class_names[-1]}. The tables of **slots** list the words with the largest dot products of the
vocabulary: a word that never stood in its slot in a real sentence can be among them.

**Documents** beside an n-gram are those whose largest answer it was. A filter is **dead** if no test review gets an
answer from it, and a **duplicate** if the activations of another correlate with its own by 0.8 or more; hollow marks.
The histogram is over the {len(documents_of(run).ids):,} test reviews that the run keeps, everything else over all
{run.corpus["test"]:,}. Filters have no order: filter {one.id} of another run is another filter, so that runs do not
stand side by side here.
"""
    )
