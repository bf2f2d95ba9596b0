"""Did it change, or is that the noise of a seed?

How many of a text's nearest neighbours are others at another epoch, from another seed, in another network.
"""

import streamlit as st

from nlpviz.ui import classes, frame, widgets
from nlpviz.ui.documents import drift
from nlpviz.ui.wanted import WITH_DOCUMENTS

with frame.bar():
    run = widgets.pick_run(WITH_DOCUMENTS)
with frame.controls():
    count, against = drift.pick_settings()

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
A {document}'s **neighbours** are the {found.neighbours} test {document}s, of {len(found.ids):,}, whose document
embeddings have the largest cosine with its own. Spaces of different networks have different axes and lengths; who is
near whom can be compared all the same. Of {name}, {others} of {found.neighbours} are others in {beside}:

$$
1 - \\frac{{|N_{{{found.neighbours}}} \\cap N'_{{{found.neighbours}}}|}}{{{found.neighbours}}}
= \\frac{{{others}}}{{{found.neighbours}}} = {others / found.neighbours:.2f}, \\qquad
\\text{{by chance }} 1 - \\frac{{{found.neighbours}}}{{{len(found.ids) - 1}}} = {found.by_chance:.3f}
$$

It is 1 less the stability of Wendlandt, Kummerfeld and Mihalcea (2018, section 3), there of words. **The seeds' band**
goes from the lowest end of the 95 % interval of any two seeds of the recipe to the highest: order, dropout and first
weights differ, nothing else. Two networks are held to the bands of both of their recipes; where one alone has several
seeds, to that one's, and the sentence says whose. What has its whole interval above the band is called a change, and
nothing else is. A few seeds show less than all the noise there is: with more, the band can grow and never shrinks.
Intervals take {document}s for independent of each other, which neighbours are not quite.

**Which moved most** is ranked by how many more neighbours are others than between any two of the seeds. Of so many
{document}s some are at the top by chance alone, and one {document}'s number is of {found.neighbours} neighbours: read
them as candidates.
"""
    )
