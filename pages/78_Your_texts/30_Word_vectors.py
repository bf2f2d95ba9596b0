"""What do your own word vectors show?

Load a word2vec, GloVe, fastText or gensim file. The pages about words then offer its vectors, in this tab only.
"""

import streamlit as st

from nlpviz.ui import frame, limits, widgets
from nlpviz.ui.words import own_vectors

with frame.controls():
    count = widgets.pick("own_count", "Maximum number of words", own_vectors.COUNTS, lambda one: f"{int(one):,}")
own_vectors.ask_for_file(int(count))
st.header("Loaded in this tab", anchor=False)
own_vectors.show_kept()

with frame.how_to_read():
    st.markdown(
        f"""
Supported formats: **word2vec binary** and **text** (with a header line: number of words and dimensions), **fastText’s
.vec**, gensim’s `KeyedVectors.save_word2vec_format`, and **GloVe text** (no header line); text files may be gzipped.
The format is detected from the file’s content. Pickles such as gensim’s own `.model` and `.kv` are refused, because
loading a pickle can execute arbitrary code.

If a word occurs twice, its first vector is used. The file contains no counts, so the words are assumed to be in order
of frequency, as these programs write them. A damaged file is refused, and the error message states the line.

At most {own_vectors.MOST} files and {limits.most_tab_bytes() >> 20} MiB are stored, in memory only. If you reload the
tab, the vectors remain available until the server stops or other tabs load vectors. An uploaded file is on disk only
while it is being read. Links to pages never contain your vectors. A file can be loaded by its path only if the server
is restricted to connections from this computer (127.0.0.1). Each vector is stored in single precision, as a unit vector
and a length.
"""
    )
