"""What do word vectors of your own say?

Read a file of word2vec, GloVe, fastText or gensim: every page of words then offers it, in this tab only.
"""

import streamlit as st

from nlpviz.ui import frame, views
from nlpviz.ui.words import own_vectors

SECTION = "Models and data"

with views.page(__doc__, __file__):
    with frame.controls():
        count = own_vectors.pick_count()
    own_vectors.ask_for_file(count)
    st.header("What this tab keeps", anchor=False)
    own_vectors.show_kept()

    with frame.how_to_read():
        st.markdown(
            f"""
What can be read: **word2vec binary** and **text** (the first line holds the numbers of words and of dimensions),
**fastText's .vec**, gensim's `KeyedVectors.save_word2vec_format`, and **GloVe text** (no first line); text may be
packed with gzip. The format is told by looking into the file. Pickles such as gensim's own `.model` and `.kv` are
refused, for reading one may run any program in it.

A word that stands twice keeps its first vector. The order of the file is taken for the order by frequency, as these
programs write it; counts are not in the file. A file that is damaged is refused with the line where it is.

At most {own_vectors.MOST} files and {own_vectors.MOST_BYTES >> 20} MiB are kept, in memory, through a reload of the
tab, until the server stops or other tabs read files of their own; nothing is written to disk but an upload while it
is read. A link to a page shows your own vectors to nobody else. A path is read only while the server listens to this
machine alone (127.0.0.1), so that whoever asks sits at it. Numbers are kept in single precision: a direction of
length 1, and a length.
"""
        )
