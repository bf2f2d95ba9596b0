"""Where do words lie on the map, and how did it form?

Each point is a word, placed by the direction of its vector. Words in similar contexts get similar vectors.
"""

import streamlit as st

from nlpviz.analysis.projections.words import WordMapSettings
from nlpviz.ui import frame, texts, widgets
from nlpviz.ui.words import choice, maps, marks, pairs
from nlpviz.ui.words.projector import pick_projector

with frame.bar():
    sources = choice.pick_sources()
    review = texts.pick_text(widgets.any_classifier(), optional=True, purpose=marks.TEXT, invites="Place a review")
with frame.controls():
    words = maps.pick_words(sources)
    name = pick_projector(sources)
with frame.controls(), frame.more():
    dimensions = int(widgets.pick("dimensions", "Dimensions", ["2", "3"], "{}-D".format))
    relation = pairs.pick_pairs(choice.vectors(sources[0]), words.pairs_within)

shown = maps.shown_maps(sources, words, WordMapSettings(name, dimensions))
if shown is None:
    st.stop()
above = st.container()
search, own = st.columns(2, gap="large")
with search:
    answers = marks.ask(shown, marks.pick_word(words))
    marks.show_neighbours(shown, answers)
with own:
    reviews = marks.review_vectors(shown, review)
    marks.tell_review(shown, reviews)
with above:
    marks.take_away(shown, answers)
    marks.draw(shown, words, answers, relation, reviews)

with frame.details(f"Trustworthiness of the map: {marks.verdict(shown)}"):
    marks.show_numbers(shown)

with frame.how_to_read():
    st.latex(r"\mathrm{trust} = 1 - \frac{2}{nk(2n-3k-1)} \sum_{i=1}^{n} \sum_{j \in U_k(i)} \big(r(i,j) - k\big)")
    st.markdown(
        f"""
Words are mapped by the directions of their vectors, so words near each other should have a high cosine similarity.
**Trust** is the trustworthiness of Venna and Kaski (2001): for each word, U contains those of its k =
{shown.maps[0].neighbours} nearest words on the map that are not among its k nearest in the original space. Their rank
in the original space is r. Over n = {len(shown.maps[0].words):,} words, trust is {shown.maps[-1].trustworthiness:.2f}
here; 1 is perfect. The table compares this value with the trust of a random layout of the points, and with that of the
same projector’s map of the same number of random vectors. A map is poor if its trustworthiness lies less than halfway
from chance to 1, and good if it lies at least three quarters of the way. **PCA** draws all epochs on the axes of one
epoch, so a word moves only if its vector changes; the table gives the **explained variance** of these axes, which is
small if the vectors vary in many dimensions. **t-SNE** tries to keep neighbours together; the sizes of clusters and the
distances between clusters mean little (Wattenberg, Viégas and Johnson 2016). Each epoch’s map starts from the previous
map and is rotated onto it.

The **neighbours** of a chosen word are its nearest neighbours in the original space, among all words. Words that the
map was not fitted to are added afterwards and drawn as hollow points. Their positions are exact for PCA and approximate
for t-SNE. {words.left_out} A regular relation appears as **segments** of similar direction and length. A **review** is
placed at the mean vector of its known words, scaled to length 1. A repeated word is counted each time it occurs.
"""
    )
