"""A real change, or just seed noise?

How many of a text’s nearest neighbours change between epochs, seeds and networks.
"""

import streamlit as st

from nlpviz.analysis.projections.drift import AGAINST
from nlpviz.ui import classes, frame, widgets
from nlpviz.ui.documents import drift
from nlpviz.ui.run_filter import WITH_DOCUMENTS

with frame.bar():
    run = widgets.pick_run(WITH_DOCUMENTS)
with frame.controls():
    count = int(widgets.pick("neighbours", "Neighbours", drift.COUNTS))
    against = widgets.pick("against", "Compare epochs with", AGAINST)

found = drift.found(run, count, against)
one = drift.show(run, found, against)
document = classes.document(run)
st.header(f"Which {document}s moved most?", anchor=False)
drift.show_movers(run, found, one, against)

with frame.how_to_read():
    first = one.movers[0]
    name, beside = (frame.escape_markdown(words) for words in (found.ids[first], one.found.title))
    others = round(float(one.found.changed[first]) * found.neighbours)
    st.markdown(
        f"""
A {document}’s **neighbours** are the {found.neighbours} test {document}s (out of {len(found.ids):,}) whose document
embeddings have the highest cosine similarity to its own embedding. Embeddings of different networks have different axes
and norms, but their neighbours can be compared. For {name}, {others} of the {found.neighbours} neighbours differ in
{beside}:

$$
1 - \\frac{{|N_{{{found.neighbours}}} \\cap N'_{{{found.neighbours}}}|}}{{{found.neighbours}}}
= \\frac{{{others}}}{{{found.neighbours}}} = {others / found.neighbours:.2f}, \\qquad
\\text{{by chance }} 1 - \\frac{{{found.neighbours}}}{{{len(found.ids) - 1}}} = {found.by_chance:.3f}
$$

This is 1 minus the stability of Wendlandt, Kummerfeld and Mihalcea (2018, section 3), who apply it to words. **The seed
band** spans the 95% intervals of all pairs of runs of one recipe. Such runs differ only in data order, dropout and
initial weights, all set by the seed. A comparison of two networks uses the bands of both recipes, or of one recipe if
the other has no band. A comparison counts as a change only if its whole interval lies above the band. Training more
seeds can only widen the band. The intervals treat {document}s as independent, which is only approximately true.

**Which {document}s moved most?** ranks {document}s by how far the number of changed neighbours exceeds the largest
number between any two seeds. Some {document}s rank high by chance, so treat the top of the list as candidates only.
"""
    )
