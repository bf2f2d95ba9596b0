"""What does each filter detect?

Each mark is a filter, placed by how strongly test texts activate it and by its weight for the class.
"""

import streamlit as st

from nlpviz.figures.numbers import number
from nlpviz.figures.regions.filters import filter_map
from nlpviz.runs.documents import documents_of
from nlpviz.ui import classes, frame, plotly_view, widgets
from nlpviz.ui.calls import Call
from nlpviz.ui.regions import choice, filters
from nlpviz.ui.run_filter import WITH_REGIONS

with frame.bar():
    run = widgets.pick_run(WITH_REGIONS)
    epochs = widgets.pick_epochs(run, default=(run.best_epoch,), surveyed=True)
with frame.controls():
    target = classes.pick_class(run)
    size = choice.pick_size(run)
    one = filters.pick_filter(run, epochs[-1], target)

shown = filters.filters_of(run, epochs, size, target)
filters.tell(run, one, target)
drawn = Call(filter_map, shown, run.class_names[target], one.id)
plotly_view.show(drawn, key="filters", on_click=widgets.set_to("filter"))
filters.describe(run, one, target)
filters.show_ngrams(run, one, epochs, target)

st.header("This filter by epoch", anchor=False)
filters.show_epochs(run, one, target)
st.header(f"Words that activate each slot most, epoch {epochs[-1]}", anchor=False)
filters.show_slots(run, one)
filters.show_all(shown[-1]())

with frame.how_to_read():
    st.latex(r"c_{f,i} = \mathrm{ReLU}\Big(b_f + \sum_{j=1}^{h} W_{f,j} \cdot a_{i+j-1}\Big)")
    st.markdown(
        f"""
A filter f of region size h has a weight vector W for each of its h slots. Applied to h consecutive words, the filter
sums the dot products of these weight vectors with the word vectors a (Tixier 2018, section 5.2.2). Max pooling keeps
the largest value in a text, the filter’s **activation**. Activation times **weight** ({number(one.weight, ".3f")}) is
the contribution of filter {one.id} to the score of {run.class_names[target]}. The **slot** tables list the vocabulary
words with the largest dot products, even if these words never fill that slot in a real sentence.

**Documents** counts the texts in which the filter’s largest activation falls on the n-gram. A filter is **dead** if no
test text activates it (cross), and a **duplicate** if its activations correlate at 0.8 or more with those of another
filter (hollow mark). The histogram covers the {len(documents_of(run).ids):,} test texts stored with the run; all other
numbers cover all {run.corpus["test"]:,} test texts. Filter numbers are arbitrary: filter {one.id} of another model is
unrelated to this filter, so models cannot be compared filter by filter.
"""
    )
